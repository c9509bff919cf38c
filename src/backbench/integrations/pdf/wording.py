"""Labels printed on an estimate, in each language of documents."""

from backbench.documents.documents import EstimateDocument
from backbench.documents.titles import title_words
from backbench.integrations.pdf.typesetting import legible
from backbench.values.enums import DocumentLocale

# In a cell that has no figure.
MISSING = "–"
# A longer label of the tax would take the width of a column; the headings then have the usual one.
LONGEST_TAX_LABEL = 12

LABELS: dict[DocumentLocale, dict[str, str]] = {
    "pl": {
        "preliminary": "Wycena wstępna",
        "recipient": "Dla",
        "site": "Miejsce prac",
        "document_number": "Numer",
        "issued": "Data",
        "revision": "Wersja",
        "number": "Lp.",
        "label": "Opis",
        "quantity": "Ilość",
        "price": "Cena jedn.",
        "amount": "Wartość",
        "net_price": "Cena\nnetto",
        "net_amount": "Wartość\nnetto",
        "gross_price": "Cena\nbrutto",
        "gross_amount": "Wartość\nbrutto",
        "free": "gratis",
        "optional": "opcja",
        "subtotal": "Suma pozycji",
        "net_subtotal": "Suma pozycji netto",
        "gross_subtotal": "Suma pozycji brutto",
        "markup": "Koszty ogólne i zysk",
        "discount": "Rabat",
        "net": "Razem netto",
        "tax": "VAT",
        "tax_of": "{label} {percent} od\u00a0{net}",
        "included": "w tym {text}",
        "exempt": "{label}: zwolnione",
        "reverse_charge": "{label}: odwrotne obciążenie",
        "outside": "{label}: nie podlega",
        "kind_of": "{kind}, od\u00a0{net}",
        "exempt_part": "Zwolnione z\u00a0{label}",
        "reverse_charge_part": "Odwrotne obciążenie {label}",
        "outside_part": "Nie podlega {label}",
        "exempt_short": "zw.",
        "reverse_charge_short": "np.",
        "outside_short": "np.",
        "section_sum": "Razem: {heading}",
        "to_carry": "Do przeniesienia",
        "carried": "Z przeniesienia",
        "total": "Razem",
        "total_with_tax": "Razem brutto",
        "deposit": "Zaliczka {percent}",
        "advance": "Zaliczka",
        "earnest": "Zadatek",
        "with_order": "{kind}, przy zamówieniu",
        "balance": "Pozostaje po wykonaniu",
        "share": "Przeczytaj, zapytaj i odpowiedz online:",
        "scan": "zeskanuj kod albo kliknij tutaj",
        "share_code": "Kod QR z adresem strony tego dokumentu",
        "acceptance": "Przyjmuję {accusative} i zlecam wykonanie prac.",
        "conditions": "Warunki",
        "lead_time": "Termin realizacji:",
        "account": "Rachunek bankowy:",
        "client": "Data i podpis klienta",
        "crafter": "Podpis wykonawcy",
        "rough": "Kwoty są orientacyjne i mogą się zmienić po ustaleniu szczegółów.",
        "tax_id": "NIP",
        "polish_tax_id": "NIP",
        "vat_number": "Nr VAT",
        "page": "Strona",
        "of": "z",
        "brand": "Przygotowano w Backbench",
    },
    "en": {
        "preliminary": "Preliminary estimate",
        "recipient": "Prepared for",
        "site": "Site",
        "document_number": "Number",
        "issued": "Date",
        "revision": "Revision",
        "number": "No.",
        "label": "Description",
        "quantity": "Quantity",
        "price": "Unit price",
        "amount": "Amount",
        "net_price": "Unit price\nexcl. {tax}",
        "net_amount": "Amount\nexcl. {tax}",
        "gross_price": "Unit price\nincl. {tax}",
        "gross_amount": "Amount\nincl. {tax}",
        "free": "no charge",
        "optional": "optional",
        "subtotal": "Subtotal",
        "net_subtotal": "Subtotal",
        "gross_subtotal": "Subtotal incl. {tax}",
        "markup": "Overheads and profit",
        "discount": "Discount",
        "net": "Total excl. {tax}",
        "tax": "VAT",
        "tax_of": "{label} {percent} on\u00a0{net}",
        "included": "of which {text}",
        "exempt": "{label} exempt",
        "reverse_charge": "{label}: reverse charge",
        "outside": "Outside the scope of {label}",
        "kind_of": "{kind}, on\u00a0{net}",
        "exempt_part": "Exempt from {label}",
        "reverse_charge_part": "{label} reverse charge",
        "outside_part": "Outside the scope of {label}",
        "exempt_short": "exempt",
        "reverse_charge_short": "reverse",
        "outside_short": "outside",
        "section_sum": "Subtotal: {heading}",
        "to_carry": "To carry forward",
        "carried": "Carried forward",
        "total": "Total",
        "total_with_tax": "Total incl. {tax}",
        "deposit": "Deposit {percent}",
        "advance": "Deposit",
        "earnest": "Earnest money",
        "with_order": "{kind}, with the order",
        "balance": "Balance on completion",
        "share": "Read it, ask and answer online:",
        "scan": "scan the code, or tap here",
        "share_code": "QR code with the address of this document’s page",
        "acceptance": "I accept {the} and order the work.",
        "conditions": "Terms",
        "lead_time": "Lead time:",
        "account": "Bank account:",
        "client": "Client: date and signature",
        "crafter": "Workshop: signature",
        "rough": "These figures are a first indication and may change once the details are settled.",
        "tax_id": "Tax ID",
        "polish_tax_id": "Tax ID",
        "vat_number": "VAT no.",
        "page": "Page",
        "of": "of",
        "brand": "Made with Backbench",
    },
}


def tax_label(document: EstimateDocument) -> str:
    """The workshop's label of the tax, or the usual one."""
    return legible(document.sums.tax_label) or LABELS[document.locale]["tax"]


def in_words(document: EstimateDocument, name: str) -> str:
    """A label with the tax's own label in it."""
    return LABELS[document.locale][name].format(tax=short_tax_label(document))


def short_tax_label(document: EstimateDocument) -> str:
    """The label of the tax where there is little space: the usual one for a long one."""
    label = tax_label(document)
    return label if len(label) <= LONGEST_TAX_LABEL else LABELS[document.locale]["tax"]


def price_words(document: EstimateDocument, name: str) -> str:
    """The label of a price, an amount or a subtotal: whether it includes the tax, if there is one."""
    if not document.sums.is_taxed:
        return LABELS[document.locale][name]
    return in_words(document, f"{'gross' if document.sums.is_gross else 'net'}_{name}")


def kind_words(document: EstimateDocument) -> str:
    """What the document is called: a preliminary one has no title of its own."""
    if document.preliminary:
        return LABELS[document.locale]["preliminary"]
    return title_words(document.title, document.locale).name
