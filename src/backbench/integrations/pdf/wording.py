"""Labels of an estimate that depend on it: on its tax, its title and whether it is preliminary."""

from backbench.documents.documents import EstimateDocument
from backbench.documents.titles import title_words
from backbench.integrations.pdf.typesetting import legible
from backbench.words import words

# In a cell that has no figure.
MISSING = "–"
# A longer label of the tax would take the width of a column; the headings then have the usual one.
LONGEST_TAX_LABEL = 12


def tax_label(document: EstimateDocument) -> str:
    """The workshop's label of the tax, or the usual one."""
    return legible(document.sums.tax_label) or words(document.locale).paper["tax"]


def in_words(document: EstimateDocument, name: str) -> str:
    """A label with the tax's own label in it."""
    return words(document.locale).paper[name].format(tax=short_tax_label(document))


def short_tax_label(document: EstimateDocument) -> str:
    """The label of the tax where there is little space: the usual one for a long one."""
    label = tax_label(document)
    return label if len(label) <= LONGEST_TAX_LABEL else words(document.locale).paper["tax"]


def price_words(document: EstimateDocument, name: str) -> str:
    """The label of a price, an amount or a subtotal: whether it includes the tax, if there is one."""
    if not document.sums.is_taxed:
        return words(document.locale).paper[name]
    return in_words(document, f"{'gross' if document.sums.is_gross else 'net'}_{name}")


def kind_words(document: EstimateDocument) -> str:
    """What the document is called: a preliminary one has no title of its own."""
    if document.preliminary:
        return words(document.locale).paper["preliminary"]
    return title_words(document.title, document.locale).title
