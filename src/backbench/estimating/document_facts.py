"""Document facts of an estimate: what its PDF states in addition to the Estimate shape, and the terms of its price."""

from datetime import date, timedelta
from typing import Annotated, Protocol, TypeVar

from msgspec import UNSET, Meta, Struct, UnsetType, structs

from backbench.customers import customer_links
from backbench.customers.customer_links import require_known
from backbench.customers.customers import CustomerPhone
from backbench.engine.database import Read, Write
from backbench.engine.objects import Loaded
from backbench.engine.rows import or_none
from backbench.estimating import document_numbers
from backbench.estimating.document_settings import (
    DEFAULT_VALID_DAYS,
    DocumentSettings,
    TaxPercent,
    ValidDays,
    shown_net_errors,
)
from backbench.estimating.line_items import Label, LineItem
from backbench.values.calls import Call
from backbench.values.enums import (
    Breakdown,
    DepositKind,
    DocumentLocale,
    DocumentTitle,
    PricesEntered,
    PricesShown,
    Withdrawal,
)
from backbench.values.errors import FieldError, Forbidden, NotFound, ValidationError
from backbench.values.ids import Identifier
from backbench.values.money import Totals, total
from backbench.values.numbers import Number, to_json_text
from backbench.values.scalars import LongText, Name, OptionalName, OptionalPhone, between, fold_case
from backbench.values.taxes import Tax, TaxKind, tax_of
from backbench.values.text import LocalizedLine, in_locale
from backbench.values.times import Instant
from backbench.workshops.audit import Unchanged


class Content(Protocol):
    """What totals are computed from: an estimate, a revision, or columns of them."""

    @property
    def line_items(self) -> list[LineItem]: ...
    @property
    def markup_percent(self) -> Number: ...
    @property
    def discount_percent(self) -> Number: ...


class RevisionTerms(Struct, frozen=True, rename="camel", omit_defaults=True):
    """The currency, taxes and deposit of a revision, stored with it so that later settings do not change its totals.

    `line_taxes` are taxes by line id, for lines that do not have that of the revision. `prices_shown` are those of its
    documents, and `computed` those that its totals are sums of. Of a revision of an earlier release they are net also
    where gross prices are shown: those were found for the net totals.
    """

    currency: str
    tax_percent: Number | UnsetType = UNSET
    tax_label: str | LocalizedLine = ""
    line_taxes: dict[str, Tax] = {}
    deposit_percent: Number | UnsetType = UNSET
    tax_kind: TaxKind = "rate"
    deposit_amount: Number | UnsetType = UNSET
    deposit_kind: DepositKind = "advance"
    prices_shown: PricesShown = "net"
    prices_entered: PricesEntered = "net"
    computed: PricesShown = "net"

    @property
    def tax(self) -> Tax | None:
        """The tax of lines without one of their own."""
        return tax_of(self.tax_kind, None if self.tax_percent is UNSET else self.tax_percent)

    @property
    def is_total_of_sum(self) -> bool:
        """Whether the total follows from the sum of price × quantity as entered, without the single lines."""
        return self.prices_entered == "gross" if self.computed == "gross" else not self.line_taxes

    def totals(self, estimate: Content) -> Totals:
        """The totals of the estimate or revision in this currency, with this tax."""
        return total(
            estimate.line_items,
            markup_percent=estimate.markup_percent,
            discount_percent=estimate.discount_percent,
            tax_percent=None if self.tax_percent is UNSET else self.tax_percent,
            currency=self.currency,
            tax_kind=self.tax_kind,
            line_taxes=self.line_taxes,
            tax_label=self.label_in("en"),
            prices_entered=self.prices_entered,
            computed=self.computed,
        )

    def label_in(self, locale: DocumentLocale) -> str:
        """The name of the tax: the workshop's, or else the usual one of the locale, which is the same in both."""
        return in_locale(self.tax_label, locale) or "VAT"


T = TypeVar("T")
LineTaxes = Annotated[dict[Identifier, Tax], Meta(max_length=500)]
Sections = Annotated[dict[Identifier, Label], Meta(max_length=500)]
DepositAmount = Annotated[Number, between(0, 10**12, places=4)]


class RecipientTexts(Struct, frozen=True):
    """What a customer's record says for the recipient of a document. `name` is empty where there is no record."""

    name: str = ""
    address: str | UnsetType = UNSET
    tax_id: str | UnsetType = UNSET
    email: str | UnsetType = UNSET
    phone: str | UnsetType = UNSET
    site_address: str | UnsetType = UNSET


NO_RECIPIENT = RecipientTexts()


class DocumentFacts(Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """What is absent comes from the document settings, and `number` from the series of the workshop.

    `line_taxes` are taxes by line id, for lines that do not have that of the estimate, and `sections` the headings
    before lines. Ids that no line of the estimate has are ignored. A `tax_percent` without `tax_kind` is a rate.
    Texts of the recipient that are absent are those of the customer, until a confirmation.
    """

    number: Name | UnsetType = UNSET
    recipient_address: LongText | UnsetType = UNSET
    recipient_tax_id: OptionalName | UnsetType = UNSET
    recipient_email: OptionalName | UnsetType = UNSET
    recipient_phone: OptionalPhone | UnsetType = UNSET
    site_address: LongText | UnsetType = UNSET
    intro: LongText | UnsetType = UNSET
    terms: LongText | UnsetType = UNSET
    lead_time: LongText | UnsetType = UNSET
    tax_note: LongText | UnsetType = UNSET
    tax_percent: TaxPercent | UnsetType = UNSET
    tax_label: OptionalName | UnsetType = UNSET
    line_taxes: LineTaxes | UnsetType = UNSET
    deposit_percent: Annotated[Number, between(0, 100, places=4)] | UnsetType = UNSET
    valid_days: ValidDays | UnsetType = UNSET
    tax_kind: TaxKind | UnsetType = UNSET
    deposit_amount: DepositAmount | UnsetType = UNSET
    deposit_kind: DepositKind | UnsetType = UNSET
    prices_shown: PricesShown | UnsetType = UNSET
    document_title: DocumentTitle | UnsetType = UNSET
    breakdown: Breakdown | UnsetType = UNSET
    sections: Sections | UnsetType = UNSET
    withdrawal: Withdrawal | UnsetType = UNSET
    # Stored only where it is `gross`.
    prices_entered: PricesEntered | UnsetType = UNSET
    # Stored in a column of its own: the release before reads facts without it.
    customer_id: Identifier | UnsetType = UNSET

    def field_errors(self) -> list[FieldError]:
        found = shown_net_errors(self.prices_entered, self.prices_shown)
        if self.deposit_percent is not UNSET and self.deposit_amount is not UNSET:
            found.append(FieldError("/depositAmount", "conflict", "A deposit is a percentage or an amount, not both"))
        return found

    def replacing(self, before: "DocumentFacts") -> "DocumentFacts":
        """As a request that replaces `before`: what its prices are stays, unless the request says it."""
        entered = before.prices_entered if self.prices_entered is UNSET else self.prices_entered
        return structs.replace(self, prices_entered="gross" if entered == "gross" else UNSET)

    def without_number(self) -> "DocumentFacts":
        """For a copy of the estimate, which gets a number of its own."""
        return structs.replace(self, number=UNSET)

    def without_customer(self) -> "DocumentFacts":
        """The facts of the estimate itself, as they are stored."""
        return structs.replace(self, customer_id=UNSET)

    def with_recipient(self, recipient: RecipientTexts) -> "DocumentFacts":
        """With the texts of the customer's record where the estimate has none."""
        return structs.replace(
            self,
            recipient_address=_own_or(self.recipient_address, recipient.address),
            recipient_tax_id=_own_or(self.recipient_tax_id, recipient.tax_id),
            recipient_email=_own_or(self.recipient_email, recipient.email),
            recipient_phone=_own_or(self.recipient_phone, recipient.phone),
            site_address=_own_or(self.site_address, recipient.site_address),
        )

    def without_recipient(self) -> "DocumentFacts":
        """Without anything about a person."""
        return structs.replace(
            self,
            recipient_address=UNSET,
            recipient_tax_id=UNSET,
            recipient_email=UNSET,
            recipient_phone=UNSET,
            site_address=UNSET,
            customer_id=UNSET,
        )

    def revision_terms(self, settings: DocumentSettings) -> RevisionTerms:
        """The currency, taxes and deposit of the estimate."""
        label = settings.tax_label if self.tax_label is UNSET else self.tax_label
        prices = self._prices_shown(settings)
        return RevisionTerms(
            currency=settings.currency,
            tax_percent=settings.tax_percent if self.tax_percent is UNSET else self.tax_percent,
            tax_label="" if label is UNSET else label,
            line_taxes={} if self.line_taxes is UNSET else self.line_taxes,
            deposit_percent=self.deposit_percent,
            tax_kind=self._tax_kind(settings),
            deposit_amount=self.deposit_amount,
            deposit_kind=_first(self.deposit_kind, settings.deposit_kind, "advance"),
            prices_shown=prices,
            prices_entered="net" if self.prices_entered is UNSET else self.prices_entered,
            computed=prices,
        )

    def early_terms(self, settings: DocumentSettings) -> RevisionTerms:
        """Those of a revision that was confirmed before terms were stored: its totals are sums of net prices."""
        return structs.replace(self.revision_terms(settings), computed="net")

    def _prices_shown(self, settings: DocumentSettings) -> PricesShown:
        if self.prices_entered == "gross":
            return "gross"
        return _first(self.prices_shown, settings.prices_shown, "net")

    def _tax_kind(self, settings: DocumentSettings) -> TaxKind:
        if self.tax_kind is UNSET and self.tax_percent is not UNSET:
            return "rate"
        return _first(self.tax_kind, settings.tax_kind, "rate")

    def title(self, settings: DocumentSettings) -> DocumentTitle:
        return _first(self.document_title, settings.document_title, "estimate")

    def withdrawal_in(self, settings: DocumentSettings, *, is_for_firm: bool) -> Withdrawal:
        """What the settings say is for consumers; what the estimate itself says is said to a firm, too."""
        return _first(self.withdrawal, UNSET if is_for_firm else settings.withdrawal, "none")

    def valid_until(self, settings: DocumentSettings, issued_on: date) -> date | None:
        """The last day of validity. None if no validity is stated."""
        days = settings.valid_days if self.valid_days is UNSET else self.valid_days
        if days is UNSET:
            days = DEFAULT_VALID_DAYS
        return issued_on + timedelta(days) if days else None

    def terms_in(self, settings: DocumentSettings, locale: DocumentLocale) -> str:
        """The terms in the language of the document: those of the estimate, or else of the workshop."""
        terms = settings.terms if self.terms is UNSET else self.terms
        return "" if terms is UNSET else in_locale(terms, locale)


def _own_or(own: str | UnsetType, other: str | UnsetType) -> str | UnsetType:
    return other if own is UNSET else own


def _first(own: T | UnsetType, usual: T | UnsetType, default: T) -> T:
    """The value of the estimate, or else of the settings, or else the default."""
    if own is not UNSET:
        return own
    return default if usual is UNSET else usual


NO_FACTS = DocumentFacts()

# Statements


_CONTENT = ("name", "recipient_name", "markup_percent", "discount_percent", "line_items", "facts", "customer_id")


def state_with(**values: str) -> str:
    """The SQL of the state of an estimate with these values of its columns; the others stay as they are.

    The content decides, not the time: an estimate that was changed and changed back is as confirmed.
    """
    of = {name: f"estimates.{name}" for name in _CONTENT} | values
    return f"""
        CASE WHEN latest_revision = 0 THEN 'draft' WHEN EXISTS (
            SELECT 1 FROM revisions r
            WHERE r.estimate_id = :id AND r.revision_number = estimates.latest_revision AND r.name = {of["name"]}
                AND coalesce(r.own_recipient, r.recipient_name, '') = coalesce({of["recipient_name"]}, '')
                AND r.markup_percent = {of["markup_percent"]} AND r.discount_percent = {of["discount_percent"]}
                AND r.line_items = {of["line_items"]}
                AND coalesce(r.own_facts, r.facts, '{{}}') = coalesce({of["facts"]}, '{{}}')
                AND coalesce(r.customer_id, '') = coalesce({of["customer_id"]}, '')
        ) THEN 'confirmed' ELSE 'changed' END"""


COLUMNS = "coalesce(e.facts, '{}') AS own_facts, e.customer_id, e.number, e.latest_revision"


class StoredFacts(Struct, frozen=True):
    """`number` is None until the first confirmation, unless the facts have one."""

    own_facts: DocumentFacts
    customer_id: str | None
    number: str | None
    latest_revision: int

    @property
    def facts(self) -> DocumentFacts:
        """With the customer, as the API has them."""
        if self.customer_id is None:
            return self.own_facts
        return structs.replace(self.own_facts, customer_id=self.customer_id)

    @property
    def is_confirmed(self) -> bool:
        """Whether a revision may show its number."""
        return self.latest_revision > 0


_SAVE = f"""
    UPDATE estimates SET facts = :facts, customer_id = :customer_id, number = coalesce(:number, series_number),
        number_folded = coalesce(:number_folded, series_number), updated_at = :at,
        state = {state_with(facts=":facts", customer_id=":customer_id")}
    WHERE id = :id
"""


async def find(db: Read, estimate_id: str) -> StoredFacts:
    """Raises NotFound."""
    sql = f"SELECT {COLUMNS} FROM estimates e WHERE id = :id"
    stored = await db.one(StoredFacts, sql, id=estimate_id)
    if stored is None:
        raise NotFound
    return stored


class EstimateRef(Struct, frozen=True):
    """The estimate of a path, for what belongs to it: revisions, documents, links and decisions."""

    id: str
    workshop_id: str


async def save(db: Write, estimate: EstimateRef, before: StoredFacts, facts: DocumentFacts, at: Instant) -> bool:
    """Whether they differ from those `before`; if not, nothing is written. The estimate is locked.

    Raises Conflict `number_taken` where the number is another document's.
    """
    id_, workshop_id = estimate.id, estimate.workshop_id
    if before.facts == facts:
        return False
    if facts.number is not UNSET and facts.number != before.number:
        await document_numbers.claim(db, workshop_id, id_, facts.number)
    if before.facts.number is not UNSET and before.facts.number != facts.number and not before.is_confirmed:
        await document_numbers.release(db, workshop_id, id_, before.facts.number)
    folded = None if facts.number is UNSET else fold_case(facts.number)
    await db.run(
        _SAVE,
        id=id_,
        facts=to_json_text(facts.without_customer()),
        customer_id=or_none(facts.customer_id),
        number=or_none(facts.number),
        number_folded=folded,
        at=at,
    )
    return True


async def release_number(db: Write, estimate: EstimateRef) -> None:
    """Gives back the own number of an estimate that is to be deleted, unless a revision shows it."""
    stored = await find(db, estimate.id)
    if stored.facts.number is not UNSET and not stored.is_confirmed:
        await document_numbers.release(db, estimate.workshop_id, estimate.id, stored.facts.number)


async def copy(db: Write, from_id: str, to_id: str) -> int:
    """Gives the new estimate the facts of the other one, without its number. Returns how many bytes they take."""
    facts = (await find(db, from_id)).facts.without_number()
    own = facts.without_customer()
    text = None if own == NO_FACTS else to_json_text(own)
    # Also without facts: the new estimate has those that the settings gave it.
    sql = "UPDATE estimates SET facts = :facts, customer_id = :customer_id WHERE id = :id"
    await db.run(sql, id=to_id, facts=text, customer_id=or_none(facts.customer_id))
    return len((text or "").encode())


class DocumentRecord(Struct, frozen=True, rename="camel"):
    """The facts and the number of an estimate, as the data archive has them."""

    estimate_id: str
    number: str | None
    document: DocumentFacts
    customer_id: str | UnsetType


async def list_all(db: Read, workshop_id: str, after: str, limit: int) -> list[DocumentRecord]:
    """The next `limit` estimates that have facts or a number, by their id."""
    return await db.all(
        DocumentRecord,
        """
        SELECT id AS estimate_id, number, coalesce(facts, '{}') AS document, customer_id FROM estimates
        WHERE workshop_id = :workshop_id AND id > :after
            AND (facts IS NOT NULL OR number IS NOT NULL OR customer_id IS NOT NULL)
        ORDER BY id LIMIT :limit
        """,
        workshop_id=workshop_id,
        after=after,
        limit=limit,
    )


# Verbs


async def get(db: Read, estimate: EstimateRef) -> DocumentFacts:
    """Read the document facts of an estimate; none if it has none of its own."""
    return (await find(db, estimate.id)).facts


async def replace(
    db: Write, call: Call, estimate: EstimateRef, body: DocumentFacts
) -> DocumentFacts | Unchanged[DocumentFacts]:
    """Replace the document facts of an estimate as a whole, except for `pricesEntered`, which stays where it is absent.

    Revisions keep the facts that they were confirmed with.

    Raises Conflict `number_taken` where the number is that of another document of the workshop.
    """
    facts, is_changed = await put(db, call, estimate, body)
    return facts if is_changed else Unchanged(facts)


async def put(
    db: Write, call: Call, estimate: EstimateRef, body: DocumentFacts, *, at: str = ""
) -> tuple[DocumentFacts, bool]:
    """The facts as they are saved, and whether they differ from those before. `at`: where they are in the body."""
    stored = await find(db, estimate.id)
    facts = body.replacing(stored.facts)
    if field_errors := facts.field_errors():
        raise ValidationError(*(structs.replace(each, pointer=at + each.pointer) for each in field_errors))
    if facts.customer_id is not UNSET and facts.customer_id != stored.customer_id:
        # What the estimate shows states the address and the tax id of the record.
        if not call.caller.may("customers:read"):
            raise Forbidden(missing_scope="customers:read")
        await require_known(db, estimate.workshop_id, facts.customer_id, at)
    return facts, await save(db, estimate, stored, facts, call.now)


class _Contact(Struct, frozen=True):
    name: str
    address: str | None
    site_address: str | None
    tax_id: str | None
    emails: list[str]
    phones: list[CustomerPhone]


async def recipient_texts(db: Read, customer_id: str) -> RecipientTexts:
    """What documents show of the customer; nothing of one that does not exist."""
    sql = """
        SELECT name, address, site_address, tax_id, emails, phones FROM customers
        WHERE id = :id AND state = 'present'
    """
    found = await db.one(_Contact, sql, id=customer_id)
    if found is None:
        return NO_RECIPIENT
    return RecipientTexts(
        name=found.name,
        address=UNSET if found.address is None else found.address,
        tax_id=UNSET if found.tax_id is None else found.tax_id,
        email=found.emails[0] if found.emails else UNSET,
        phone=found.phones[0].number if found.phones else UNSET,
        site_address=UNSET if found.site_address is None else found.site_address,
    )


ESTIMATE_REF = Loaded(EstimateRef, "estimate", "estimates e", key="estimate_id")


async def lock_customer(db: Write, estimate_id: str, workshop_id: str) -> None:
    """Keeps the customer that the estimate names, if any, until the end of the transaction."""
    if (await find(db, estimate_id)).customer_id is not None:
        await customer_links.lock_links(db, workshop_id)
