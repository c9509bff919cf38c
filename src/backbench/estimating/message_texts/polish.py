"""Polish messages.

They avoid forms that need declension or a guess at gender: no vocatives, no Pan or Pani, no gendered verbs. Names are
used in the nominative only, where a person, company or family fits.
"""

from backbench.documents.titles import title_words
from backbench.estimating.message_texts.facts import (
    MessageFacts,
    MessageText,
    deposit_sentence,
    first_or_revised,
    is_revised,
    quoted_name,
    sentences,
    total_text,
    validity_sentence,
)


def formal(facts: MessageFacts) -> MessageText:
    words = title_words(facts.title, "pl")
    return MessageText(
        subject=f"{_polish_subject(facts)}: {facts.estimate_name}",
        greeting="Szanowni Państwo,",
        opening=f"{_polish_formal_opening(facts)} {_polish_accusative(facts)}{_polish_name(facts)}.",
        total=sentences(f"Łączna kwota: {total_text(facts, 'pl')}.", deposit_sentence(facts, "pl")),
        validity=validity_sentence(
            facts,
            "pl",
            f"{words.name} jest {words.valid.partition(' ')[0].lower()} do {{}}\u00a0r.",
            "Jeśli odpowiada Państwa oczekiwaniom, prosimy o potwierdzenie do tego dnia.",
        ),
        offer="Chętnie odpowiemy na pytania, a w razie potrzeby dostosujemy zakres prac.",
        closing="Z poważaniem",
    )


def formal_preliminary(facts: MessageFacts) -> MessageText:
    return MessageText(
        subject=f"{first_or_revised(facts, 'Wstępna wycena', 'Poprawiona wstępna wycena')}: {facts.estimate_name}",
        greeting="Szanowni Państwo,",
        opening=f"{_polish_formal_opening(facts)} "
        f"{first_or_revised(facts, 'wstępną wycenę', 'poprawioną wstępną wycenę')}{_polish_name(facts)}.",
        total=f"Orientacyjna kwota: {total_text(facts, 'pl')}. Ostateczną cenę podamy po ustaleniu szczegółów.",
        offer="Prosimy o informację, czy zaproponowany zakres odpowiada Państwa oczekiwaniom.",
        closing="Z poważaniem",
    )


def friendly(facts: MessageFacts) -> MessageText:
    enclosed = "w załączniku przesyłam" if facts.with_pdf else "przesyłam"
    return MessageText(
        subject=f"{_polish_subject(facts)}: {facts.estimate_name}",
        greeting="Dzień dobry,",
        opening=f"{enclosed} {_polish_accusative(facts)}{_polish_name(facts)}.",
        total=sentences(f"Całość wyniesie {total_text(facts, 'pl')}.", deposit_sentence(facts, "pl")),
        validity=validity_sentence(
            facts, "pl", "Cena jest aktualna do {}\u00a0r.", "Jeśli wszystko pasuje, wystarczy krótka odpowiedź."
        ),
        offer="W razie pytań albo zmian proszę śmiało pisać lub dzwonić.",
        closing="Pozdrawiam serdecznie",
    )


def friendly_preliminary(facts: MessageFacts) -> MessageText:
    enclosed = "w załączniku przesyłam" if facts.with_pdf else "przesyłam"
    return MessageText(
        subject=f"{first_or_revised(facts, 'Wstępna wycena', 'Poprawiona wstępna wycena')}: {facts.estimate_name}",
        greeting="Dzień dobry,",
        opening=f"{enclosed} {first_or_revised(facts, 'wstępną wycenę', 'poprawioną wstępną wycenę')}"
        f"{_polish_name(facts)}, żeby było wiadomo, czego się spodziewać.",
        total=f"Na razie wychodzi {total_text(facts, 'pl')}. To kwota orientacyjna, dokładną podam, "
        "gdy ustalimy szczegóły.",
        offer="Proszę dać znać, czy to dobry kierunek. Na pytania chętnie odpowiem.",
        closing="Pozdrawiam serdecznie",
    )


def _polish_subject(facts: MessageFacts) -> str:
    words = title_words(facts.title, "pl")
    revised = "Poprawiony" if facts.title == "cost_estimate" else "Poprawiona"
    return first_or_revised(facts, words.name, f"{revised} {words.noun}")


def _polish_accusative(facts: MessageFacts) -> str:
    words = title_words(facts.title, "pl")
    revised = "poprawiony" if facts.title == "cost_estimate" else "poprawioną"
    return first_or_revised(facts, words.accusative, f"{revised} {words.accusative}")


def _polish_formal_opening(facts: MessageFacts) -> str:
    """A revised estimate is no answer to an enquiry."""
    enclosed = "w załączniku przesyłamy" if facts.with_pdf else "przesyłamy"
    if is_revised(facts):
        return f"zgodnie z ustaleniami {enclosed}"
    return f"dziękujemy za zapytanie. {enclosed[:1].upper()}{enclosed[1:]}"


def _polish_name(facts: MessageFacts) -> str:
    """The estimate's name in quotes, with the version of a revised one. The recipient knows who they are."""
    version = f" (wersja {facts.revision_number})" if is_revised(facts) else ""
    return f"{quoted_name(facts, ' {}', 'pl')}{version}"
