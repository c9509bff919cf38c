"""Files of invoices pass the rules of those who made the formats, with the figures of the revision."""

import random
from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from typing import Any, get_args

import pytest
from lxml import etree  # type: ignore[import-untyped]
from msgspec import UNSET, structs

from backbench.documents.figures import Rates
from backbench.documents.invoice_xml import missing_facts, xml_of
from backbench.documents.invoices import (
    AdvanceRef,
    Buyer,
    Corrected,
    EnteredLine,
    Figures,
    InvoiceDocument,
    InvoiceFormat,
    Seller,
    advance,
    as_entered,
    difference,
    less,
    less_advances,
    of_lines,
    of_revision,
    sums_of,
)
from backbench.estimating.line_items import LineItem
from backbench.values.currencies import minor_digits
from backbench.values.enums import LineItemUnit, PaymentMethod
from backbench.values.money import Totals, plain, total
from backbench.values.numbers import Number
from backbench.values.taxes import Tax
from tests.documents.generated_documents import process
from tests.support.invoice_rules import broken_rules
from tests.support.run.engines import runs_all
from tests.support.violations import violations

FORMATS: tuple[InvoiceFormat, ...] = get_args(InvoiceFormat)
SELLER = Seller(
    name="Stolarnia Kowalska & Synowie <Dębowa>",
    address="ul. Młyńska 14\n33-300 Nowy Sącz",
    country="PL",
    tax_id="734-293-88-41",
    registration="Sąd Rejonowy w Nowym Sączu\nKRS 0000123456",
    email="biuro@kowalska.example",
    phone="+48 600 100 200",
    iban="PL61 1090 1014 0000 0712 1981 2874",
)
BUYERS = (
    Buyer(name="Meblex sp. z o.o.", address="ul. Polna 7\n05-500 Piaseczno", country="PL", tax_id="5252248481"),
    Buyer(name="Łucja Żak", is_consumer=True),
    Buyer(name="Holz GmbH", address="Hauptstraße 1\n10115 Berlin", country="DE", tax_id="DE123456789"),
    Buyer(name="Oak & Ash Ltd", address="1 High Street\nLeeds\nLS1 4AP", country="GB", tax_id="GB999999973"),
)
RATES = [Tax(Decimal(percent)) for percent in (23, 8, 5, 0)]


class Job:
    """A revision with its figures, as its documents print them."""

    def __init__(self, number: random.Random) -> None:
        kind: Any = number.choice(["rates", "rates", "rates", "exempt", "reverse_charge", "outside", "mixed", "none"])
        of_kinds: dict[str, list[Any]] = {
            "rates": number.sample(RATES, number.randint(1, 3)),
            "mixed": [*number.sample(RATES, 2), Tax("exempt")],
            "none": [None],
        }
        taxes = of_kinds.get(kind) or [Tax(kind)]
        self.taxes = taxes
        most = number.choice([1, 3, 8, 30, 120]) if kind == "rates" else number.choice([1, 3, 8])
        self.items = [
            LineItem(
                str(at),
                number.choice(["Blat dębowy", "Praca", "Okucia <para> & śruby", "Transport"]),
                number.choice(get_args(LineItemUnit)),
                Number(Decimal(number.randint(1, 400_000)).scaleb(-2)),
                Number(Decimal(number.choice([1, 1, 2, 7, 12, 0])) + Decimal(number.choice([0, 0, 25, 5])).scaleb(-2)),
            )
            for at in range(number.randint(1, most))
        ]
        percents = [Decimal(0), Decimal(0), Decimal(10), Decimal("12.5"), Decimal("33.3333")]
        shown: Any
        entered: Any
        shown, entered = number.choice([("net", "net"), ("gross", "net"), ("gross", "gross")])
        usual, line_taxes = taxes[0], {}
        if len(taxes) > 1:
            line_taxes = {item.id: number.choice(taxes) for item in self.items}
        self.rates = Rates(
            number.choice(percents),
            number.choice(percents[:4]),
            None if usual is None else usual.percent,
            "",
            line_taxes,
            tax_kind="rate" if usual is None or usual.kind is None else usual.kind,
            prices=shown,
            entered=entered,
        )
        self.currency = number.choice(["PLN", "PLN", "EUR", "JPY"])
        self.toggles = {"show_markup": number.random() < 0.4, "show_discount": number.random() < 0.5}
        self.method: Any = number.choice([None, *get_args(PaymentMethod)])
        self.buyer = number.choice(BUYERS if kind != "reverse_charge" else [BUYERS[0], BUYERS[2]])

    @property
    def totals(self) -> Totals:
        return total(
            self.items,
            markup_percent=self.rates.markup,
            discount_percent=self.rates.discount,
            tax_percent=self.rates.tax,
            currency=self.currency,
            tax_kind=self.rates.tax_kind,
            line_taxes=self.rates.line_taxes,
            prices_entered=self.rates.entered,
            tax_label="VAT",
            computed=self.rates.prices,
        )

    @property
    def figures(self) -> Figures:
        return of_revision(self.items, self.totals, self.rates, **self.toggles)

    def document(self, figures: Figures, kind: Any = "invoice", **others: Any) -> InvoiceDocument:
        return InvoiceDocument(
            id="an invoice",
            kind=kind,
            currency=self.currency,
            seller=SELLER,
            buyer=self.buyer,
            figures=figures,
            number=f"{kind} 12/2026",
            issue_date=date(2026, 11, 29),
            sale_date=date(2026, 11, 20),
            due_date=date(2026, 12, 13),
            method=self.method,
            notes="Dziękujemy.\nDo zobaczenia!",
            exempt_reason="art. 113 ust. 1 ustawy o VAT",
            issued_at="2026-11-29T10:15:00.000Z",
            **others,
        )


def invoices_of(job: Job, number: random.Random) -> Iterator[InvoiceDocument]:
    """The invoice of the whole; an advance, what is left of it, and a correction of that."""
    whole = job.figures
    yield job.document(whole)
    least = Decimal(1).scaleb(-minor_digits(job.currency))
    share = (whole.total * Decimal(number.randint(1, 99)) / 100).quantize(least)
    if not share:
        return
    paid = advance(whole, share, job.currency, "Zaliczka")
    assert sum(line.amount for line in paid.lines) == (paid.total if paid.prices_shown == "gross" else paid.net)
    assert paid.total == share
    yield job.document(paid, "advance", ordered=whole)
    left = less_advances(whole, [paid])
    assert left.total + paid.total == whole.total
    advances = [AdvanceRef("an advance", "advance 1/2026", paid.total)]
    yield job.document(left, "final", advances=advances)
    # With markup and discount inside the lines.
    lines = as_entered(of_revision(job.items, job.totals, job.rates, show_markup=False, show_discount=False))
    same = less(entered(job, lines, left), left.deducted, left.deducted_net + 0, left.deducted_tax + 0)
    # A correction that changes nothing has the figures that it began with.
    assert sums_of(same) == sums_of(left)
    fewer = [structs.replace(line, quantity=Number(line.quantity // 2)) for line in lines]
    after = less(entered(job, fewer, left), left.deducted, left.deducted_net + 0, left.deducted_tax + 0)
    sums = sums_of(left)
    corrects = Corrected(
        "an invoice", "final 12/2026", "Za dużo", "2026-11-28", "final", sums, difference(sums, sums_of(after))
    )
    yield job.document(after, "correction", advances=advances, corrects=corrects, lines_before=left)
    if number.random() < 0.5:
        yield from over_another_tax(job, number, whole, share)


def over_another_tax(job: Job, number: random.Random, whole: Figures, share: Decimal) -> Iterator[InvoiceDocument]:
    """What is left of the whole by an advance of another tax, or of none; and that tax corrected to the job's."""
    tax = number.choice([*RATES, None, Tax("exempt"), Tax("reverse_charge"), Tax("outside")])
    line = EnteredLine(id="1", label="Blat", unit="job", unit_price=plain(share), quantity=Number(1))
    earlier = of_lines([line], currency=job.currency, prices=whole.prices_shown, tax=tax, label="VAT")
    paid = advance(earlier, share, job.currency, "Zaliczka")
    advances = [AdvanceRef("an advance", "advance 1/2026", paid.total)]
    yield job.document(less_advances(whole, [paid]), "final", advances=advances)
    sums = sums_of(earlier)
    after = sums_of(whole)
    corrects = Corrected("an invoice", "1/2026", "Stawka", "2026-11-28", "invoice", sums, difference(sums, after))
    yield job.document(whole, "correction", corrects=corrects, lines_before=earlier)


def entered(job: Job, lines: list[EnteredLine], like: Figures) -> Figures:
    return of_lines(lines, currency=job.currency, prices=like.prices_shown, tax=None, label="VAT")


def check(first: int, count: int) -> dict[InvoiceFormat, int]:
    """How many files of each format were made."""
    made = dict.fromkeys(FORMATS, 0)
    with violations() as case:
        for seed in range(first, first + count):
            number = random.Random(seed)
            job = Job(number)
            with case(f"seed {seed}"):
                for invoice in invoices_of(job, number):
                    check_figures(job, invoice)
                    for format_ in FORMATS:
                        if not missing_facts(invoice, format_):
                            xml = xml_of(invoice, format_)
                            assert xml == xml_of(invoice, format_)
                            made[format_] += 1
                            assert broken_rules(xml, format_) == [], f"{invoice.kind} as {format_}"
    return made


def check_figures(job: Job, invoice: InvoiceDocument) -> None:
    figures = invoice.figures
    assert figures.net + figures.tax == figures.total
    assert sum(part.amount for part in figures.taxes) == figures.tax
    untaxed = figures.deducted_net - sum(part.net for part in figures.deducted)
    if figures.taxes and figures.lines[0].tax is not UNSET:
        assert sum(part.net for part in figures.taxes) == figures.net + untaxed
    if invoice.kind == "invoice":
        assert figures.total == job.totals.total
        assert figures.net == job.totals.net
        shown = figures.total if figures.prices_shown == "gross" else figures.net
        assert figures.subtotal + figures.markup - figures.discount == shown
        assert sum(line.amount for line in figures.lines) == figures.subtotal


def test_some_invoices_pass_the_rules_of_each_format() -> None:
    """Those of nine jobs, and a hundred of 26 in a run of all tests; ten thousand in `make prove`."""
    jobs = 26 if runs_all() else 9
    made = check(0, jobs)
    assert min(made.values()) > jobs * 1.5
    assert sum(made.values()) > jobs * 7.5


@pytest.mark.prove
@pytest.mark.parametrize("part", range(10))
def test_ten_thousand_revisions_pass_the_rules_of_each_format(part: int) -> None:
    made = check(1_000 + part * 1_000, 1_000)
    assert min(made.values()) > 1_000


def test_a_broken_file_is_found() -> None:
    job = Job(random.Random(1))
    job.currency, job.rates, job.buyer = "PLN", Rates(Decimal(0), Decimal(0), Decimal(23)), BUYERS[0]
    invoice = job.document(job.figures)
    for format_ in FORMATS[:2]:
        more = structs.replace(invoice.figures, total=plain(invoice.figures.total + 1))
        wrong = structs.replace(invoice, figures=more)
        assert any("BR-CO-15" in rule for rule in broken_rules(xml_of(wrong, format_), format_))
    assert broken_rules(xml_of(invoice, "fa3").replace(b"<P_15>", b"<P_16>").replace(b"</P_15>", b"</P_16>"), "fa3")


@pytest.mark.parametrize(
    ("changes", "format_", "pointer"),
    [
        ({"seller": structs.replace(SELLER, country=UNSET)}, "cii", "/seller/country"),
        ({"seller": structs.replace(SELLER, tax_id=UNSET)}, "ubl", "/seller/taxId"),
        ({"seller": structs.replace(SELLER, tax_id="DE123456789")}, "fa3", "/seller/taxId"),
        ({"seller": structs.replace(SELLER, address=UNSET)}, "fa3", "/seller/address"),
        ({"buyer": structs.replace(BUYERS[0], country=UNSET)}, "cii", "/buyer/country"),
        ({"currency": "KWD"}, "cii", "/currency"),
        ({"currency": "EUR"}, "fa3", "/currency"),
    ],
)
def test_what_a_format_lacks_is_named(changes: dict[str, Any], format_: Any, pointer: str) -> None:
    job = Job(random.Random(1))
    job.currency, job.rates, job.buyer = "PLN", Rates(Decimal(0), Decimal(0), Decimal(23)), BUYERS[0]
    invoice = structs.replace(job.document(job.figures), **changes)
    assert [each.pointer for each in missing_facts(invoice, format_)] == [pointer]


DRAFTS = 600
TAXES: list[list[Tax | None]] = [
    [Tax(Decimal(23))],
    [Tax(Decimal(8)), Tax("exempt")],
    [Tax(Decimal(23)), Tax("reverse_charge")],
    [Tax("outside")],
    [Tax(Decimal(23)), Tax("outside")],
    [Tax(Decimal("13.5"))],
    [None],
]
TAX_IDS = ["7342938841", "NIP: 734-293-88-41", "PL 734 293 88 41", "VAT no. PL7342938841", "734293884", "DE123456789"]


def draft(number: random.Random) -> InvoiceDocument:
    """A draft that lacks some of its facts."""

    def some(*values: str) -> Any:
        return number.choice([UNSET, *values])

    job = Job(number)
    job.currency = number.choice(["PLN", "PLN", "EUR", "EUR", "KWD"])
    taxes = number.choice(TAXES)
    usual = taxes[0]
    job.items = [LineItem(str(at), "Blat", "piece", Number(100), Number(1)) for at in range(len(taxes))]
    job.rates = Rates(
        Decimal(0),
        Decimal(0),
        None if usual is None else usual.percent,
        line_taxes={str(at): tax for at, tax in enumerate(taxes) if tax is not None},
        tax_kind="rate" if usual is None or usual.kind is None else usual.kind,
    )
    seller = Seller(
        name="Stolarnia",
        address=some(" ", "ul. Polna 7\n05-500 Piaseczno"),
        country=some("PL"),
        tax_id=some(*TAX_IDS),
        registration=some("KRS 0000123456"),
    )
    buyer = Buyer(
        name=number.choice([" ", "Meblex"]),
        country=some("PL"),
        tax_id=some("5252248481"),
        is_consumer=number.random() < 0.5,
    )
    exempt = number.choice(["", "art. 113"])
    return structs.replace(job.document(job.figures), seller=seller, buyer=buyer, exempt_reason=exempt)


def test_the_app_names_the_facts_that_a_draft_lacks_without_asking_the_server() -> None:
    number = random.Random(1)
    found = set()
    with process("unit/lacking_process.js") as ask:
        for _ in range(DRAFTS):
            invoice = draft(number)
            named = ask(
                {
                    "invoice": {
                        "seller": invoice.seller,
                        "buyer": invoice.buyer,
                        "lines": invoice.figures.lines,
                        "currency": invoice.currency,
                    },
                    "exemptReason": invoice.exempt_reason,
                }
            )
            format_: InvoiceFormat = "fa3" if invoice.currency == "PLN" else "cii"
            missing = {each.pointer for each in missing_facts(invoice, format_)}
            # No format needs it, but a company wants it.
            wanted = {"/buyer/taxId"} if not invoice.buyer.tax_id and not invoice.buyer.is_consumer else set()
            assert set(named) == missing | wanted, invoice
            found |= missing
    assert len(found) == 11


def test_outside_of_the_tax_is_alone_and_exempt_has_a_reason() -> None:
    job = Job(random.Random(1))
    job.currency, job.buyer = "PLN", BUYERS[0]
    job.items = [LineItem(str(at), "Blat", "piece", Number(100), Number(1)) for at in range(2)]
    job.rates = Rates(Decimal(0), Decimal(0), Decimal(23), line_taxes={"1": Tax("outside")})
    invoice = job.document(job.figures)
    assert [each.pointer for each in missing_facts(invoice, "ubl")] == ["/lines/1/tax"]
    assert missing_facts(invoice, "fa3") == []
    job.rates = Rates(Decimal(0), Decimal(0), None, tax_kind="exempt")
    without = structs.replace(job.document(job.figures), exempt_reason="")
    assert [each.pointer for each in missing_facts(without, "fa3")] == ["/exemptReason"]
    job.rates = Rates(Decimal(0), Decimal(0), Decimal("13.5"))
    assert [each.pointer for each in missing_facts(job.document(job.figures), "fa3")] == [
        "/lines/0/tax",
        "/lines/1/tax",
    ]


def test_a_file_says_the_same_as_the_invoice() -> None:
    job = Job(random.Random(1))
    job.currency, job.buyer, job.rates = "PLN", BUYERS[0], Rates(Decimal(10), Decimal(5), Decimal(23))
    job.toggles = {"show_markup": True, "show_discount": True}
    invoice = job.document(job.figures)
    ubl = etree.fromstring(xml_of(invoice, "ubl"))
    fa3 = etree.fromstring(xml_of(invoice, "fa3"))
    assert Decimal(ubl.findtext(".//{*}PayableAmount")) == invoice.figures.total
    assert Decimal(fa3.findtext(".//{*}P_15")) == invoice.figures.total
    assert Decimal(fa3.findtext(".//{*}P_13_1")) == invoice.figures.net
    assert [each.text for each in ubl.findall("{*}AllowanceCharge/{*}AllowanceChargeReason")] == ["Markup", "Discount"]
    net = sum(Decimal(each.text) for each in fa3.findall(".//{*}P_11"))
    assert net == invoice.figures.net


def test_what_advances_leave_of_whole_units_may_be_no_file() -> None:
    """A tax of 1192 yen is 1 less than 23% of 5187. Figures stay as they were agreed; the rules allow less than 1."""
    number = random.Random(1991)
    job = Job(number)
    [left] = [invoice for invoice in invoices_of(job, number) if invoice.kind == "final"]
    assert job.currency == "JPY"
    assert any("BR-CO-17" in rule for rule in broken_rules(xml_of(left, "cii"), "cii"))
    assert [each.pointer for each in missing_facts(left, "cii")] == ["/currency"]


@pytest.mark.parametrize(
    ("tax_id", "country", "vat_id"),
    [
        ("NIP 734-293-88-41", "PL", "PL7342938841"),
        ("NIP: PL 734 293 88 41", "PL", "PL7342938841"),
        ("734-293-88-41", "PL", "PL7342938841"),
        ("VAT no. IE 1111111L", "IE", "IE1111111L"),
        ("USt-IdNr. DE123456789", "DE", "DE123456789"),
    ],
)
def test_a_tax_id_with_its_name_is_stated_without_it(tax_id: str, country: str, vat_id: str) -> None:
    job = Job(random.Random(1))
    job.currency, job.rates = "PLN", Rates(Decimal(0), Decimal(0), Decimal(23))
    job.buyer = structs.replace(BUYERS[0], tax_id=tax_id, country=country)
    invoice = job.document(job.figures)
    assert vat_id in [each.text for each in etree.fromstring(xml_of(invoice, "ubl")).findall(".//{*}CompanyID")]
    ids = [
        each.text
        for name in ("NIP", "NrVatUE")
        for each in etree.fromstring(xml_of(invoice, "fa3")).iter(f"{{*}}{name}")
    ]
    assert vat_id[2:] in ids
