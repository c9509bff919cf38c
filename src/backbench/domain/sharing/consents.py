"""Consents: the sentences that a client agrees to. A text that was shown is never changed; a new one gets a new id."""

from msgspec import Struct

from backbench.domain.values.enums import DocumentLocale


class Consent(Struct, frozen=True):
    id: str
    text: str


_ACCEPT: dict[DocumentLocale, str] = {
    "en": (
        "I accept this estimate and order the work described in it. My name and, if given, my signature are stored as "
        "a simple electronic signature, together with the time, my network address and my browser."
    ),
    "pl": (
        "Akceptuję tę wycenę i zamawiam opisane w niej prace. Moje imię i nazwisko oraz podpis, jeśli go złożę, "
        "zostaną zapisane jako zwykły podpis elektroniczny, razem z czasem, adresem sieciowym i nazwą przeglądarki."
    ),
}


def acceptance(locale: DocumentLocale) -> Consent:
    """The sentence of an acceptance, in the language of the document."""
    return Consent("accept-1", _ACCEPT[locale])
