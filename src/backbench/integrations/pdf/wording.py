"""Labels printed on an estimate, in each language of documents."""

from backbench.domain.documents.documents import EstimateDocument
from backbench.domain.values.enums import DocumentLocale
from backbench.integrations.pdf.glyphs import legible

# In a cell that has no figure.
MISSING = "–"
# A longer label of the tax would take the width of a column; the headings then have the usual one.
LONGEST_TAX_LABEL = 12

LABELS: dict[DocumentLocale, dict[str, str]] = {
    "pl": {
        "kind": "Wycena",
        "preliminary": "Wycena wstępna",
        "recipient": "Dla",
        "site": "Miejsce prac",
        "document_number": "Numer",
        "issued": "Data",
        "valid": "Ważna do",
        "revision": "Wersja",
        "number": "Lp.",
        "label": "Opis",
        "quantity": "Ilość",
        "price": "Cena jedn.",
        "amount": "Wartość",
        "net_price": "Cena netto",
        "net_amount": "Wartość netto",
        "free": "gratis",
        "optional": "opcja",
        "subtotal": "Suma pozycji",
        "net_subtotal": "Suma pozycji netto",
        "markup": "Koszty ogólne i zysk",
        "discount": "Rabat",
        "net": "Razem netto",
        "tax": "VAT",
        "tax_of": "{label} {percent} od {net}",
        "total": "Razem",
        "total_with_tax": "Razem brutto",
        "deposit": "Zaliczka {percent}",
        "share": "Przeczytaj, zapytaj i odpowiedz online:",
        "share_code": "Kod QR z adresem strony tej wyceny",
        "acceptance": "Przyjmuję wycenę i zlecam wykonanie prac.",
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
        "kind": "Estimate",
        "preliminary": "Preliminary estimate",
        "recipient": "Prepared for",
        "site": "Site",
        "document_number": "Number",
        "issued": "Date",
        "valid": "Valid until",
        "revision": "Revision",
        "number": "No.",
        "label": "Description",
        "quantity": "Quantity",
        "price": "Unit price",
        "amount": "Amount",
        "net_price": "Unit price excl. {tax}",
        "net_amount": "Amount excl. {tax}",
        "free": "no charge",
        "optional": "optional",
        "subtotal": "Subtotal",
        "net_subtotal": "Subtotal",
        "markup": "Markup",
        "discount": "Discount",
        "net": "Total excl. {tax}",
        "tax": "VAT",
        "tax_of": "{label} {percent} on {net}",
        "total": "Total",
        "total_with_tax": "Total incl. {tax}",
        "deposit": "Deposit {percent}",
        "share": "Read it, ask and answer online:",
        "share_code": "QR code with the address of this estimate’s page",
        "acceptance": "I accept this estimate and order the work.",
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
    label = tax_label(document)
    return LABELS[document.locale][name].format(
        tax=label if len(label) <= LONGEST_TAX_LABEL else LABELS[document.locale]["tax"]
    )
