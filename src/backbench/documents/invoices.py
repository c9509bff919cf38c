"""Invoices: their parties and figures. What a PDF and a file show of an invoice is here, and needs no further rule.

The figures of an invoice are those of the revision that a client has accepted, to the minor unit: its printed lines and
sums, with a hidden markup or discount in the lines. Every sum is made here; files and PDF only write it down.
"""

from collections.abc import Sequence
from datetime import date
from decimal import Decimal, localcontext
from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType, structs

from backbench.documents.documents import Letterhead
from backbench.documents.figures import Rates, document_figures
from backbench.documents.tax_groups import Item
from backbench.values.countries import Country
from backbench.values.currencies import minor_unit
from backbench.values.enums import DocumentLocale, LineItemUnit, PaperSize, PaymentMethod, PricesShown
from backbench.values.money import EXACT, TaxAmount, Totals, allocated, plain, rounded, total
from backbench.values.numbers import Number
from backbench.values.scalars import LINE_FEEDS, LINES, NOT_BLANK, NOT_REVERSED, Name, OptionalName
from backbench.values.taxes import Tax, taxes_of_lines

InvoiceKind = Literal["invoice", "advance", "final", "correction"]
InvoiceFormat = Literal["cii", "ubl", "fa3"]
Address = Annotated[str, Meta(max_length=500, pattern=LINE_FEEDS, extra=LINES), NOT_BLANK, NOT_REVERSED]


class InvoiceQuery(Struct, frozen=True):
    """The caller's language unless another is named."""

    locale: DocumentLocale | UnsetType = UNSET


class XmlQuery(Struct, frozen=True):
    format: InvoiceFormat = "cii"


class Seller(Struct, frozen=True, rename="camel", omit_defaults=True):
    """The workshop, as it was when the invoice was issued."""

    name: str
    address: str | UnsetType = UNSET
    country: str | UnsetType = UNSET
    tax_id: str | UnsetType = UNSET
    registration: str | UnsetType = UNSET
    email: str | UnsetType = UNSET
    phone: str | UnsetType = UNSET
    iban: str | UnsetType = UNSET


class NewBuyer(Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """Without `is_consumer`, somebody without a tax id is one."""

    name: Name
    address: Address | UnsetType = UNSET
    country: Country | UnsetType = UNSET
    tax_id: OptionalName | UnsetType = UNSET
    email: OptionalName | UnsetType = UNSET
    is_consumer: bool | UnsetType = UNSET


class Buyer(Struct, frozen=True, rename="camel", omit_defaults=True):
    name: str
    address: str | UnsetType = UNSET
    country: str | UnsetType = UNSET
    tax_id: str | UnsetType = UNSET
    email: str | UnsetType = UNSET
    is_consumer: bool = False


class InvoiceLine(Struct, frozen=True, rename="camel", kw_only=True):
    """A line as it is printed. `unit_price` is absent where no price of four decimals gives the amount."""

    label: str
    unit: LineItemUnit
    quantity: Number
    unit_price: Number | UnsetType = UNSET
    amount: Number
    tax: Tax | UnsetType = UNSET


class EnteredLine(Struct, frozen=True, kw_only=True):
    """A line that a person has entered. It is found by `id` in a table of taxes."""

    id: str
    label: str
    unit: LineItemUnit
    unit_price: Number
    quantity: Number
    tax: Tax | UnsetType = UNSET


class Figures(Struct, frozen=True, kw_only=True):
    """Lines add up to `subtotal`; with markup and discount it is `net`, where prices are shown gross `total`.

    `deducted` is what issued advances had of each tax: it is not in `taxes`, `net`, `tax` and `total` any more.
    """

    prices_shown: PricesShown
    lines: list[InvoiceLine]
    taxes: list[TaxAmount]
    subtotal: Number
    markup: Number
    discount: Number
    net: Number
    tax: Number
    total: Number
    deducted: list[TaxAmount] = []
    deducted_net: Number = Number(0)
    deducted_tax: Number = Number(0)

    @property
    def is_nothing(self) -> bool:
        """Of an invoice that was corrected to nothing: no line has a quantity, at any price."""
        return not any(line.quantity for line in self.lines)


class InvoiceBasis(Struct, frozen=True, rename="camel"):
    """The revision that the figures are from. `number` is that of its documents."""

    estimate_id: str
    revision_number: int
    number: str


class AdvanceRef(Struct, frozen=True, rename="camel"):
    invoice_id: str
    number: str
    total: Number


class CorrectionSums(Struct, frozen=True):
    net: Number
    tax: Number
    total: Number
    taxes: list[TaxAmount]


class Corrected(Struct, frozen=True, rename="camel"):
    """The invoice that is corrected, its sums before, and what the correction adds to them; negative is given back."""

    invoice_id: str
    number: str
    reason: str
    issue_date: str
    kind: InvoiceKind
    before: CorrectionSums
    difference: CorrectionSums


class InvoiceDocument(Struct, frozen=True, kw_only=True):
    """An issued invoice, or a draft without `number` and `issue_date`: everything that files and PDF show of it."""

    id: str
    kind: InvoiceKind
    currency: str
    seller: Seller
    buyer: Buyer
    figures: Figures
    number: str = ""
    issue_date: date | None = None
    sale_date: date | None = None
    due_date: date | None = None
    method: PaymentMethod | None = None
    notes: str = ""
    exempt_reason: str = ""
    basis: InvoiceBasis | None = None
    advances: list[AdvanceRef] = []
    corrects: Corrected | None = None
    # Of a correction, what it corrects; of an advance, what it is for.
    lines_before: Figures | None = None
    ordered: Figures | None = None
    issued_at: str = ""

    @property
    def corrected_kind(self) -> InvoiceKind:
        """What it is, or what it corrects."""
        return self.kind if self.corrects is None else self.corrects.kind


def tax_of_part(part: TaxAmount) -> Tax:
    return Tax(part.percent if part.kind is UNSET else part.kind)  # type: ignore[arg-type]  # one of the two is there


def taxes_of(totals: Totals, taxes: Sequence[Tax | None], label: str) -> list[TaxAmount]:
    """The table of taxes with an entry for each, also where there is one alone; empty without a tax."""
    if totals.taxes is not UNSET:
        return totals.taxes
    tax = next((tax for tax in taxes if tax is not None), None)
    if tax is None or totals.tax is UNSET:
        return []
    if tax.kind is not None:
        return [TaxAmount(kind=tax.kind, net=totals.net, amount=totals.tax)]
    return [TaxAmount(label=label, percent=plain(tax.rate), net=totals.net, amount=totals.tax)]


def of_revision(
    items: Sequence[Item], totals: Totals, rates: Rates, *, show_markup: bool, show_discount: bool
) -> Figures:
    """The figures of a revision as its documents print them. Options are not sold, and are left out."""
    if rates.adds_taxes:
        # An earlier release found gross prices for net totals: the net ones are exact.
        rates = structs.replace(rates, prices="net")
    lines, sums = document_figures(items, totals, rates, show_markup=show_markup, show_discount=show_discount)
    taxes = rates.of_lines(items)
    printed = [
        InvoiceLine(
            label=line.label,
            unit=line.unit,
            quantity=Number(line.quantity),
            unit_price=UNSET if line.unit_price is None else plain(line.unit_price),
            amount=plain(line.amount),
            tax=UNSET if tax is None else tax,
        )
        for line, tax in zip(lines, taxes, strict=False)
        if line.quantity
    ]
    sold = {line.tax for line in printed}
    return Figures(
        prices_shown="gross" if sums.is_gross else "net",
        lines=printed,
        # A tax of options alone has no line.
        taxes=[part for part in taxes_of(totals, taxes, rates.tax_label or "VAT") if tax_of_part(part) in sold],
        subtotal=plain(sums.subtotal),
        markup=Number(0) if sums.markup is None else plain(sums.markup.amount),
        discount=Number(0) if sums.discount is None else plain(sums.discount.amount),
        net=plain(totals.net + 0),
        tax=Number(0) if totals.tax is UNSET else totals.tax,
        total=plain(totals.total + 0),
    )


def of_lines(
    lines: Sequence[EnteredLine], *, currency: str, prices: PricesShown, tax: Tax | None, label: str
) -> Figures:
    """The figures of entered lines, whose prices are with their tax where `prices` are gross."""
    line_taxes = {line.id: line.tax for line in lines if line.tax is not UNSET}
    kind = "rate" if tax is None or tax.kind is None else tax.kind
    totals = total(
        lines,
        markup_percent=Decimal(0),
        discount_percent=Decimal(0),
        tax_percent=None if tax is None else tax.percent,
        currency=currency,
        tax_kind=kind,
        line_taxes=line_taxes,
        tax_label=label,
        prices_entered=prices,
        computed=prices,
    )
    taxes = taxes_of_lines(lines, tax, line_taxes)
    return Figures(
        prices_shown=prices,
        lines=[
            InvoiceLine(
                label=line.label,
                unit=line.unit,
                quantity=line.quantity,
                unit_price=line.unit_price,
                amount=entry.amount,
                tax=UNSET if of_line is None else of_line,
            )
            for line, entry, of_line in zip(lines, totals.lines, taxes, strict=False)
        ],
        taxes=taxes_of(totals, taxes, label),
        subtotal=totals.subtotal,
        markup=Number(0),
        discount=Number(0),
        net=totals.net,
        tax=Number(0) if totals.tax is UNSET else totals.tax,
        total=totals.total,
    )


def advance(whole: Figures, amount: Decimal, currency: str, label: str) -> Figures:
    """A line for each tax of the whole, in proportion to its gross, which add up to `amount`."""
    unit, is_gross = minor_unit(currency), whole.prices_shown == "gross"
    with localcontext(EXACT):
        parts: list[TaxAmount | None] = list(whole.taxes) or [None]
        gross = [Decimal(1) if part is None else part.net + part.amount for part in parts]
        lines, taxes = [], []
        for part, share in zip(parts, allocated(gross, amount, currency), strict=True):
            if not share:
                continue
            tax = None if part is None else tax_of_part(part)
            of_tax = Decimal(0) if tax is None else rounded(share * tax.rate / (100 + tax.rate), unit)
            price = plain(share if is_gross else share - of_tax)
            lines.append(
                InvoiceLine(
                    label=label,
                    unit="job",
                    quantity=Number(1),
                    unit_price=price,
                    amount=price,
                    tax=UNSET if tax is None else tax,
                )
            )
            if part is not None:
                taxes.append(structs.replace(part, net=plain(share - of_tax), amount=plain(of_tax)))
        of_taxes = sum((part.amount for part in taxes), Decimal(0))
        return Figures(
            prices_shown=whole.prices_shown,
            lines=lines,
            taxes=taxes,
            subtotal=plain(sum((line.amount for line in lines), Decimal(0))),
            markup=Number(0),
            discount=Number(0),
            net=plain(amount - of_taxes),
            tax=plain(of_taxes),
            total=plain(amount),
        )


def less_advances(whole: Figures, advances: Sequence[Figures]) -> Figures:
    """What issued advances leave of the figures, tax by tax."""
    with localcontext(EXACT):
        return less(
            whole,
            [part for each in advances for part in each.taxes],
            sum((each.net for each in advances), Decimal(0)),
            sum((each.tax for each in advances), Decimal(0)),
        )


def less(whole: Figures, parts: Sequence[TaxAmount], net: Decimal, tax: Decimal) -> Figures:
    """The figures less `parts` of taxes, which have this net sum and tax together."""
    with localcontext(EXACT):
        sums: dict[Tax, tuple[Decimal, Decimal]] = {}
        for part in parts:
            of_net, of_tax = sums.get(tax_of_part(part), (Decimal(0), Decimal(0)))
            sums[tax_of_part(part)] = of_net + part.net, of_tax + part.amount
        labels = {tax_of_part(part): part for part in (*parts, *whole.taxes)}
        left = {tax_of_part(part): (part.net + 0, part.amount + 0) for part in whole.taxes}
        for of, (of_net, of_tax) in sums.items():
            before_net, before_tax = left.get(of, (Decimal(0), Decimal(0)))
            left[of] = before_net - of_net, before_tax - of_tax
        return structs.replace(
            whole,
            taxes=[_part(labels[of], *left[of]) for of in sorted(left, key=lambda tax: tax.order)],
            net=plain(whole.net - net),
            tax=plain(whole.tax - tax),
            total=plain(whole.total - net - tax),
            deducted=[_part(labels[of], *sums[of]) for of in sorted(sums, key=lambda tax: tax.order)],
            deducted_net=plain(net),
            deducted_tax=plain(tax),
        )


def _part(like: TaxAmount, net: Decimal, amount: Decimal) -> TaxAmount:
    return structs.replace(like, net=plain(net), amount=plain(amount))


def as_entered(figures: Figures) -> list[EnteredLine]:
    """The lines as a person would enter them. One without a price is a job for its amount."""
    found = []
    for at, line in enumerate(figures.lines, 1):
        has_price = line.unit_price is not UNSET
        found.append(
            EnteredLine(
                id=str(at),
                label=line.label,
                unit=line.unit if has_price else "job",
                quantity=line.quantity if has_price else Number(1),
                unit_price=line.unit_price if line.unit_price is not UNSET else line.amount,
                tax=line.tax,
            )
        )
    return found


def corrected(
    before: Figures,
    of_before: Sequence[EnteredLine],
    lines: Sequence[EnteredLine],
    *,
    currency: str,
    tax: Tax | None,
    label: str,
) -> Figures:
    """The figures of `lines`, which are entered in the place of `of_before`, the lines of what is corrected.

    A tax of which no line has another price or quantity keeps its sums: an advance has the amount that was asked for,
    which no net price may give.
    """
    figures = of_lines(lines, currency=currency, prices=before.prices_shown, tax=tax, label=label)
    prices_before = _prices_by_tax(of_before, [line.tax for line in of_before])
    prices = _prices_by_tax(lines, [line.tax for line in figures.lines])
    with localcontext(EXACT):
        sums = {tax_of_part(part): (part.net + 0, part.amount + 0) for part in before.taxes}
        for part in before.deducted:
            net, amount = sums.get(tax_of_part(part), (Decimal(0), Decimal(0)))
            sums[tax_of_part(part)] = net + part.net, amount + part.amount
        taxes = []
        for part in figures.taxes:
            of = tax_of_part(part)
            is_same = of in sums and prices[of] == prices_before.get(of)
            taxes.append(_part(part, *sums[of]) if is_same else part)
        net = figures.net + sum(
            (kept.net - part.net for kept, part in zip(taxes, figures.taxes, strict=True)), Decimal(0)
        )
        of_taxes = sum((part.amount for part in taxes), Decimal(0))
        return structs.replace(figures, taxes=taxes, net=plain(net), tax=plain(of_taxes), total=plain(net + of_taxes))


def _prices_by_tax(
    lines: Sequence[EnteredLine], taxes: Sequence[Tax | UnsetType]
) -> dict[Tax | UnsetType, list[tuple[Number, Number]]]:
    found: dict[Tax | UnsetType, list[tuple[Number, Number]]] = {}
    for line, tax in zip(lines, taxes, strict=True):
        found.setdefault(tax, []).append((line.unit_price, line.quantity))
    return {tax: sorted(prices) for tax, prices in found.items()}


def sums_of(figures: Figures) -> CorrectionSums:
    return CorrectionSums(figures.net, figures.tax, figures.total, figures.taxes)


def difference(before: CorrectionSums, after: CorrectionSums) -> CorrectionSums:
    """What a correction adds, tax by tax."""
    with localcontext(EXACT):
        found: dict[Tax, TaxAmount] = {tax_of_part(part): part for part in after.taxes}
        for part in before.taxes:
            tax = tax_of_part(part)
            of_after = found.get(tax)
            net, amount = (Decimal(0), Decimal(0)) if of_after is None else (of_after.net + 0, of_after.amount + 0)
            found[tax] = structs.replace(part, net=plain(net - part.net), amount=plain(amount - part.amount))
        taxes = [found[tax] for tax in sorted(found, key=lambda tax: tax.order)]
        return CorrectionSums(
            plain(after.net - before.net), plain(after.tax - before.tax), plain(after.total - before.total), taxes
        )


def net_lines(figures: Figures, currency: str) -> list[Decimal]:
    """The net amount of each line: files state lines without tax.

    The lines of a tax that are shown gross have their net sum, allocated in proportion to their amounts.
    """
    if figures.prices_shown == "net":
        return [line.amount + 0 for line in figures.lines]
    unit = minor_unit(currency)
    groups: dict[Tax | UnsetType, list[int]] = {}
    for at, line in enumerate(figures.lines):
        groups.setdefault(line.tax, []).append(at)
    found = [Decimal(0)] * len(figures.lines)
    with localcontext(EXACT):
        for tax, places in groups.items():
            amounts = [figures.lines[at].amount + 0 for at in places]
            rate = Decimal(0) if tax is UNSET else tax.rate
            gross = sum(amounts, Decimal(0))
            net = gross - rounded(gross * rate / (100 + rate), unit)
            for at, amount in zip(places, allocated(amounts, net, currency), strict=True):
                found[at] = amount
    return found


class PrintedInvoice(Struct, frozen=True, kw_only=True):
    """The PDF of an invoice, complete: rendering it needs no further rule or clock.

    `xml` is the file that it carries, as CII; None for a draft, and where the format cannot state the invoice.
    """

    document: InvoiceDocument
    letterhead: Letterhead
    locale: DocumentLocale
    paper_size: PaperSize
    order_number: int
    # Of a draft: the day on which it is drawn.
    made_on: date
    payment_code: str = ""
    xml: bytes | None = None

    @property
    def is_draft(self) -> bool:
        return not self.document.number
