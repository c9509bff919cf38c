"""Document settings: currency, tax, letterhead and validity of a workshop's documents and messages."""

from datetime import date
from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType
from msgspec.structs import replace

from backbench.engine.database import Read, Write
from backbench.values.countries import Country
from backbench.values.currencies import MINOR_DIGITS
from backbench.values.enums import (
    DepositKind,
    DocumentTitle,
    PaperSize,
    PricesEntered,
    PricesShown,
    UserLocale,
    Withdrawal,
)
from backbench.values.errors import FieldError, NotFound
from backbench.values.ids import Identifier
from backbench.values.numbers import Number, to_json_text
from backbench.values.scalars import (
    END,
    IBAN_RULE,
    LINE_FEEDS,
    LINES,
    NO_CONTROL,
    NOT_BLANK,
    NOT_REVERSED,
    ONE_LINE,
    LongText,
    OptionalName,
    OptionalPhone,
    Rule,
    between,
    is_iban,
    normalized_iban,
    polish_iban,
)
from backbench.values.taxes import TaxKind
from backbench.values.text import LocalizedLine, LocalizedLines
from backbench.values.times import Instant, TimeZone, default_time_zone, local_date


class _CurrencyRule(Rule, frozen=True, eq=False):
    """One detail for every wrong value: the length alone would not say what is expected."""

    def code_for(self, value: str) -> str:
        if len(value) < 3:
            return "too_short"
        return "too_long" if len(value) > 3 else self.code


Currency = Annotated[
    str,
    _CurrencyRule(
        code="unknown_currency",
        detail="Expected an ISO 4217 currency code, such as EUR",
        holds=MINOR_DIGITS.__contains__,
        schema={"minLength": 3, "maxLength": 3, "enum": sorted(MINOR_DIGITS)},
    ),
]
TaxPercent = Annotated[Number, between(0, 100, places=4)]
ValidDays = Annotated[int, Meta(ge=0, le=3650)]
Address = Annotated[str, Meta(max_length=500, pattern=LINE_FEEDS, extra=LINES), NOT_BLANK, NOT_REVERSED]
OpeningHours = Annotated[str, Meta(max_length=500, pattern=LINE_FEEDS, extra=LINES), NOT_BLANK, NOT_REVERSED]
Footer = Annotated[str, Meta(max_length=1000, pattern=LINE_FEEDS, extra=LINES), NOT_BLANK, NOT_REVERSED]
# Printed, and a link on the client's page: so no scheme but https, no user name, and nothing that needs quoting.
PrivacyUrl = Annotated[
    str,
    Meta(
        max_length=250,
        pattern=r"^https://[A-Za-z0-9](?:[A-Za-z0-9.\-]*[A-Za-z0-9])?(?::[0-9]{1,5})?(?:[\/?#][!#-;=?-_a-z~]*)?(?![\s\S])",
        extra={"detail": "Expected an address that begins with https://"},
    ),
]
Iban = Annotated[str, Meta(max_length=250, pattern=NO_CONTROL, extra=ONE_LINE), IBAN_RULE]
# The same with placeholders behind the host, which no client may choose.
PaymentLink = Annotated[
    str,
    Meta(
        max_length=500,
        pattern=r"^https://[A-Za-z0-9](?:[A-Za-z0-9.\-]*[A-Za-z0-9])?(?::[0-9]{1,5})?"
        r"(?:[\/?#](?:[!#-;=?-_a-z~]|\{(?:amount|currency|number)\})*)?(?![\s\S])",
        extra={"detail": "Expected an address that begins with https://, with {amount}, {currency} and {number}"},
    ),
]
SlipTerms = Annotated[str, Meta(max_length=400, pattern=LINE_FEEDS, extra=LINES), NOT_BLANK, NOT_REVERSED]
DEFAULT_VALID_DAYS = 30
PaymentDays = Annotated[int, Meta(ge=0, le=365)]
ExemptReason = Annotated[str, Meta(max_length=250, pattern=NO_CONTROL, extra=ONE_LINE), NOT_BLANK, NOT_REVERSED]
_PLACES = r"\{n\}|\{year\}|\{month\}"
InvoicePattern = Annotated[
    str,
    Meta(
        max_length=40,
        # `{n}` and `{year}` once each, `{month}` once at most, no other brace.
        pattern=rf"^(?=[^\{{\}}]*(?:\{{(?:year|month)\}}[^\{{\}}]*)*\{{n\}})(?=[^\{{\}}]*(?:\{{(?:n|month)\}}[^\{{\}}]*)*\{{year\}})"
        rf"(?!.*\{{n\}}.*\{{n\}})(?!.*\{{year\}}.*\{{year\}})(?!.*\{{month\}}.*\{{month\}})"
        rf"(?:[^\{{\}}\u0000-\u001F\u007F-\u009F]|{_PLACES})+" + END,
        extra={"detail": "Expected a text with {n} and {year}, and with {month} at most once"},
    ),
    NOT_REVERSED,
]
INVOICE_KINDS: tuple[Literal["invoice", "advance", "final", "correction"], ...] = (
    "invoice", "advance", "final", "correction",
)  # fmt: skip
_BEGINNINGS = zip(INVOICE_KINDS, ("FV", "ZAL", "FK", "KOR"), ("INV", "ADV", "FIN", "COR"), strict=True)
# The patterns of the numbers in Poland, and elsewhere.
USUAL_NUMBERS = {kind: (f"{polish} {{n}}/{{year}}", f"{other} {{n}}/{{year}}") for kind, polish, other in _BEGINNINGS}


class InvoiceNumbers(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The pattern of the numbers of each kind of invoices."""

    invoice: InvoicePattern | UnsetType = UNSET
    advance: InvoicePattern | UnsetType = UNSET
    final: InvoicePattern | UnsetType = UNSET
    correction: InvoicePattern | UnsetType = UNSET


class DocumentSettings(Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """Without `tax_percent` no tax is shown, unless `tax_kind` is no rate.
    Without `tax_label` it has the usual name of the locale.

    `valid_days` is how long an estimate is valid: 30 days if it is absent. With 0 no validity is stated. `tagline`,
    `terms` and `tax_label` are one text for documents in both languages, or one for each. `tax_kind`, `prices_shown`,
    `document_title`, `deposit_kind` and `withdrawal` are those of estimates without their own. A new estimate gets a
    copy of `prices_entered`: its prices keep their meaning when the settings change.
    """

    currency: Currency
    address: Address = ""
    phone: OptionalPhone = ""
    email: OptionalName = ""
    tax_id: OptionalName = ""
    footer: Footer = ""
    tax_percent: TaxPercent | UnsetType = UNSET
    tax_label: OptionalName | LocalizedLine | UnsetType = UNSET
    valid_days: ValidDays | UnsetType = UNSET
    iban: Iban | UnsetType = UNSET
    # Letterheads of companies state the court, number, office and capital.
    registration: Address | UnsetType = UNSET
    website: OptionalName | UnsetType = UNSET
    tagline: OptionalName | LocalizedLine | UnsetType = UNSET
    terms: LongText | LocalizedLines | UnsetType = UNSET
    # Absent only in a request, where it means the default.
    time_zone: TimeZone | UnsetType = UNSET
    paper_size: PaperSize = "A4"
    logo_file_id: Identifier | UnsetType = UNSET
    show_logo: bool = True
    opening_hours: OpeningHours | UnsetType = UNSET
    tax_kind: TaxKind | UnsetType = UNSET
    prices_shown: PricesShown | UnsetType = UNSET
    document_title: DocumentTitle | UnsetType = UNSET
    deposit_kind: DepositKind | UnsetType = UNSET
    withdrawal: Withdrawal | UnsetType = UNSET
    privacy_url: PrivacyUrl | UnsetType = UNSET
    payment_link: PaymentLink | UnsetType = UNSET
    country: Country | UnsetType = UNSET
    # A release that does not know this member rejects it, instead of adding the tax to prices that include it.
    prices_entered: PricesEntered | UnsetType = UNSET
    # Of the app: whether who is typed at an intake becomes a customer.
    keep_customers: bool | UnsetType = UNSET
    # What the slip says to a customer who leaves something.
    slip_terms: SlipTerms | UnsetType = UNSET
    invoice_numbers: InvoiceNumbers | UnsetType = UNSET
    payment_days: PaymentDays | UnsetType = UNSET
    exempt_reason: ExemptReason | UnsetType = UNSET

    def field_errors(self) -> list[FieldError]:
        errors = shown_net_errors(self.prices_entered, self.prices_shown)
        if self.iban and polish_iban(self.iban) and self.phone_country != "PL":
            errors.append(FieldError("/iban", IBAN_RULE.code, IBAN_RULE.detail))
        patterns: dict[str, str] = {}
        for kind in INVOICE_KINDS:
            pattern = self.invoice_pattern(kind)
            if pattern in patterns:
                detail = f"Invoices of the kind {patterns[pattern]} have the same numbers"
                errors.append(FieldError(f"/invoiceNumbers/{kind}", "duplicate", detail))
            patterns[pattern] = kind
        return errors

    def invoice_pattern(self, kind: Literal["invoice", "advance", "final", "correction"]) -> str:
        """The pattern of the numbers of a kind of invoices."""
        own = UNSET if self.invoice_numbers is UNSET else getattr(self.invoice_numbers, kind)
        polish, other = USUAL_NUMBERS[kind]
        return str(own) if own is not UNSET else polish if self.phone_country == "PL" else other

    def with_clean_iban(self) -> "DocumentSettings":
        """With the account as banks print it, where it came with more than spaces or without its country."""
        iban = self.iban or ""
        if not iban or is_iban("".join(iban.split()).upper()):
            return self
        whole = polish_iban(iban) or normalized_iban(iban)
        return replace(self, iban=" ".join(whole[at : at + 4] for at in range(0, len(whole), 4)))

    def today(self, now: Instant) -> date:
        """The date at `now` in the time zone of the workshop."""
        return local_date(now, self.zone)

    @property
    def phone_country(self) -> str | None:
        """The country as whose phone numbers are read: the złoty is the money of one country alone."""
        if self.country is not UNSET:
            return self.country
        return "PL" if self.currency == "PLN" else None

    @property
    def zone(self) -> str:
        """The time zone of the workshop."""
        return "UTC" if self.time_zone is UNSET else self.time_zone


def shown_net_errors(
    prices_entered: PricesEntered | UnsetType, prices_shown: PricesShown | UnsetType
) -> list[FieldError]:
    """An error if prices that were entered with tax are to be shown without it."""
    if (prices_entered, prices_shown) != ("gross", "net"):
        return []
    return [FieldError("/pricesShown", "conflict", "Prices that are entered with tax are shown with tax")]


def default_settings(locale: UserLocale) -> DocumentSettings:
    """The settings of a new workshop, by the locale of its owner."""
    return DocumentSettings(currency="PLN" if locale == "pl" else "EUR", time_zone=default_time_zone(locale))


def unknown_logo(settings: DocumentSettings, icon_ids: set[str]) -> list[FieldError]:
    """An error if the logo is not an image of the workshop."""
    if settings.logo_file_id is UNSET or settings.logo_file_id in icon_ids:
        return []
    return [FieldError("/logoFileId", "unknown", "The workshop has no such image")]


# Statements


class _Row(Struct, frozen=True):
    document_settings: DocumentSettings


async def find(db: Read, workshop_id: str) -> DocumentSettings:
    """Raises NotFound."""
    row = await db.one(_Row, "SELECT document_settings FROM workshops WHERE id = :id", id=workshop_id)
    if row is None:
        raise NotFound
    return row.document_settings


async def save(db: Write, workshop_id: str, settings: DocumentSettings) -> bool:
    """Whether they differ from those that the workshop had; if not, nothing is written."""
    changed = await db.run(
        "UPDATE workshops SET document_settings = :settings WHERE id = :id AND document_settings <> :settings",
        id=workshop_id,
        settings=to_json_text(settings),
    )
    return changed > 0


def contact(settings: DocumentSettings) -> list[str]:
    hours = "" if settings.opening_hours is UNSET else settings.opening_hours
    return [line for text in (settings.address, settings.phone, hours) for line in text.split("\n") if line.strip()]
