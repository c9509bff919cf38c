"""Confirmed revisions: everything that the documents of a revision show, as it was when the revision was confirmed."""

from datetime import date
from decimal import Decimal
from typing import Literal

from msgspec import UNSET, Struct, UnsetType

from backbench.estimating.document_facts import NO_FACTS, DocumentFacts
from backbench.estimating.document_settings import DocumentSettings
from backbench.estimating.estimates import Estimate, EstimateRevision
from backbench.estimating.terms import RevisionTerms
from backbench.values.enums import DocumentLocale, TitleFont
from backbench.values.money import LineAmount, TaxAmount, plain
from backbench.values.numbers import Number
from backbench.values.taxes import taxes_of_lines
from backbench.values.text import in_locale
from backbench.values.times import Instant
from backbench.workshops.workshops import StoredWorkshop

# 2: equal items have one price, lines of different rates have their gross amount, a deposit has its balance.
# 3: gross prices are what totals are sums of (`computed` of its terms); no gross amounts next to a row of percent.
DocumentRules = Literal[1, 2, 3]
CURRENT_RULES: DocumentRules = 3


class DocumentSnapshot(Struct, frozen=True, rename="camel", omit_defaults=True):
    """The letterhead, settings and dates of a revision's documents. Stored with the revision and never changed.

    The dates are those of the workshop's time zone. `number` is empty if it was confirmed before there were numbers.
    `rules` are those by which its documents are made: a revision of an earlier release keeps its prices and rows.
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
    return DocumentSnapshot(
        name=workshop.name,
        logo=workshop.logo,
        tagline=workshop.tagline,
        crafter_name=workshop.crafter_name,
        title_font=workshop.title_font,
        accent_color=workshop.accent_color,
        settings=settings,
        issued_on=issued_on,
        valid_until=facts.valid_until(settings, issued_on),
        number=number,
        rules=CURRENT_RULES,
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
    return RevisionTotals(
        currency=totals.currency,
        lines=totals.lines,
        subtotal=totals.subtotal,
        markup=totals.markup,
        discount=totals.discount,
        net=totals.net,
        tax=totals.tax,
        taxes=taxes,
        total=totals.total,
        valid_until=UNSET if confirmed.snapshot.valid_until is None else confirmed.snapshot.valid_until,
        number=confirmed.snapshot.number,
        prices_shown=totals.prices_shown,
        prices_entered="gross" if terms.prices_entered == "gross" else UNSET,
    )


def as_revision(estimate: Estimate, id_: str, number: int, at: Instant, by: str) -> EstimateRevision:
    """The estimate as it is now, as the revision with this number."""
    return EstimateRevision(
        id=id_,
        revision_number=number,
        created_at=at,
        created_by_uid=by,
        name=estimate.name,
        markup_percent=estimate.markup_percent,
        discount_percent=estimate.discount_percent,
        line_items=estimate.line_items,
    )
