"""Revisions: a confirmed estimate with everything that its documents show, which never changes."""

from collections.abc import Collection
from datetime import date
from decimal import Decimal
from typing import Literal

from msgspec import UNSET, Raw, Struct, UnsetType

from backbench.engine.database import Read, Write
from backbench.engine.lists import NewestFirst, decode_number_cursor
from backbench.engine.objects import Loaded
from backbench.engine.rows import JoinedRow, columns
from backbench.estimating import document_facts, document_numbers, document_settings
from backbench.estimating.document_facts import (
    NO_FACTS,
    NO_RECIPIENT,
    DocumentFacts,
    EstimateRef,
    RecipientTexts,
    RevisionTerms,
    StoredFacts,
)
from backbench.estimating.document_settings import DocumentSettings
from backbench.estimating.estimates import (
    STORED_COLUMNS,
    Estimate,
    EstimateConfirmation,
    EstimateRevision,
    StoredEstimate,
)
from backbench.estimating.line_items import LineItems, last_valid_day, summed_total
from backbench.estimating.summaries import stored_total
from backbench.orders import balances
from backbench.services import Services
from backbench.values.calls import Call
from backbench.values.enums import DocumentLocale, TitleFont
from backbench.values.errors import Conflict, NotFound
from backbench.values.money import LineAmount, TaxAmount, plain
from backbench.values.numbers import Number, to_json, to_json_text
from backbench.values.pagination import Page, PageQuery
from backbench.values.shapes import made_of
from backbench.values.taxes import taxes_of_lines
from backbench.values.text import in_locale
from backbench.values.times import Instant
from backbench.workshops import workshops
from backbench.workshops.audit import Audited
from backbench.workshops.workshops import StoredWorkshop

# 2: equal items have one price, lines of different rates have their gross amount, a deposit has its balance.
# 3: gross prices are what totals are sums of (`computed` of its terms); no gross amounts next to a row of percent.
DocumentRules = Literal[1, 2, 3]
CURRENT_RULES: DocumentRules = 3
# 2: the model form of withdrawal is attached, the title of a transfer is next to the account, and that of a firm
# is without what only consumers have to know. A release that does not know them reads the rest.
DocumentTexts = Literal[1, 2]
CURRENT_TEXTS: DocumentTexts = 2


class DocumentSnapshot(Struct, frozen=True, rename="camel", omit_defaults=True):
    """The letterhead, settings and dates of a revision's documents. Stored with the revision and never changed.

    The dates are those of the workshop's time zone. `number` is empty if it was confirmed before there were numbers.
    `rules` are those by which its documents are made: one of an earlier release keeps its prices and rows, and
    by `texts` its texts.
    """

    name: str
    logo: str
    tagline: str
    crafter_name: str
    title_font: TitleFont
    accent_color: str | None
    settings: DocumentSettings
    issued_on: date
    valid_until: date | None = None
    number: str = ""
    rules: DocumentRules = 1
    texts: DocumentTexts = 1

    def tagline_in(self, locale: DocumentLocale) -> str:
        """The tagline of the document settings, or else of the workshop."""
        return self.tagline if self.settings.tagline is UNSET else in_locale(self.settings.tagline, locale)

    @property
    def logo_file_id(self) -> str | None:
        return None if self.settings.logo_file_id is UNSET else self.settings.logo_file_id


def snapshot(
    workshop: StoredWorkshop, settings: DocumentSettings, facts: DocumentFacts, number: str, now: Instant
) -> DocumentSnapshot:
    """What documents show of the workshop at `now`."""
    issued_on = settings.today(now)
    return made_of(
        DocumentSnapshot,
        workshop,
        settings=settings,
        issued_on=issued_on,
        valid_until=facts.valid_until(settings, issued_on),
        number=number,
        rules=CURRENT_RULES,
        texts=CURRENT_TEXTS,
    )


class ConfirmedRevision(Struct, frozen=True):
    """A revision with everything that its document needs and its JSON shape does not contain."""

    revision: EstimateRevision
    recipient_name: str
    terms: RevisionTerms
    facts: DocumentFacts
    snapshot: DocumentSnapshot
    # Those of the estimate, without what the customer's record gave to the documents. Of one that is being confirmed.
    own_recipient: str = ""
    own_facts: DocumentFacts = NO_FACTS


class RevisionTotals(Struct, frozen=True, kw_only=True, rename="camel"):
    """The totals of a revision in the currency and with the taxes that it was confirmed with.

    `taxes` has an entry for each rate, the highest first, and for each kind, and none without a tax;
    `tax` is the sum of its amounts.
    `valid_until` is absent if no validity is stated. `number` is empty for revisions from before there were numbers.
    """

    currency: str
    lines: list[LineAmount]
    subtotal: Number
    markup: Number
    discount: Number
    net: Number
    tax: Number | UnsetType = UNSET
    taxes: list[TaxAmount]
    total: Number
    valid_until: date | UnsetType = UNSET
    number: str
    prices_shown: Literal["gross"] | UnsetType = UNSET
    prices_entered: Literal["gross"] | UnsetType = UNSET


def revision_totals(confirmed: ConfirmedRevision) -> RevisionTotals:
    revision, terms = confirmed.revision, confirmed.terms
    totals = terms.totals(revision)
    taxes = [] if totals.taxes is UNSET else totals.taxes
    if not taxes and totals.tax is not UNSET:
        tax = taxes_of_lines(revision.line_items, terms.tax, terms.line_taxes)[0]
        rate = plain(Decimal(0) if tax is None else tax.rate)
        taxes = [TaxAmount(label=terms.label_in("en"), percent=rate, net=totals.net, amount=totals.tax)]
    entered: Literal["gross"] | UnsetType = "gross" if terms.prices_entered == "gross" else UNSET
    return made_of(RevisionTotals, totals, confirmed.snapshot, taxes=taxes, prices_entered=entered)


def as_revision(estimate: Estimate, id_: str, number: int, at: Instant, by: str) -> EstimateRevision:
    """The estimate as it is now, as the revision with this number."""
    return made_of(
        EstimateRevision,
        estimate,
        id=id_,
        revision_number=number,
        created_at=at,
        created_by_uid=by,
        # They may be the JSON that is stored.
        line_items=estimate.line_items,
    )


# Statements


_COLUMNS = columns(EstimateRevision)
# Of a ConfirmedRow.
CONFIRMED_COLUMNS = f"{_COLUMNS}, recipient_name, terms, coalesce(facts, '{{}}') AS facts, snapshot"


class ListedRevision(EstimateRevision, frozen=True):
    """A revision whose line items stay JSON."""

    line_items: Raw  # type: ignore[assignment]


def of_estimate(estimate_id: str) -> NewestFirst[ListedRevision]:
    """The estimate's revisions, the highest number first."""
    source = "FROM revisions WHERE estimate_id = :estimate_id"
    return NewestFirst(
        ListedRevision,
        f"SELECT {_COLUMNS} {source}",
        {"estimate_id": estimate_id},
        at="revision_number",
        source=source,
        size="octet_length(line_items)",
        decode=decode_number_cursor,
    )


async def has_logo_image(db: Read, estimate_id: str, number: int) -> bool:
    """Whether an image logo was stored with the revision. Its documents may not show it."""
    found = await db.value(
        "SELECT logo_file_id FROM revisions WHERE estimate_id = :estimate_id AND revision_number = :number",
        estimate_id=estimate_id,
        number=number,
    )
    return found is not None


async def find(db: Read, estimate_id: str, number: int) -> EstimateRevision:
    """Raises NotFound."""
    revision = await db.one(
        EstimateRevision,
        f"SELECT {_COLUMNS} FROM revisions WHERE estimate_id = :id AND revision_number = :number",
        id=estimate_id,
        number=number,
    )
    if revision is None:
        raise NotFound
    return revision


class ConfirmedRow(EstimateRevision, frozen=True):
    """The columns of a revision, and those that its response shape does not have."""

    recipient_name: str | None
    terms: RevisionTerms | None
    facts: DocumentFacts
    snapshot: DocumentSnapshot

    def to_confirmed(self) -> ConfirmedRevision:
        revision = made_of(EstimateRevision, self)
        # The oldest revisions were confirmed before terms were stored.
        terms = self.terms or self.facts.early_terms(self.snapshot.settings)
        return ConfirmedRevision(revision, self.recipient_name or "", terms, self.facts, self.snapshot)


async def find_confirmed(db: Read, estimate_id: str, number: int) -> ConfirmedRevision:
    """The revision with what its documents and totals need. Raises NotFound."""
    row = await db.one(
        ConfirmedRow,
        f"SELECT {CONFIRMED_COLUMNS} FROM revisions WHERE estimate_id = :id AND revision_number = :number",
        id=estimate_id,
        number=number,
    )
    if row is None:
        raise NotFound
    return row.to_confirmed()


class _RevisionOf(JoinedRow, frozen=True):
    estimate_id: str
    row: ConfirmedRow


# An estimate and the number of a revision of it.
RevisionKey = tuple[str, int]


async def list_confirmed(db: Read, keys: Collection[RevisionKey]) -> dict[RevisionKey, ConfirmedRevision]:
    """Those of the revisions that there are."""
    if not keys:
        return {}
    names = ("estimate_id", "revision_number")
    sql = f"""
        SELECT estimate_id, {CONFIRMED_COLUMNS} FROM revisions
        WHERE (estimate_id, revision_number) IN ({db.catalog.rows_from_json("revisions", names)})
    """
    rows = to_json_text([dict(zip(names, key, strict=True)) for key in sorted(keys)])
    found = await db.all(_RevisionOf, sql, rows=rows)
    return {(each.estimate_id, each.row.revision_number): each.row.to_confirmed() for each in found}


async def latest_number(db: Read, estimate_id: str) -> int:
    """0 for an estimate that was never confirmed, or does not exist."""
    number = await db.value("SELECT latest_revision FROM estimates WHERE id = :id", id=estimate_id)
    return int(number or 0)


async def is_revised(db: Read, estimate_id: str, number: int) -> bool:
    """Whether the client may know an earlier revision: by a hand-off, a PDF, which each link has, or a decision."""
    sql = """
        SELECT count(*) FROM estimates e WHERE e.id = :id AND :number > 1 AND (
            EXISTS (SELECT 1 FROM handoffs h WHERE h.estimate_id = e.id AND h.revision_number < :number)
            OR EXISTS (SELECT 1 FROM pdf_exports p WHERE p.estimate_id = e.id AND p.revision_number < :number)
            OR EXISTS (SELECT 1 FROM decisions d WHERE d.estimate_id = e.id AND d.revision_number < :number)
        )
    """
    return bool(await db.value(sql, id=estimate_id, number=number))


async def add(db: Write, estimate: Estimate, confirmed: ConfirmedRevision, figures: str) -> int:
    """What the response of a revision does not have is stored with it for its documents and totals.

    `figures` are those of its line items. Returns the bytes of what the response does not have.
    """
    revision = confirmed.revision
    shown, own = confirmed.facts.without_customer(), confirmed.own_facts.without_customer()
    terms, facts, snapshot = map(to_json_text, (confirmed.terms, shown, confirmed.snapshot))
    own_facts = None if own == shown else to_json_text(own)
    await db.add(
        "revisions",
        revision,
        workshop_id=estimate.workshop_id,
        estimate_id=estimate.id,
        recipient_name=confirmed.recipient_name or None,
        figures=figures,
        terms=terms,
        facts=facts,
        snapshot=snapshot,
        logo_file_id=confirmed.snapshot.logo_file_id,
        customer_id=confirmed.own_facts.customer_id,
        own_facts=own_facts,
        own_recipient=None if confirmed.own_recipient == confirmed.recipient_name else confirmed.own_recipient,
        currency=confirmed.terms.currency,
        total_thousandths=summed_total(_total(confirmed, figures)),
        valid_until=last_valid_day(confirmed.snapshot.valid_until),
    )
    return sum(len(text.encode()) for text in (terms, facts, snapshot, own_facts or ""))


def _total(confirmed: ConfirmedRevision, figures: str) -> Number:
    """Its line items, which may be JSON, are read only where their sum does not give the total."""
    revision, terms = confirmed.revision, confirmed.terms
    lines = None if terms.is_total_of_sum else LineItems(to_json(revision.line_items)).all()
    return stored_total(figures, lines, revision.markup_percent, revision.discount_percent, terms)


class _Settings(Struct, frozen=True):
    document_settings: DocumentSettings


class Confirmable(StoredEstimate, frozen=True):
    """An estimate with what its documents show."""

    facts: StoredFacts
    settings: _Settings
    workshop: StoredWorkshop


# The estimate of a path that is to be confirmed: its snapshot, its number and the count against the plan belong to one
# state of it.
CONFIRMABLE = Loaded(
    Confirmable,
    "estimate",
    "estimates e",
    key="estimate_id",
    own_columns=f"{STORED_COLUMNS}, {document_facts.COLUMNS}, w.document_settings, {workshops.COLUMNS}",
    joins="LEFT JOIN workshops w ON w.id = e.workshop_id",
)


async def save(db: Write, estimate_id: str, revision_number: int, number: str, series_number: str | None) -> bool:
    """The estimate is then as its latest revision, which is to be added in the same transaction.

    `number` is that of its documents; `series_number` is given where it is a new one of the series. Returns whether the
    estimate has orders, for which another price may hold now.
    """
    orders = await db.value(
        """
        UPDATE estimates SET latest_revision = :revision, state = 'confirmed', number = :number,
            series_number = coalesce(:series, series_number), number_folded = coalesce(:series, number_folded)
        WHERE id = :id RETURNING (SELECT count(*) FROM orders o WHERE o.estimate_id = estimates.id)
        """,
        id=estimate_id,
        revision=revision_number,
        number=number,
        series=series_number,
    )
    return bool(orders)


# Verbs


async def confirm(db: Write, call: Call, estimate: Confirmable, services: Services) -> Audited[EstimateConfirmation]:
    """Confirm an estimate: its present state becomes the next revision, which never changes.

    Raises Conflict `plan_limit` where the workshop's plan allows no further revision of this estimate.
    """
    workshop, facts = estimate.workshop, estimate.facts
    taken, limit = facts.latest_revision, workshop.plan_at(call.now, services.plan_rules).revisions_per_estimate
    if limit is not None and taken >= limit:
        detail = f"Your plan allows {limit} revisions per estimate"
        raise Conflict("plan_limit", detail, limit=limit, current=taken)
    settings = await _settings(db, estimate)
    # At the first confirmation the next number of the year, unless the estimate has one of its own.
    series = None if facts.number else await document_numbers.take(db, workshop.id, settings.today(call.now).year)
    number = facts.number or series or ""
    # Its line items stay the JSON that is stored.
    shown = estimate.shown
    revision = as_revision(shown, call.new_id(), taken + 1, call.now, call.uid)
    recipient = await customer_texts(db, facts.facts)
    sources = DocumentSources(workshop, settings, facts.facts, number, recipient)
    confirmed = snapshotted(shown, revision, sources, call.now)
    has_orders = await save(db, shown.id, taken + 1, number, series)
    copied = await add(db, shown, confirmed, str(estimate.read()[1]))
    if has_orders:
        await balances.save_owed_of_estimate(db, shown.id)
    return Audited(EstimateConfirmation(shown, revision), workshop.id, shown.id, copied=copied)


async def _settings(db: Write, stored: Confirmable) -> DocumentSettings:
    """The settings of the documents. An image that becomes part of a revision must not be deleted at the same time."""
    settings = stored.settings.document_settings
    if settings.logo_file_id is UNSET:
        return settings
    await db.lock(f"icons {stored.workshop.id}")
    return await document_settings.find(db, stored.workshop.id)


async def list_all(db: Read, estimate: EstimateRef, query: PageQuery) -> Page[ListedRevision]:
    """List the revisions of an estimate, newest first."""
    return await of_estimate(estimate.id).page(db, query)


async def get(db: Read, estimate: EstimateRef, revision_number: str) -> EstimateRevision:
    """Read a revision by its number."""
    return await find(db, estimate.id, _number(revision_number))


async def get_totals(db: Read, estimate: EstimateRef, revision_number: str) -> RevisionTotals:
    """Read the totals of a revision in the currency and with the taxes that it was confirmed with."""
    return revision_totals(await find_confirmed(db, estimate.id, _number(revision_number)))


def _number(text: str) -> int:
    """A revision number in a path. Raises NotFound."""
    if not text.isdecimal() or len(text) > 9 or text != str(int(text)):
        raise NotFound
    return int(text)


async def customer_texts(db: Read, facts: DocumentFacts) -> RecipientTexts:
    """What the record of the customer says for the recipient, as it is now."""
    return NO_RECIPIENT if facts.customer_id is UNSET else await document_facts.recipient_texts(db, facts.customer_id)


class DocumentSources(Struct, frozen=True):
    """What documents of an estimate show besides the estimate. `number` is that of the documents, "" for none.

    `recipient` is the record of its customer, for what neither the estimate nor its facts say.
    """

    workshop: StoredWorkshop
    settings: DocumentSettings
    facts: DocumentFacts
    number: str
    recipient: RecipientTexts


def snapshotted(
    estimate: Estimate, revision: EstimateRevision, sources: DocumentSources, now: Instant
) -> ConfirmedRevision:
    """The revision with everything that its documents show, as it is at `now`."""
    facts, settings = sources.facts.with_recipient(sources.recipient), sources.settings
    own_recipient = "" if estimate.recipient_name is UNSET else estimate.recipient_name
    return ConfirmedRevision(
        revision=revision,
        recipient_name=own_recipient or sources.recipient.name,
        terms=facts.revision_terms(settings),
        facts=facts,
        snapshot=snapshot(sources.workshop, settings, facts, sources.number, now),
        own_recipient=own_recipient,
        own_facts=sources.facts,
    )
