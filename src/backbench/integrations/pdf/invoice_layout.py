"""Invoice layout: an invoice in the form of an estimate, with its own head, sums and terms."""

from collections.abc import Sequence
from decimal import Decimal, localcontext

from msgspec import UNSET, structs

from backbench.documents.documents import ClientRecipient, EstimateDocument, PdfExportOptions
from backbench.documents.figures import DocumentLine, DocumentRow, DocumentSums, DocumentTax
from backbench.documents.invoices import Figures, InvoiceDocument, PrintedInvoice
from backbench.integrations.pdf.estimates.layout import (
    ConditionText,
    Fact,
    Fit,
    PageLayout,
    ShareLink,
    Total,
    conditions_layout,
    fact_widths,
    page_layout,
    running_head,
)
from backbench.integrations.pdf.estimates.table import amount_text, total_size
from backbench.integrations.pdf.letterheads import LinkedText, code, linked, tax_id_text
from backbench.integrations.pdf.typesetting import breakable, legible, text_lines, title_layout
from backbench.integrations.pdf.wording import MISSING, in_words, tax_label
from backbench.integrations.qr_code import qr_svg
from backbench.values.enums import DocumentLocale
from backbench.values.locales import day, money, percent
from backbench.values.money import EXACT, TaxAmount
from backbench.words import words


def invoice_layout(printed: PrintedInvoice, fit: Fit = Fit()) -> PageLayout:  # noqa: B008 - a frozen value
    invoice, locale = printed.document, printed.locale
    labels = words(locale).invoice
    shown = _as_estimate(printed)
    layout = page_layout(shown, fit)
    kind = labels["draft" if printed.is_draft else invoice.kind]
    name = invoice.number or labels["no_number"]
    facts = _facts(printed)
    texts = _texts(printed)
    conditions = conditions_layout(shown, texts, is_compact=fit.is_compact)
    return structs.replace(
        layout,
        title=legible(f"{kind} {invoice.number}".strip()),
        running_head=running_head(printed.letterhead.name, f"{kind} {invoice.number}".strip()),
        kind=kind,
        heading=title_layout(name, locale, (40, 21), (80, 17), (140, 13), (250, 11)),
        parties=_parties(printed),
        facts=facts,
        fact_widths=fact_widths(facts),
        sums=[*_before(printed, shown), *layout.sums],
        included=[*_net(shown), *layout.included],
        total=_total(printed, layout.total),
        deposit=_after(printed, shown),
        share=_share(printed),
        conditions=conditions,
        acceptance=None,
        closing="together",
        form=None,
    )


def _as_estimate(printed: PrintedInvoice) -> EstimateDocument:
    """The table and sums of an invoice are drawn as those of an estimate."""
    invoice, figures = printed.document, printed.document.figures
    return EstimateDocument(
        letterhead=printed.letterhead,
        name=invoice.number or words(printed.locale).invoice["no_number"],
        recipient=ClientRecipient(invoice.buyer.name),
        revision_number=1,
        issued_on=invoice.issue_date or printed.made_on,
        valid_until=None,
        locale=printed.locale,
        preliminary=False,
        options=PdfExportOptions(show_brand_mark=False),
        currency=invoice.currency,
        lines=_lines(figures),
        sums=_sums(figures),
        paper_size=printed.paper_size,
        intro=_intro(invoice, printed.locale),
        preview=printed.is_draft,
        tax_note=_tax_note(printed),
        # Nothing is charged for a line of quantity 0, such as one that a correction takes away.
        offers_options=False,
    )


def _lines(figures: Figures) -> list[DocumentLine]:
    has_several = len({line.tax for line in figures.lines}) > 1
    return [
        DocumentLine(
            label=line.label,
            unit=line.unit,
            quantity=line.quantity,
            unit_price=None if line.unit_price is UNSET else line.unit_price,
            amount=line.amount,
            tax_percent=line.tax.percent if has_several and line.tax is not UNSET else None,
            tax_kind=line.tax.kind if has_several and line.tax is not UNSET else None,
        )
        for line in figures.lines
    ]


def _sums(figures: Figures) -> DocumentSums:
    taxes = [DocumentTax(_percent(part), part.net, part.amount, part.kind or None) for part in figures.taxes]
    # A law may ask for the net sum of each rate, which gross prices do not show.
    is_single = len(taxes) == 1 and taxes[0].percent is not None and figures.prices_shown == "net"
    return DocumentSums(
        subtotal=figures.subtotal,
        markup=None,
        discount=None,
        net=figures.net,
        tax=DocumentRow(taxes[0].percent or Decimal(0), figures.tax) if is_single else None,
        tax_label="",
        total=figures.total,
        taxes=[] if is_single else taxes,
        prices=figures.prices_shown,
        kinds_apart=True,
    )


def _percent(part: TaxAmount) -> Decimal | None:
    return None if part.percent is UNSET else part.percent


def _intro(invoice: InvoiceDocument, locale: DocumentLocale) -> str:
    """What a correction is of, and why."""
    if invoice.corrects is None:
        return ""
    labels, corrects = words(locale).invoice, invoice.corrects
    return labels["corrects"].format(number=corrects.number, reason=corrects.reason)


def _tax_note(printed: PrintedInvoice) -> str:
    """Why a line has no tax."""
    invoice, labels = printed.document, words(printed.locale).invoice
    kinds = {line.tax.kind for line in invoice.figures.lines if line.tax is not UNSET}
    is_untaxed = any(line.tax is UNSET for line in invoice.figures.lines)
    notes = []
    if ("exempt" in kinds or is_untaxed) and invoice.exempt_reason:
        notes.append(labels["exempt"].format(reason=invoice.exempt_reason))
    if "reverse_charge" in kinds:
        notes.append(labels["reverse_charge"])
    return "\n".join(notes)


def _facts(printed: PrintedInvoice) -> list[Fact]:
    invoice, locale = printed.document, printed.locale
    labels = words(locale).invoice
    corrects = invoice.corrects
    due = None if _is_paid_back(invoice) else invoice.due_date
    facts = [
        ("issued", "" if invoice.issue_date is None else day(invoice.issue_date, locale)),
        ("sold", "" if invoice.sale_date is None else day(invoice.sale_date, locale)),
        ("due", "" if due is None else day(due, locale)),
        ("method", "" if invoice.method is None else words(locale).receipt_methods[invoice.method]),
        ("corrected", "" if corrects is None else corrects.number),
        ("order", str(printed.order_number)),
    ]
    return [Fact(labels[name], [code(text)]) for name, text in facts if text]


def _is_paid_back(invoice: InvoiceDocument) -> bool:
    """A correction after which nothing more is to be paid."""
    return invoice.corrects is not None and invoice.corrects.difference.total + 0 <= 0


def _parties(printed: PrintedInvoice) -> list[Fact]:
    """Seller and buyer: the letterhead may lack what an invoice has to state."""
    invoice, locale = printed.document, printed.locale
    labels, seller, buyer = words(locale).invoice, invoice.seller, invoice.buyer
    of_seller = [
        LinkedText(breakable(seller.name, locale)),
        *(LinkedText(line) for line in text_lines(seller.address or "", locale)),
        code(tax_id_text(seller.tax_id or "", locale)),
    ]
    of_buyer = [
        LinkedText(breakable(buyer.name, locale)),
        *(LinkedText(line) for line in text_lines(buyer.address or "", locale)),
        code(tax_id_text(buyer.tax_id or "", locale)),
        linked(buyer.email or ""),
    ]
    return [
        Fact(labels[name], [line for line in lines if line.text])
        for name, lines in (("seller", of_seller), ("buyer", of_buyer))
    ]


def _before(printed: PrintedInvoice, shown: EstimateDocument) -> list[tuple[str, str]]:
    """A markup and discount that are shown, and what advances had of the whole."""
    figures, locale = printed.document.figures, printed.locale
    paper, labels = words(locale).paper, words(locale).invoice
    rows: list[tuple[str, Decimal]] = []
    with localcontext(EXACT):
        if figures.markup or figures.discount:
            rows.append((labels["lines"], figures.subtotal + 0))
        if figures.markup:
            rows.append((paper["markup"], figures.markup + 0))
        if figures.discount:
            rows.append((paper["discount"], -figures.discount))
        advances = _deducted(figures)
        if advances:
            numbers = ", ".join(each.number for each in printed.document.advances)
            rows.append((labels["whole"], figures.total + advances))
            rows.append((labels["advances"].format(numbers=numbers), -advances))
    return [(label, amount_text(amount, shown)) for label, amount in rows]


def _deducted(figures: Figures) -> Decimal:
    """What advances had of the whole, with tax; of an invoice that was corrected to nothing, they take nothing off."""
    with localcontext(EXACT):
        return figures.deducted_net + figures.deducted_tax


def _net(shown: EstimateDocument) -> list[tuple[str, str]]:
    """Of a gross total."""
    return [(in_words(shown, "net"), amount_text(shown.sums.net, shown))] if shown.sums.is_gross else []


def _total(printed: PrintedInvoice, total: Total) -> Total:
    if not _deducted(printed.document.figures):
        return total
    label = words(printed.locale).invoice["left"]
    return Total(label, total.amount, total_size(label, total.amount))


def _after(printed: PrintedInvoice, shown: EstimateDocument) -> list[tuple[str, str]]:
    """Of a correction: what it was, what changes rate by rate, and what is to be paid or given back."""
    corrects = printed.document.corrects
    if corrects is None:
        return []
    labels, change = words(printed.locale).invoice, corrects.difference.total + 0
    name = "to_return" if change < 0 else "to_pay_more"
    return [
        (labels["before"], amount_text(corrects.before.total + 0, shown)),
        *_changes(corrects.difference.taxes, shown),
        (labels[name], money(abs(change), shown.currency, printed.locale)),
    ]


def _changes(taxes: Sequence[TaxAmount], shown: EstimateDocument) -> list[tuple[str, str]]:
    """The difference of net and tax of each rate, which a law may ask of a correction."""
    paper, label, rows = words(shown.locale).paper, tax_label(shown), []
    for part in taxes:
        net = amount_text(part.net + 0, shown)
        if part.percent is UNSET:
            kind = paper[part.kind or "outside"].format(label=label)
            rows.append((paper["kind_of"].format(kind=kind, net=net), MISSING))
        else:
            rate = percent(part.percent + 0, shown.locale)
            rows.append(
                (paper["tax_of"].format(label=label, percent=rate, net=net), amount_text(part.amount + 0, shown))
            )
    change = words(shown.locale).invoice["change"]
    return [(change.format(text=text), amount) for text, amount in rows]


def _texts(printed: PrintedInvoice) -> list[ConditionText]:
    invoice, labels = printed.document, words(printed.locale).paper
    iban = "".join((invoice.seller.iban or "").split())
    groups = "\u00a0".join(iban[at : at + 4] for at in range(0, len(iban), 4))
    account = f"{groups}\n{labels['transfer_title']} {invoice.number}" if groups and invoice.number else groups
    texts = [
        ConditionText("" if _is_paid_back(invoice) else account, labels["account"], is_code=True),
        ConditionText(invoice.notes),
        ConditionText(invoice.seller.registration or ""),
        ConditionText(printed.letterhead.footer),
    ]
    return [text for text in texts if text.text.strip()]


def _share(printed: PrintedInvoice) -> ShareLink | None:
    """The code by which the app of a bank fills in the transfer."""
    if not printed.payment_code:
        return None
    labels = words(printed.locale).invoice
    return ShareLink(
        qr_svg(printed.payment_code), labels["code"], labels["scan"], LinkedText([printed.document.number])
    )
