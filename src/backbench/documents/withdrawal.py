"""Withdrawal: what a document tells a consumer about the right to withdraw, and the request for an early start.

The workshop chooses the sentence, and is responsible for the choice: see docs/guide/pdf.md for the sources.
"""

from backbench.values.enums import DocumentLocale, Withdrawal

WITHDRAWAL: dict[DocumentLocale, dict[Withdrawal, str]] = {
    "pl": {
        "none": "",
        "bespoke": "Przedmiot umowy jest wykonywany według specyfikacji klienta, dlatego konsumentowi nie przysługuje "
        "prawo odstąpienia od umowy zawartej na odległość lub poza lokalem (art. 38 ust. 1 pkt 3 ustawy o prawach "
        "konsumenta).",
        "fourteen_days": "Konsument może odstąpić od umowy zawartej na odległość lub poza lokalem w ciągu 14 dni, bez "
        "podania przyczyny, składając wykonawcy oświadczenie. Wzór formularza wysyłamy na prośbę.",
        "start_early": "Konsument może odstąpić od umowy zawartej na odległość lub poza lokalem w ciągu 14 dni, bez "
        "podania przyczyny, składając wykonawcy oświadczenie. Wzór formularza wysyłamy na prośbę. Prace zaczynamy "
        "przed upływem tego terminu tylko na wyraźne żądanie klienta; odstępując po ich rozpoczęciu, płaci on za to, "
        "co wykonano, a po pełnym wykonaniu usługi prawo odstąpienia wygasa.",
    },
    "en": {
        "none": "",
        "bespoke": "The work is made to the client’s specification, so a consumer has no right to withdraw from a "
        "contract made at a distance or away from business premises.",
        "fourteen_days": "A consumer may withdraw from a contract made at a distance or away from business premises "
        "within 14 days, without giving a reason, by telling the workshop. A form is sent on request.",
        "start_early": "A consumer may withdraw from a contract made at a distance or away from business premises "
        "within 14 days, without giving a reason, by telling the workshop. A form is sent on request. Work starts "
        "before that time has passed only at the client’s express request; a client who withdraws after that pays for "
        "what has been done, and once a service is complete the right is lost.",
    },
}
# What the client agrees to by a tick of its own.
EARLY_START: dict[DocumentLocale, str] = {
    "pl": "Proszę o rozpoczęcie prac przed upływem 14 dni na odstąpienie od umowy. Wiem, że po pełnym wykonaniu "
    "usługi stracę prawo odstąpienia, a odstępując wcześniej, zapłacę za to, co już wykonano.",
    "en": "Please start the work before the 14 days for withdrawal have passed. I know that I lose the right to "
    "withdraw once the service is complete, and that I pay for what has been done if I withdraw earlier.",
}
PRIVACY: dict[DocumentLocale, str] = {
    "pl": "Administratorem danych jest {workshop}. Imię i nazwisko, podpis, adres IP i nazwę przeglądarki "
    "przechowujemy jako dowód umowy.",
    "en": "{workshop} is the controller of this data and keeps the name, signature, IP address and browser as evidence "
    "of the contract.",
}
MORE_ON_PRIVACY: dict[DocumentLocale, str] = {"pl": "Więcej: {url}", "en": "More: {url}"}
