"""Consents: the sentences that a client agrees to. A text that was shown is never changed; a new one gets a new id."""

from msgspec import Struct

from backbench.domain.documents.withdrawal import EARLY_START
from backbench.domain.estimating.document_titles import title_words
from backbench.domain.values.enums import DocumentLocale, DocumentTitle


class Consent(Struct, frozen=True):
    id: str
    text: str


_ACCEPT: dict[DocumentLocale, str] = {
    "en": (
        "I accept {the} and order the work described in it, with the obligation to pay. My name and, if given, my "
        "signature are stored as a simple electronic signature, together with the date and time, my IP address and my "
        "browser."
    ),
    "pl": (
        "Przyjmuję {the} i zlecam wykonanie opisanych w {inside} prac z obowiązkiem zapłaty. Moje imię i nazwisko oraz "
        "podpis, jeśli go złożę, zostaną zapisane jako zwykły podpis elektroniczny, wraz z datą i godziną, adresem IP "
        "i nazwą przeglądarki."
    ),
}
# The texts before: "accept-1".
_IDS: dict[DocumentTitle, str] = {
    "estimate": "accept-2",
    "quotation": "accept-2-quotation",
    "cost_estimate": "accept-2-cost-estimate",
}
# At the end of the id of a consent with the request for an early start.
_EARLY = "+early-start"


def acceptance(locale: DocumentLocale, title: DocumentTitle = "estimate") -> Consent:
    """The sentence of an acceptance, in the language of the document and with the title that it has."""
    words = title_words(title, locale)
    return Consent(_IDS[title], _ACCEPT[locale].format(the=words.the, inside=words.inside))


def with_early_start(consent: Consent, locale: DocumentLocale) -> Consent:
    """The sentence with the request that a client ticked besides, as it is stored."""
    return Consent(f"{consent.id}{_EARLY}", f"{consent.text} {EARLY_START[locale]}")


def early_start_in(consent: Consent | None, locale: DocumentLocale) -> str:
    """The request in a sentence that was agreed to; "" where the client did not tick it."""
    return EARLY_START[locale] if consent is not None and consent.id.endswith(_EARLY) else ""
