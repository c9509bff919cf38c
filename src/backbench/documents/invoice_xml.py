"""Files of invoices: EN 16931 as CII and UBL, and FA(3) of the Polish system. They state the figures of the invoice.

Sources: EN 16931-1:2017 with its validation rules 1.3, UN/CEFACT CII D16B, UBL 2.1, and the schema of the Polish
Ministry of Finance http://crd.gov.pl/wzor/2025/06/25/13775/. The same invoice gives the same bytes.
"""

import re
from collections.abc import Iterable, Sequence, Set
from datetime import date
from decimal import ROUND_HALF_UP, Decimal, localcontext
from xml.etree import ElementTree as Xml

from msgspec import UNSET, Struct

from backbench.documents.invoices import (
    CorrectionSums,
    Figures,
    InvoiceDocument,
    InvoiceFormat,
    InvoiceLine,
    net_lines,
    tax_of_part,
)
from backbench.values.currencies import minor_digits
from backbench.values.enums import LineItemUnit
from backbench.values.errors import FieldError
from backbench.values.money import EXACT, TaxAmount, allocated, plain
from backbench.values.taxes import Tax

# UN/ECE Recommendation 20.
_UNITS: dict[LineItemUnit, str] = {
    "sqm": "MTK",
    "linear_m": "MTR",
    "piece": "H87",
    "pair": "PR",
    "hour": "HUR",
    "job": "LS",
    "freeform": "C62",
}
# UNTDID 1001: an invoice, one for an advance, a corrected one.
_TYPES = {"invoice": "380", "advance": "386", "final": "380", "correction": "384"}
# UNTDID 4461.
_MEANS = {"cash": "10", "card": "48", "transfer": "30", "blik": "68", "other": "1"}
_EN = "urn:cen.eu:en16931:2017"
_POSTCODE = re.compile(
    r"(?P<code>\d{2}-\d{3}|\d{4,5}|[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}|[A-Z]\d{2} ?[A-Z\d]{4}) (?P<city>\S.*)"
)
# Documents show a tax id as it was entered, often with its name: `NIP 525…`, `VAT no. IE…`, `USt-IdNr. DE…`.
_NAME_OF_TAX_ID = re.compile(
    r"\A\s*(?:nip|vat|tax|ust|tva|btw)(?![a-z])(?:[\s./-]*(?:id|idnr|no|nr|reg|number)(?![a-z]))*[\s.:]*", re.IGNORECASE
)
_NOT_XML = re.compile(r"[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\U00010000-\U0010FFFF]")


def xml_of(invoice: InvoiceDocument, format_: InvoiceFormat) -> bytes:
    """The file of an issued invoice of which no fact is missing."""
    root = {"cii": _cii, "ubl": _ubl, "fa3": _fa3}[format_](invoice)
    return b'<?xml version="1.0" encoding="UTF-8"?>\n' + Xml.tostring(root, encoding="unicode").encode()


def missing_facts(invoice: InvoiceDocument, format_: InvoiceFormat) -> list[FieldError]:
    """What the format needs and the invoice lacks, or says what the format cannot say."""
    return list(_missing_for_fa3(invoice) if format_ == "fa3" else _missing_for_en(invoice))


def _lacks(pointer: str, detail: str) -> FieldError:
    return FieldError(pointer, "missing", detail)


def _taxes_of_lines(invoice: InvoiceDocument) -> set[Tax | None]:
    return {None if line.tax is UNSET else line.tax for line in invoice.figures.lines}


def _taxes(invoice: InvoiceDocument) -> set[Tax | None]:
    """Those of the lines and of what advances had, which may be others."""
    return _taxes_of_lines(invoice) | _deducted(invoice.figures).keys()


def _deducted(figures: Figures) -> dict[Tax | None, Decimal]:
    return _by_tax(figures.deducted_net + 0, figures.deducted)


def _by_tax(net: Decimal, parts: Sequence[TaxAmount]) -> dict[Tax | None, Decimal]:
    """The net sum of each tax. None: what is left of `net`, which no tax was stated of."""
    with localcontext(EXACT):
        found: dict[Tax | None, Decimal] = {tax_of_part(part): part.net + 0 for part in parts}
        rest = net - sum(found.values(), Decimal(0))
        return found | {None: rest} if rest else found


def _is_exempt(tax: Tax | None) -> bool:
    """A workshop that states no tax at all is exempt, if the settings say why."""
    return tax is None or tax.kind == "exempt"


def _missing_parties(invoice: InvoiceDocument, taxes: Set[Tax | None]) -> Iterable[FieldError]:
    seller, buyer = invoice.seller, invoice.buyer
    if not invoice.figures.lines:
        yield _lacks("/lines", "An invoice has at least one line")
    if not seller.country:
        yield _lacks("/seller/country", "Set the country of the workshop in the document settings")
    if not buyer.name.strip():
        yield _lacks("/buyer/name", "An invoice names its buyer")
    if not buyer.country and not buyer.is_consumer:
        yield _lacks("/buyer/country", "Name the country of the buyer")
    if Tax("reverse_charge") in taxes and not buyer.tax_id:
        yield _lacks("/buyer/taxId", "Reverse charge needs the tax id of the buyer")
    if any(map(_is_exempt, taxes)) and not invoice.exempt_reason:
        yield _lacks("/exemptReason", "Say in the document settings why sales are exempt")


_OUTSIDE = "What is outside of the tax needs an invoice of its own"


def _missing_for_en(invoice: InvoiceDocument) -> Iterable[FieldError]:
    taxes = _taxes(invoice)
    yield from _missing_parties(invoice, taxes)
    is_outside = [tax == Tax("outside") for tax in taxes]
    if all(is_outside):
        if not invoice.seller.registration:
            yield _lacks("/seller/registration", "A seller outside of the tax is named by the registration")
    elif not invoice.seller.tax_id:
        yield _lacks("/seller/taxId", "Set the tax id of the workshop in the document settings")
    if any(is_outside) and not all(is_outside):
        for at, line in enumerate(invoice.figures.lines):
            if line.tax is not UNSET and line.tax.kind == "outside":
                yield FieldError(f"/lines/{at}/tax", "conflict", _OUTSIDE)
        if Tax("outside") in _deducted(invoice.figures):
            yield FieldError("/advances", "conflict", _OUTSIDE)
    if minor_digits(invoice.currency) > 2:
        yield FieldError("/currency", "conflict", "The format has two decimals at most")
    elif not minor_digits(invoice.currency) and any(map(_differs_from_rate, _parts(invoice))):
        yield FieldError("/currency", "conflict", "The tax that advances leave differs from its rate by a whole unit")


# Parts of the sums


class _Part(Struct, frozen=True):
    """The lines of one tax: their net sum, what is added and taken off, and the net and tax that are left."""

    tax: Tax | None
    lines: Decimal
    charge: Decimal
    allowance: Decimal
    deducted: Decimal
    net: Decimal
    amount: Decimal


def _parts(invoice: InvoiceDocument) -> list[_Part]:
    """In the order of the table of taxes. What advances had of a tax is an allowance of its own."""
    figures = invoice.figures
    with localcontext(EXACT):
        of_lines: dict[Tax | None, Decimal] = {}
        for line, net in zip(figures.lines, net_lines(figures, invoice.currency), strict=True):
            tax = None if line.tax is UNSET else line.tax
            of_lines[tax] = of_lines.get(tax, Decimal(0)) + net
        left = _by_tax(figures.net + 0, figures.taxes)
        amounts = {tax_of_part(part): part.amount + 0 for part in figures.taxes}
        advances = _deducted(figures)
        for tax in advances:
            of_lines.setdefault(tax, Decimal(0))
        found = sorted(of_lines, key=lambda tax: (0, Decimal(0)) if tax is None else tax.order)
        # A markup and a discount that are both shown: the markup in proportion, the rest is the discount.
        shown = figures.markup + 0 if figures.markup and figures.discount else Decimal(0)
        weights = [of_lines[tax] for tax in found]
        charges = allocated(weights, shown, invoice.currency) if shown else [Decimal(0) for _ in found]
        parts = []
        for tax, charge in zip(found, charges, strict=True):
            net, deducted = left.get(tax, Decimal(0)), advances.get(tax, Decimal(0))
            rest = of_lines[tax] + charge - deducted - net
            parts.append(
                _Part(
                    tax=tax,
                    lines=of_lines[tax],
                    charge=charge + max(-rest, Decimal(0)),
                    allowance=max(rest, Decimal(0)),
                    deducted=deducted,
                    net=net,
                    amount=Decimal(0) if tax is None else amounts.get(tax, Decimal(0)),
                )
            )
        return parts


def _differs_from_rate(part: _Part) -> bool:
    """By as much as rule BR-CO-17 does not allow: the rounding of two taxes can add up to a whole unit."""
    with localcontext(EXACT):
        by_rate = part.net * (Decimal(0) if part.tax is None else part.tax.rate) / 100
        return abs(part.amount - by_rate.quantize(Decimal("0.01"), ROUND_HALF_UP)) >= 1


def _prices(invoice: InvoiceDocument) -> list[tuple[InvoiceLine, Decimal, Decimal]]:
    """Each line with its net amount and net unit price. Prices have as many decimals as they need, ten at most."""
    figures, found = invoice.figures, []
    with localcontext(EXACT):
        for line, net in zip(figures.lines, net_lines(figures, invoice.currency), strict=True):
            found.append((line, net, _net_price(figures, line, net).quantize(Decimal("1e-10")).normalize(EXACT)))
    return found


def _net_price(figures: Figures, line: InvoiceLine, net: Decimal) -> Decimal:
    """As it was entered, where that was net and gives the amount; of a line that was corrected to nothing as well."""
    is_own = line.unit_price is not UNSET and (
        not line.quantity or (figures.prices_shown == "net" and net == line.amount)
    )
    return Decimal(line.unit_price or 0) if is_own or not line.quantity else net / line.quantity


# Texts


def _add(parent: Xml.Element, tag: str, text: str | None = None, **attributes: str) -> Xml.Element:
    element = Xml.SubElement(parent, tag, attributes)
    if text is not None:
        element.text = _NOT_XML.sub(" ", text)
    return element


def _amount(value: Decimal) -> str:
    return format(value.quantize(Decimal("0.01")), "f")


def _number(value: Decimal) -> str:
    return plain(value).shortest()


def _bare(tax_id: str) -> str:
    """The letters and digits of a tax id, without its name."""
    return re.sub(r"[^0-9A-Za-z]", "", _NAME_OF_TAX_ID.sub("", tax_id)).upper()


def _vat_id(tax_id: str, country: str) -> str:
    """With the prefix of the country, as EN 16931 wants it."""
    text = _bare(tax_id)
    prefix = "EL" if country == "GR" else country
    return text if text[:2].isalpha() else prefix + text


def _category(tax: Tax | None) -> str:
    if tax is None or tax.kind == "exempt":
        return "E"
    if tax.kind == "reverse_charge":
        return "AE"
    if tax.kind == "outside":
        return "O"
    return "S" if tax.rate else "Z"


def _reason(tax: Tax | None, invoice: InvoiceDocument) -> tuple[str, str]:
    """The code and the text of a tax that is no rate."""
    category = _category(tax)
    if category == "E":
        return "", invoice.exempt_reason
    return {"AE": ("VATEX-EU-AE", "Reverse charge"), "O": ("VATEX-EU-O", "Not subject to VAT")}.get(category, ("", ""))


class _Address(Struct, frozen=True):
    lines: list[str]
    city: str = ""
    code: str = ""


def _address(text: str) -> _Address:
    """The lines of an address; the city by its postcode, where the last line has one."""
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    found = _POSTCODE.fullmatch(lines[-1]) if len(lines) > 1 else None
    if found:
        return _Address(lines[:-1], found["city"], found["code"])
    return _Address(lines)


def _three(lines: Sequence[str]) -> list[str]:
    """In three lines, as files have them."""
    return list(lines) if len(lines) < 4 else [*lines[:2], ", ".join(lines[2:])]


def _day(day: date | None) -> str:
    assert day is not None
    return day.isoformat()


def _references(invoice: InvoiceDocument) -> list[tuple[str, str]]:
    """Numbers of earlier invoices, and the days of those that are known."""
    if invoice.corrects is not None:
        return [(invoice.corrects.number, invoice.corrects.issue_date)]
    return [(each.number, "") for each in invoice.advances]


def _notes(invoice: InvoiceDocument) -> list[str]:
    reason = "" if invoice.corrects is None else invoice.corrects.reason
    return [text for text in (reason, invoice.notes) if text]


def _allowances(invoice: InvoiceDocument, parts: Sequence[_Part]) -> list[tuple[bool, Decimal, str, Tax | None]]:
    """Whether it is a charge, its amount, its reason, and the tax of which it is."""
    numbers = ", ".join(each.number for each in invoice.advances) or "advance"
    found = []
    for part in parts:
        for is_charge, amount, reason in (
            (True, part.charge, "Markup"),
            (False, part.allowance, "Discount"),
            (False, part.deducted, f"Invoiced in advance: {numbers}"),
        ):
            if amount:
                found.append((is_charge, amount, reason, part.tax))
    return found


# CII


def _cii(invoice: InvoiceDocument) -> Xml.Element:
    root = Xml.Element(
        "rsm:CrossIndustryInvoice",
        {
            "xmlns:rsm": "urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100",
            "xmlns:ram": "urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100",
            "xmlns:udt": "urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100",
        },
    )
    context = _add(root, "rsm:ExchangedDocumentContext")
    _add(_add(context, "ram:GuidelineSpecifiedDocumentContextParameter"), "ram:ID", _EN)
    head = _add(root, "rsm:ExchangedDocument")
    _add(head, "ram:ID", invoice.number)
    _add(head, "ram:TypeCode", _TYPES[invoice.kind])
    _cii_day(_add(head, "ram:IssueDateTime"), _day(invoice.issue_date))
    for note in _notes(invoice):
        _add(_add(head, "ram:IncludedNote"), "ram:Content", note)
    trade = _add(root, "rsm:SupplyChainTradeTransaction")
    for at, (line, net, price) in enumerate(_prices(invoice), 1):
        _cii_line(trade, at, line, net, price)
    agreement = _add(trade, "ram:ApplicableHeaderTradeAgreement")
    _cii_seller(agreement, invoice)
    _cii_buyer(agreement, invoice)
    delivery = _add(trade, "ram:ApplicableHeaderTradeDelivery")
    if invoice.sale_date is not None:
        event = _add(delivery, "ram:ActualDeliverySupplyChainEvent")
        _cii_day(_add(event, "ram:OccurrenceDateTime"), _day(invoice.sale_date))
    _cii_settlement(_add(trade, "ram:ApplicableHeaderTradeSettlement"), invoice)
    return root


def _cii_day(parent: Xml.Element, day: str, tag: str = "udt:DateTimeString") -> None:
    _add(parent, tag, day.replace("-", ""), format="102")


def _cii_line(trade: Xml.Element, at: int, line: InvoiceLine, net: Decimal, price: Decimal) -> None:
    item = _add(trade, "ram:IncludedSupplyChainTradeLineItem")
    _add(_add(item, "ram:AssociatedDocumentLineDocument"), "ram:LineID", str(at))
    _add(_add(item, "ram:SpecifiedTradeProduct"), "ram:Name", line.label)
    agreed = _add(_add(item, "ram:SpecifiedLineTradeAgreement"), "ram:NetPriceProductTradePrice")
    _add(agreed, "ram:ChargeAmount", _number(price))
    quantity = _add(item, "ram:SpecifiedLineTradeDelivery")
    _add(quantity, "ram:BilledQuantity", _number(line.quantity), unitCode=_UNITS[line.unit])
    settled = _add(item, "ram:SpecifiedLineTradeSettlement")
    _cii_category(_add(settled, "ram:ApplicableTradeTax"), None if line.tax is UNSET else line.tax)
    sums = _add(settled, "ram:SpecifiedTradeSettlementLineMonetarySummation")
    _add(sums, "ram:LineTotalAmount", _amount(net))


def _cii_category(parent: Xml.Element, tax: Tax | None) -> None:
    _add(parent, "ram:TypeCode", "VAT")
    _add(parent, "ram:CategoryCode", _category(tax))
    if _category(tax) != "O":
        _add(parent, "ram:RateApplicablePercent", _number(Decimal(0) if tax is None else tax.rate))


def _cii_address(party: Xml.Element, address: str, country: str) -> None:
    where, place = _address(address), _add(party, "ram:PostalTradeAddress")
    if where.code:
        _add(place, "ram:PostcodeCode", where.code)
    for tag, text in zip(("ram:LineOne", "ram:LineTwo", "ram:LineThree"), _three(where.lines), strict=False):
        _add(place, tag, text)
    if where.city:
        _add(place, "ram:CityName", where.city)
    _add(place, "ram:CountryID", country)


def _cii_seller(agreement: Xml.Element, invoice: InvoiceDocument) -> None:
    seller = invoice.seller
    party = _add(agreement, "ram:SellerTradeParty")
    _add(party, "ram:Name", seller.name)
    if seller.registration:
        _add(_add(party, "ram:SpecifiedLegalOrganization"), "ram:ID", _one_line(seller.registration))
    if seller.phone or seller.email:
        contact = _add(party, "ram:DefinedTradeContact")
        _add(contact, "ram:PersonName", seller.name)
        if seller.phone:
            _add(_add(contact, "ram:TelephoneUniversalCommunication"), "ram:CompleteNumber", seller.phone)
        if seller.email:
            _add(_add(contact, "ram:EmailURIUniversalCommunication"), "ram:URIID", seller.email)
    _cii_address(party, seller.address or "", seller.country or "")
    if seller.tax_id and not _is_outside(invoice):
        registered = _add(party, "ram:SpecifiedTaxRegistration")
        _add(registered, "ram:ID", _vat_id(seller.tax_id, seller.country or ""), schemeID="VA")


def _is_outside(invoice: InvoiceDocument) -> bool:
    return all(_category(tax) == "O" for tax in _taxes(invoice))


def _one_line(text: str) -> str:
    return ", ".join(line.strip() for line in text.split("\n") if line.strip())


def _cii_buyer(agreement: Xml.Element, invoice: InvoiceDocument) -> None:
    buyer, country = invoice.buyer, _buyer_country(invoice)
    party = _add(agreement, "ram:BuyerTradeParty")
    _add(party, "ram:Name", buyer.name)
    _cii_address(party, buyer.address or "", country)
    if buyer.tax_id and not _is_outside(invoice):
        registered = _add(party, "ram:SpecifiedTaxRegistration")
        _add(registered, "ram:ID", _vat_id(buyer.tax_id, country), schemeID="VA")


def _buyer_country(invoice: InvoiceDocument) -> str:
    return invoice.buyer.country or invoice.seller.country or ""


def _means(invoice: InvoiceDocument) -> str:
    """The code of the means of payment: a transfer needs the account."""
    method = invoice.method or ("transfer" if invoice.seller.iban else "other")
    return "1" if method == "transfer" and not invoice.seller.iban else _MEANS[method]


def _iban(invoice: InvoiceDocument) -> str:
    return "".join((invoice.seller.iban or "").split())


def _cii_settlement(settlement: Xml.Element, invoice: InvoiceDocument) -> None:
    parts = _parts(invoice)
    _add(settlement, "ram:InvoiceCurrencyCode", invoice.currency)
    means = _add(settlement, "ram:SpecifiedTradeSettlementPaymentMeans")
    _add(means, "ram:TypeCode", _means(invoice))
    if _means(invoice) == "30":
        _add(_add(means, "ram:PayeePartyCreditorFinancialAccount"), "ram:IBANID", _iban(invoice))
    for part in parts:
        tax = _add(settlement, "ram:ApplicableTradeTax")
        code, reason = _reason(part.tax, invoice)
        _add(tax, "ram:CalculatedAmount", _amount(part.amount))
        _add(tax, "ram:TypeCode", "VAT")
        if reason:
            _add(tax, "ram:ExemptionReason", reason)
        _add(tax, "ram:BasisAmount", _amount(part.net))
        _add(tax, "ram:CategoryCode", _category(part.tax))
        if code:
            _add(tax, "ram:ExemptionReasonCode", code)
        if _category(part.tax) != "O":
            _add(tax, "ram:RateApplicablePercent", _number(Decimal(0) if part.tax is None else part.tax.rate))
    for is_charge, amount, reason, of_tax in _allowances(invoice, parts):
        allowance = _add(settlement, "ram:SpecifiedTradeAllowanceCharge")
        _add(_add(allowance, "ram:ChargeIndicator"), "udt:Indicator", "true" if is_charge else "false")
        _add(allowance, "ram:ActualAmount", _amount(amount))
        _add(allowance, "ram:Reason", reason)
        _cii_category(_add(allowance, "ram:CategoryTradeTax"), of_tax)
    terms = _add(settlement, "ram:SpecifiedTradePaymentTerms")
    if invoice.due_date is not None:
        _cii_day(_add(terms, "ram:DueDateDateTime"), _day(invoice.due_date))
    sums = _add(settlement, "ram:SpecifiedTradeSettlementHeaderMonetarySummation")
    for tag, amount in _sums(invoice, parts):
        attributes = {"currencyID": invoice.currency} if tag == "TaxTotalAmount" else {}
        _add(sums, f"ram:{tag}", _amount(amount), **attributes)
    for number, day in _references(invoice):
        earlier = _add(settlement, "ram:InvoiceReferencedDocument")
        _add(earlier, "ram:IssuerAssignedID", number)
        if day:
            formatted = _add(earlier, "ram:FormattedIssueDateTime")
            formatted.set("xmlns:qdt", "urn:un:unece:uncefact:data:standard:QualifiedDataType:100")
            _cii_day(formatted, day, "qdt:DateTimeString")


def _sums(invoice: InvoiceDocument, parts: Sequence[_Part]) -> list[tuple[str, Decimal]]:
    """The sums of the document, by their names in CII."""
    with localcontext(EXACT):
        lines = sum((part.lines for part in parts), Decimal(0))
        charges = sum((part.charge for part in parts), Decimal(0))
        allowances = sum((part.allowance + part.deducted for part in parts), Decimal(0))
    figures = invoice.figures
    return [
        ("LineTotalAmount", lines),
        ("ChargeTotalAmount", charges),
        ("AllowanceTotalAmount", allowances),
        ("TaxBasisTotalAmount", figures.net + 0),
        ("TaxTotalAmount", figures.tax + 0),
        ("GrandTotalAmount", figures.total + 0),
        ("DuePayableAmount", figures.total + 0),
    ]


# UBL


def _ubl(invoice: InvoiceDocument) -> Xml.Element:
    root = Xml.Element(
        "Invoice",
        {
            "xmlns": "urn:oasis:names:specification:ubl:schema:xsd:Invoice-2",
            "xmlns:cac": "urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2",
            "xmlns:cbc": "urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2",
        },
    )
    parts = _parts(invoice)
    _add(root, "cbc:CustomizationID", _EN)
    _add(root, "cbc:ID", invoice.number)
    _add(root, "cbc:IssueDate", _day(invoice.issue_date))
    if invoice.due_date is not None:
        _add(root, "cbc:DueDate", _day(invoice.due_date))
    _add(root, "cbc:InvoiceTypeCode", _TYPES[invoice.kind])
    for note in _notes(invoice):
        _add(root, "cbc:Note", note)
    _add(root, "cbc:DocumentCurrencyCode", invoice.currency)
    for number, day in _references(invoice):
        earlier = _add(_add(root, "cac:BillingReference"), "cac:InvoiceDocumentReference")
        _add(earlier, "cbc:ID", number)
        if day:
            _add(earlier, "cbc:IssueDate", day)
    _ubl_seller(root, invoice)
    _ubl_buyer(root, invoice)
    if invoice.sale_date is not None:
        _add(_add(root, "cac:Delivery"), "cbc:ActualDeliveryDate", _day(invoice.sale_date))
    means = _add(root, "cac:PaymentMeans")
    _add(means, "cbc:PaymentMeansCode", _means(invoice))
    if _means(invoice) == "30":
        _add(_add(means, "cac:PayeeFinancialAccount"), "cbc:ID", _iban(invoice))
    money = {"currencyID": invoice.currency}
    for is_charge, amount, reason, of_tax in _allowances(invoice, parts):
        allowance = _add(root, "cac:AllowanceCharge")
        _add(allowance, "cbc:ChargeIndicator", "true" if is_charge else "false")
        _add(allowance, "cbc:AllowanceChargeReason", reason)
        _add(allowance, "cbc:Amount", _amount(amount), **money)
        _ubl_category(_add(allowance, "cac:TaxCategory"), of_tax)
    total = _add(root, "cac:TaxTotal")
    _add(total, "cbc:TaxAmount", _amount(invoice.figures.tax), **money)
    for part in parts:
        subtotal = _add(total, "cac:TaxSubtotal")
        _add(subtotal, "cbc:TaxableAmount", _amount(part.net), **money)
        _add(subtotal, "cbc:TaxAmount", _amount(part.amount), **money)
        _ubl_category(_add(subtotal, "cac:TaxCategory"), part.tax, _reason(part.tax, invoice))
    named = dict(_sums(invoice, parts))
    sums = _add(root, "cac:LegalMonetaryTotal")
    for tag, name in (
        ("LineExtensionAmount", "LineTotalAmount"),
        ("TaxExclusiveAmount", "TaxBasisTotalAmount"),
        ("TaxInclusiveAmount", "GrandTotalAmount"),
        ("AllowanceTotalAmount", "AllowanceTotalAmount"),
        ("ChargeTotalAmount", "ChargeTotalAmount"),
        ("PayableAmount", "DuePayableAmount"),
    ):
        _add(sums, f"cbc:{tag}", _amount(named[name]), **money)
    for at, (line, net, price) in enumerate(_prices(invoice), 1):
        item = _add(root, "cac:InvoiceLine")
        _add(item, "cbc:ID", str(at))
        _add(item, "cbc:InvoicedQuantity", _number(line.quantity), unitCode=_UNITS[line.unit])
        _add(item, "cbc:LineExtensionAmount", _amount(net), **money)
        product = _add(item, "cac:Item")
        _add(product, "cbc:Name", line.label)
        _ubl_category(_add(product, "cac:ClassifiedTaxCategory"), None if line.tax is UNSET else line.tax)
        _add(_add(item, "cac:Price"), "cbc:PriceAmount", _number(price), **money)
    return root


def _ubl_category(parent: Xml.Element, tax: Tax | None, why: tuple[str, str] = ("", "")) -> None:
    _add(parent, "cbc:ID", _category(tax))
    if _category(tax) != "O":
        _add(parent, "cbc:Percent", _number(Decimal(0) if tax is None else tax.rate))
    code, reason = why
    if code:
        _add(parent, "cbc:TaxExemptionReasonCode", code)
    if reason:
        _add(parent, "cbc:TaxExemptionReason", reason)
    _add(_add(parent, "cac:TaxScheme"), "cbc:ID", "VAT")


def _ubl_address(party: Xml.Element, address: str, country: str) -> None:
    where, place = _address(address), _add(party, "cac:PostalAddress")
    lines = _three(where.lines)
    for tag, text in zip(("cbc:StreetName", "cbc:AdditionalStreetName"), lines[:2], strict=False):
        _add(place, tag, text)
    if where.city:
        _add(place, "cbc:CityName", where.city)
    if where.code:
        _add(place, "cbc:PostalZone", where.code)
    if len(lines) > 2:
        _add(_add(place, "cac:AddressLine"), "cbc:Line", lines[2])
    _add(_add(place, "cac:Country"), "cbc:IdentificationCode", country)


def _ubl_seller(root: Xml.Element, invoice: InvoiceDocument) -> None:
    seller = invoice.seller
    party = _add(_add(root, "cac:AccountingSupplierParty"), "cac:Party")
    _ubl_address(party, seller.address or "", seller.country or "")
    if seller.tax_id and not _is_outside(invoice):
        scheme = _add(party, "cac:PartyTaxScheme")
        _add(scheme, "cbc:CompanyID", _vat_id(seller.tax_id, seller.country or ""))
        _add(_add(scheme, "cac:TaxScheme"), "cbc:ID", "VAT")
    entity = _add(party, "cac:PartyLegalEntity")
    _add(entity, "cbc:RegistrationName", seller.name)
    if seller.registration:
        _add(entity, "cbc:CompanyID", _one_line(seller.registration))
    if seller.phone or seller.email:
        contact = _add(party, "cac:Contact")
        _add(contact, "cbc:Name", seller.name)
        if seller.phone:
            _add(contact, "cbc:Telephone", seller.phone)
        if seller.email:
            _add(contact, "cbc:ElectronicMail", seller.email)


def _ubl_buyer(root: Xml.Element, invoice: InvoiceDocument) -> None:
    buyer, country = invoice.buyer, _buyer_country(invoice)
    party = _add(_add(root, "cac:AccountingCustomerParty"), "cac:Party")
    _ubl_address(party, buyer.address or "", country)
    if buyer.tax_id and not _is_outside(invoice):
        scheme = _add(party, "cac:PartyTaxScheme")
        _add(scheme, "cbc:CompanyID", _vat_id(buyer.tax_id, country))
        _add(_add(scheme, "cac:TaxScheme"), "cbc:ID", "VAT")
    _add(_add(party, "cac:PartyLegalEntity"), "cbc:RegistrationName", buyer.name)


# FA(3)


_FA3 = "http://crd.gov.pl/wzor/2025/06/25/13775/"
_FA3_RATES = {23: "23", 22: "22", 8: "8", 7: "7", 5: "5", 4: "4", 3: "3", 0: "0 KR"}
# Net and tax by rate.
_FA3_SUMS = {23: "1", 22: "1", 8: "2", 7: "2", 5: "3", 4: "4", 3: "4"}
_FA3_KINDS = {"exempt": "zw", "reverse_charge": "oo", "outside": "np I"}
_FA3_METHODS = {"cash": "1", "card": "2", "transfer": "6", "blik": "7"}
_FA3_UNITS: dict[LineItemUnit, str] = {
    "sqm": "m²",
    "linear_m": "mb",
    "piece": "szt.",
    "pair": "para",
    "hour": "godz.",
    "job": "usł.",
    "freeform": "",
}
_FIRST, _LAST, _FIRST_DUE = date(2006, 1, 1), date(2050, 1, 1), date(2016, 7, 1)
_EU = frozenset(
    (
        "AT", "BE", "BG", "CY", "CZ", "DK", "EE", "FI", "FR", "DE", "EL", "HR", "HU", "IE", "IT", "LV", "LT", "LU",
        "MT", "NL", "PT", "RO", "SK", "SI", "ES", "SE", "XI",
    )
)  # fmt: skip


def _nip(tax_id: str) -> str:
    """The ten digits of a Polish tax id; "" for another one."""
    text = _bare(tax_id).removeprefix("PL")
    return text if re.fullmatch(r"[1-9](?:\d[1-9]|[1-9]\d)\d{7}", text) else ""


def _missing_for_fa3(invoice: InvoiceDocument) -> Iterable[FieldError]:
    taxes = _fa3_taxes(invoice)
    yield from _missing_parties(invoice, taxes)
    if invoice.currency != "PLN":
        yield FieldError("/currency", "conflict", "FA(3) is made for invoices in PLN")
    if not _nip(invoice.seller.tax_id or ""):
        yield _lacks("/seller/taxId", "Set the NIP of the workshop in the document settings")
    if not (invoice.seller.address or "").strip():
        yield _lacks("/seller/address", "Set the address of the workshop in the document settings")
    for at, line in enumerate(invoice.figures.lines):
        if line.tax is not UNSET and line.tax.kind is None and line.tax.rate not in _FA3_RATES:
            yield FieldError(f"/lines/{at}/tax", "conflict", f"FA(3) has no rate of {_number(line.tax.rate)} %")
    for tax in taxes - _taxes_of_lines(invoice):
        pointer = "/advances" if invoice.corrects is None else "/corrects"
        if tax is not None and tax.kind is None and tax.rate not in _FA3_RATES:
            yield FieldError(pointer, "conflict", f"FA(3) has no rate of {_number(tax.rate)} %")
    root = None if invoice.corrects is None else date.fromisoformat(invoice.corrects.issue_date)
    for pointer, day, first in (
        ("/issueDate", invoice.issue_date, _FIRST),
        ("/saleDate", invoice.sale_date, _FIRST),
        ("/dueDate", invoice.due_date, _FIRST_DUE),
        ("/corrects", root, _FIRST),
    ):
        if day is not None and not first <= day <= _LAST:
            yield FieldError(pointer, "conflict", f"FA(3) has days from {first} to {_LAST} here")


def _fa3(invoice: InvoiceDocument) -> Xml.Element:
    root = Xml.Element("Faktura", {"xmlns": _FA3})
    head = _add(root, "Naglowek")
    _add(head, "KodFormularza", "FA", kodSystemowy="FA (3)", wersjaSchemy="1-0E")
    _add(head, "WariantFormularza", "3")
    _add(head, "DataWytworzeniaFa", f"{invoice.issued_at[:19]}Z")
    _add(head, "SystemInfo", "Backbench")
    _fa3_parties(root, invoice)
    body = _add(root, "Fa")
    _add(body, "KodWaluty", invoice.currency)
    _add(body, "P_1", _day(invoice.issue_date))
    _add(body, "P_2", invoice.number)
    if invoice.sale_date is not None:
        _add(body, "P_6", _day(invoice.sale_date))
    sums = _fa3_stated(invoice)
    _fa3_sums(body, sums)
    _fa3_marks(body, invoice)
    kinds = {"invoice": "VAT", "advance": "ZAL", "final": "ROZ"}
    kind = kinds[invoice.corrected_kind]
    own = kind if invoice.corrects is None else "KOR" if kind == "VAT" else f"KOR_{kind}"
    _add(body, "RodzajFaktury", own)
    if invoice.corrects is not None:
        _add(body, "PrzyczynaKorekty", invoice.corrects.reason[:256])
        corrected = _add(body, "DaneFaKorygowanej")
        _add(corrected, "DataWystFaKorygowanej", invoice.corrects.issue_date)
        _add(corrected, "NrFaKorygowanej", invoice.corrects.number)
        _add(corrected, "NrKSeFN", "1")
        if kind == "ZAL":
            _add(body, "P_15ZK", _amount(invoice.corrects.before.total))
    for each in invoice.advances[:100]:
        earlier = _add(body, "FakturaZaliczkowa")
        _add(earlier, "NrKSeFZN", "1")
        _add(earlier, "NrFaZaliczkowej", each.number)
    if kind != "ZAL":
        _fa3_lines(body, invoice)
    _fa3_payment(body, invoice)
    if kind == "ZAL":
        _fa3_order(body, invoice)
    if invoice.notes:
        information = _add(_add(root, "Stopka"), "Informacje")
        _add(information, "StopkaFaktury", " ".join(invoice.notes.split()))
    return root


def _fa3_parties(root: Xml.Element, invoice: InvoiceDocument) -> None:
    seller, buyer = invoice.seller, invoice.buyer
    party = _add(root, "Podmiot1")
    names = _add(party, "DaneIdentyfikacyjne")
    _add(names, "NIP", _nip(seller.tax_id or ""))
    _add(names, "Nazwa", seller.name[:512])
    _fa3_address(party, seller.address or "", seller.country or "")
    party = _add(root, "Podmiot2")
    names = _add(party, "DaneIdentyfikacyjne")
    _fa3_buyer_id(names, invoice)
    _add(names, "Nazwa", buyer.name[:512])
    if (buyer.address or "").strip():
        _fa3_address(party, buyer.address or "", _buyer_country(invoice))
    # Neither a part of a local government nor a member of a VAT group, as far as the workshop says.
    _add(party, "JST", "2")
    _add(party, "GV", "2")


def _fa3_buyer_id(names: Xml.Element, invoice: InvoiceDocument) -> None:
    country, text = _buyer_country(invoice), invoice.buyer.tax_id or ""
    whole = _bare(text)
    prefix = whole[:2] if whole[:2].isalpha() else "EL" if country == "GR" else country
    if not whole:
        _add(names, "BrakID", "1")
    elif prefix == "PL" and _nip(text):
        _add(names, "NIP", _nip(text))
    elif prefix in _EU:
        _add(names, "KodUE", prefix)
        _add(names, "NrVatUE", whole.removeprefix(prefix)[:12])
    else:
        _add(names, "KodKraju", country)
        _add(names, "NrID", whole[:50])


def _fa3_address(party: Xml.Element, address: str, country: str) -> None:
    lines = [line.strip() for line in address.split("\n") if line.strip()]
    place = _add(party, "Adres")
    _add(place, "KodKraju", country)
    _add(place, "AdresL1", lines[0][:512])
    if len(lines) > 1:
        _add(place, "AdresL2", ", ".join(lines[1:])[:512])


def _fa3_stated(invoice: InvoiceDocument) -> CorrectionSums:
    """The sums that the file states: of a correction, the difference."""
    if invoice.corrects is not None:
        return invoice.corrects.difference
    figures = invoice.figures
    return CorrectionSums(figures.net, figures.tax, figures.total, figures.taxes)


def _fa3_taxes(invoice: InvoiceDocument) -> set[Tax | None]:
    """Those of the lines and of the sums that are stated, which may have others: of advances, or from before."""
    sums = _fa3_stated(invoice)
    return _taxes_of_lines(invoice) | _by_tax(sums.net + 0, sums.taxes).keys()


def _fa3_sums(body: Xml.Element, sums: CorrectionSums) -> None:
    with localcontext(EXACT):
        found: dict[str, Decimal] = {}
        amounts = {tax_of_part(part): part.amount + 0 for part in sums.taxes}
        for tax, net in (_by_tax(sums.net + 0, sums.taxes) or {None: Decimal(0)}).items():
            for name, amount in _fa3_places(tax, net, Decimal(0) if tax is None else amounts.get(tax, Decimal(0))):
                found[name] = found.get(name, Decimal(0)) + amount
    order = [f"P_1{digit}_{at}" for at in range(1, 5) for digit in (3, 4)]
    for name in (*order, "P_13_6_1", "P_13_7", "P_13_8", "P_13_10"):
        if name in found:
            _add(body, name, _amount(found[name]))
    _add(body, "P_15", _amount(sums.total))


def _fa3_places(tax: Tax | None, net: Decimal, amount: Decimal) -> list[tuple[str, Decimal]]:
    if _is_exempt(tax) or tax is None:
        return [("P_13_7", net)]
    if tax.kind == "reverse_charge":
        return [("P_13_10", net)]
    if tax.kind == "outside":
        return [("P_13_8", net)]
    at = _FA3_SUMS.get(int(tax.rate))
    return [("P_13_6_1", net)] if at is None else [(f"P_13_{at}", net), (f"P_14_{at}", amount)]


def _fa3_marks(body: Xml.Element, invoice: InvoiceDocument) -> None:
    marks = _add(body, "Adnotacje")
    taxes = _fa3_taxes(invoice)
    # Split payment is for goods and services of an annex to the law, which nobody has named: the accountant decides.
    for name, text in (
        ("P_16", "2"),
        ("P_17", "2"),
        ("P_18", "1" if Tax("reverse_charge") in taxes else "2"),
        ("P_18A", "2"),
    ):
        _add(marks, name, text)
    exempt = _add(marks, "Zwolnienie")
    if any(map(_is_exempt, taxes)):
        _add(exempt, "P_19", "1")
        _add(exempt, "P_19A", invoice.exempt_reason)
    else:
        _add(exempt, "P_19N", "1")
    _add(_add(marks, "NoweSrodkiTransportu"), "P_22N", "1")
    _add(marks, "P_23", "2")
    _add(_add(marks, "PMarzy"), "P_PMarzyN", "1")


class _FlatLine(Struct, frozen=True):
    """A line with its part of markup and discount. `discount` is what was taken off, where nothing was added."""

    line: InvoiceLine
    price: Decimal
    discount: Decimal
    net: Decimal


def _flat_lines(invoice: InvoiceDocument, figures: Figures) -> list[_FlatLine]:
    """The form has no discount of the whole: it is in the lines of each tax, in proportion."""
    nets = net_lines(figures, invoice.currency)
    groups: dict[Tax | None, list[int]] = {}
    for at, line in enumerate(figures.lines):
        groups.setdefault(None if line.tax is UNSET else line.tax, []).append(at)
    left = {tax_of_part(part): part.net + 0 for part in figures.taxes}
    found: list[_FlatLine | None] = [None] * len(nets)
    with localcontext(EXACT):
        deducted = {tax_of_part(part): part.net + 0 for part in figures.deducted}
        for tax, places in groups.items():
            whole = (
                figures.net + figures.deducted_net
                if tax is None
                else left.get(tax, Decimal(0)) + deducted.get(tax, Decimal(0))
            )
            before = [nets[at] for at in places]
            # Of a correction to nothing.
            after = allocated(before, whole, invoice.currency) if any(before) else before
            for at, net in zip(places, after, strict=True):
                line, was = figures.lines[at], nets[at]
                price = _net_price(figures, line, was if net <= was else net)
                found[at] = _FlatLine(line, price.quantize(Decimal("1e-8")), max(was - net, Decimal(0)), net)
    return [each for each in found if each is not None]


def _fa3_tax(tax: Tax | None) -> str:
    if tax is None or tax.kind is not None:
        return _FA3_KINDS["exempt" if tax is None or tax.kind is None else tax.kind]
    return _FA3_RATES[int(tax.rate)]


def _fa3_lines(body: Xml.Element, invoice: InvoiceDocument) -> None:
    rows: list[tuple[bool, _FlatLine]] = []
    if invoice.lines_before is not None:
        rows += [(True, each) for each in _flat_lines(invoice, invoice.lines_before)]
    rows += [(False, each) for each in _flat_lines(invoice, invoice.figures)]
    for at, (was_before, each) in enumerate(rows, 1):
        row, line = _add(body, "FaWiersz"), each.line
        _add(row, "NrWierszaFa", str(at))
        _add(row, "P_7", line.label[:512])
        if _FA3_UNITS[line.unit]:
            _add(row, "P_8A", _FA3_UNITS[line.unit])
        _add(row, "P_8B", _number(line.quantity))
        _add(row, "P_9A", _number(each.price))
        if each.discount:
            _add(row, "P_10", _amount(each.discount))
        _add(row, "P_11", _amount(each.net))
        _add(row, "P_12", _fa3_tax(None if line.tax is UNSET else line.tax))
        if was_before:
            _add(row, "StanPrzed", "1")


def _fa3_payment(body: Xml.Element, invoice: InvoiceDocument) -> None:
    method = _FA3_METHODS.get(invoice.method or ("transfer" if invoice.seller.iban else ""), "")
    if invoice.due_date is None and not method and not invoice.seller.iban:
        return
    payment = _add(body, "Platnosc")
    if invoice.due_date is not None:
        _add(_add(payment, "TerminPlatnosci"), "Termin", _day(invoice.due_date))
    if method:
        _add(payment, "FormaPlatnosci", method)
    iban = _iban(invoice)
    if 10 <= len(iban) <= 34:
        _add(_add(payment, "RachunekBankowy"), "NrRB", iban)


def _fa3_order(body: Xml.Element, invoice: InvoiceDocument) -> None:
    """What an advance is for: the lines and the value of the whole order, with tax."""
    whole = invoice.ordered or invoice.figures
    order = _add(body, "Zamowienie")
    _add(order, "WartoscZamowienia", _amount(whole.total))
    for at, each in enumerate(_flat_lines(invoice, whole), 1):
        row, line = _add(order, "ZamowienieWiersz"), each.line
        tax = None if line.tax is UNSET else line.tax
        _add(row, "NrWierszaZam", str(at))
        _add(row, "P_7Z", line.label[:512])
        if _FA3_UNITS[line.unit]:
            _add(row, "P_8AZ", _FA3_UNITS[line.unit])
        _add(row, "P_8BZ", _number(line.quantity))
        _add(row, "P_9AZ", _number(each.price))
        _add(row, "P_11NettoZ", _amount(each.net))
        rate = Decimal(0) if tax is None else tax.rate
        with localcontext(EXACT):
            _add(row, "P_11VatZ", _amount(each.net * rate / 100))
        _add(row, "P_12Z", _fa3_tax(tax))
