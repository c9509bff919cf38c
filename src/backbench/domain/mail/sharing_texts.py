"""Texts of emails about a shared estimate: to the client, and to the owners of the workshop."""

from backbench.domain.mail.email_text import OPEN, EmailText
from backbench.domain.values.enums import UserLocale

# The client knows the workshop, and has perhaps never heard of Backbench.
_FROM_WORKSHOP: dict[UserLocale, str] = {
    "en": "Kind regards,\n{workshop}{contact}\nsent with Backbench",
    "pl": "Z pozdrowieniami\n{workshop}{contact}\nwysłano z Backbench",
}
_AFTER_SHARED: dict[UserLocale, list[str]] = {
    "en": [
        "You don’t need an account. Please keep the link to yourself: anyone who has it can answer for you.",
        "If you weren’t expecting an estimate, ignore this email.",
    ],
    "pl": [
        (
            "Konto nie jest potrzebne. Prosimy nie przekazywać linku: każdy, kto go ma, może odpowiedzieć w Państwa "
            "imieniu."
        ),
        "Jeśli nie spodziewają się Państwo tej wyceny, prosimy zignorować tę wiadomość.",
    ],
}
_AFTER_SHARED_FRIENDLY: dict[UserLocale, list[str]] = {
    "en": _AFTER_SHARED["en"],
    "pl": [
        "Konto nie jest potrzebne. Nie przekazuj linku dalej: każdy, kto go ma, może odpowiedzieć w Twoim imieniu.",
        "Jeśli nie czekasz na żadną wycenę, zignoruj tę wiadomość.",
    ],
}
_HASHES: dict[UserLocale, str] = {
    "en": "Fingerprint of the document (SHA-256):\n{document_hash}\nFingerprint of the PDF (SHA-256):\n{pdf_hash}",
    "pl": "Suma kontrolna dokumentu (SHA-256):\n{document_hash}\nSuma kontrolna pliku PDF (SHA-256):\n{pdf_hash}",
}
_DECISION: dict[UserLocale, str] = {
    "en": "Name: {name}\nTime: {decided_at}\n{total_label}: {total}",
    "pl": "Imię i nazwisko: {name}\nCzas: {decided_at}\n{total_label}: {total}",
}
_OF_WORKSHOP: dict[UserLocale, str] = {"en": "Workshop: {workshop}\n", "pl": "Warsztat: {workshop}\n"}
_AFTER_RECEIPT: dict[UserLocale, list[str]] = {
    "en": [
        (
            "Keep this email: it is your receipt. The estimate is attached as a PDF. The fingerprints show whether a "
            "document is the one you answered."
        ),
        "If this wasn’t you, reply to this email or call the workshop.",
    ],
    "pl": [
        (
            "Prosimy zachować tę wiadomość: to potwierdzenie. Dokument jest w załączniku PDF. Sumy kontrolne pokażą, "
            "czy dany dokument to ten, którego dotyczy odpowiedź."
        ),
        "Jeśli ta odpowiedź nie pochodzi od Państwa, prosimy odpisać albo zadzwonić do wykonawcy.",
    ],
}
_AFTER_RECORDED: dict[UserLocale, list[str]] = {
    "en": ["If this is not so, reply to this email or call the workshop."],
    "pl": ["Jeśli tak nie było, prosimy odpowiedzieć na tę wiadomość albo zadzwonić do wykonawcy."],
}


def _shared(locale: UserLocale, *, subject: str, text: str, after: dict[UserLocale, list[str]]) -> EmailText:
    """The estimate, with the message of the workshop."""
    return EmailText(
        subject=subject,
        before=[text, "{message}"],
        button={"en": "Open the estimate", "pl": "Otwórz wycenę"}[locale],
        after=after[locale],
        closing=_FROM_WORKSHOP[locale],
    )


def _to_client(locale: UserLocale, *, subject: str, before: list[str], after: list[str]) -> EmailText:
    """What a client of a link hears of, with an address of the link."""
    return EmailText(
        subject=subject,
        before=before,
        button={"en": "Open the estimate", "pl": "Otwórz wycenę"}[locale],
        after=after,
        closing=_FROM_WORKSHOP[locale],
    )


def _recorded(locale: UserLocale, *, subject: str, text: str) -> EmailText:
    """A decision that a member has recorded for the client."""
    return _to_client(locale, subject=subject, before=[text, _DECISION[locale]], after=_AFTER_RECORDED[locale])


def _receipt(locale: UserLocale, *, subject: str, text: str, after: str | None = None) -> EmailText:
    """What the client has decided."""
    return EmailText(
        subject=subject,
        before=[text, _DECISION[locale], _HASHES[locale]],
        after=[*filter(None, [after]), *_AFTER_RECEIPT[locale]],
        closing=_FROM_WORKSHOP[locale],
    )


def _decided(locale: UserLocale, *, subject: str, before: list[str], after: str) -> EmailText:
    """The same for the owners, with the evidence."""
    evidence = [_OF_WORKSHOP[locale] + _DECISION[locale], _HASHES[locale]]
    return EmailText(subject=subject, before=[*before, *evidence], button=OPEN[locale], after=[after])


SHARING_TEXTS: dict[str, dict[UserLocale, EmailText]] = {
    "estimate_shared_formal": {
        "en": _shared(
            "en",
            subject="Estimate from {workshop}",
            text="Thank you for your enquiry. Our estimate{estimate} is ready: you can read it, ask questions and "
            "answer it online. {valid_until}",
            after=_AFTER_SHARED,
        ),
        "pl": _shared(
            "pl",
            subject="Wycena: {workshop}",
            text="dziękujemy za zapytanie. Przesyłamy wycenę{estimate}. Można ją przeczytać w przeglądarce, zadać "
            "pytania i od razu na nią odpowiedzieć. {valid_until}",
            after=_AFTER_SHARED,
        ),
    },
    "estimate_shared_friendly": {
        "en": _shared(
            "en",
            subject="Your estimate from {workshop}",
            text="Here is your estimate{estimate}. Have a look, ask if anything is unclear, and if you like it, "
            "you can accept it there too. {valid_until}",
            after=_AFTER_SHARED_FRIENDLY,
        ),
        "pl": _shared(
            "pl",
            subject="Twoja wycena: {workshop}",
            text="Twoja wycena{estimate} jest gotowa. Obejrzyj ją spokojnie, dopytaj, jeśli coś jest niejasne, "
            "a jeśli Ci odpowiada, przyjmij ją od razu na stronie. {valid_until}",
            after=_AFTER_SHARED_FRIENDLY,
        ),
    },
    "estimate_revised": {
        "en": _to_client(
            "en",
            subject="New version of your estimate: {workshop}",
            before=[
                "Your estimate{estimate} has changed. The new version is on the same page as before. {valid_until}"
            ],
            after=["The version before can no longer be accepted."],
        ),
        "pl": _to_client(
            "pl",
            subject="Nowa wersja wyceny: {workshop}",
            before=["jest nowa wersja wyceny{estimate}. Jest na tej samej stronie, co poprzednia. {valid_until}"],
            after=["Poprzedniej wersji nie można już przyjąć."],
        ),
    },
    "comment_answered": {
        "en": _to_client(
            "en",
            subject="Answer from {workshop}",
            before=["An answer about the estimate{estimate}:", "{text}"],
            after=["You can ask more on the page."],
        ),
        "pl": _to_client(
            "pl",
            subject="Odpowiedź: {workshop}",
            before=["odpowiedź w sprawie wyceny{estimate}:", "{text}"],
            after=["Kolejne pytania można zadać na stronie wyceny."],
        ),
    },
    "decision_voided": {
        "en": _to_client(
            "en",
            subject="Your decision was cancelled: {workshop}",
            before=[
                "{workshop} has cancelled the decision about the estimate{estimate} of {decided_at}. Reason:",
                "{text}",
            ],
            after=["If you did not agree to this, reply to this email or call the workshop."],
        ),
        "pl": _to_client(
            "pl",
            subject="Decyzja cofnięta: {workshop}",
            before=[
                "wykonawca cofnął decyzję w sprawie wyceny{estimate} (podjętą: {decided_at}). Powód:",
                "{text}",
            ],
            after=["Jeśli nie było to uzgodnione, prosimy odpowiedzieć na tę wiadomość albo zadzwonić do wykonawcy."],
        ),
    },
    "decision_recorded_accepted": {
        "en": _recorded(
            "en",
            subject="Noted: estimate accepted",
            text="{workshop} has noted that you accepted the estimate{estimate} {method}.",
        ),
        "pl": _recorded(
            "pl",
            subject="Zapisano przyjęcie wyceny",
            text="wykonawca zapisał, że wycena{estimate} została przyjęta {method}.",
        ),
    },
    "decision_recorded_declined": {
        "en": _recorded(
            "en",
            subject="Noted: estimate declined",
            text="{workshop} has noted that you declined the estimate{estimate} {method}.",
        ),
        "pl": _recorded(
            "pl",
            subject="Zapisano odrzucenie wyceny",
            text="wykonawca zapisał, że wycena{estimate} została odrzucona {method}.",
        ),
    },
    "decision_receipt_accepted": {
        "en": _receipt(
            "en",
            subject="Receipt: estimate accepted",
            text="You have accepted the estimate{estimate}.",
            after="This is a simple electronic signature.",
        ),
        "pl": _receipt(
            "pl",
            subject="Potwierdzenie przyjęcia wyceny",
            text="wycena{estimate} została przyjęta.",
            after="To zwykły podpis elektroniczny.",
        ),
    },
    "decision_receipt_declined": {
        "en": _receipt("en", subject="Receipt: estimate declined", text="You have declined the estimate{estimate}."),
        "pl": _receipt("pl", subject="Potwierdzenie odrzucenia wyceny", text="wycena{estimate} została odrzucona."),
    },
    "estimate_decided_accepted": {
        "en": _decided(
            "en",
            subject="Accepted: {total}",
            before=["The client has accepted the estimate{estimate}."],
            after="The certificate of this decision can be downloaded there. This email is a copy of the evidence.",
        ),
        "pl": _decided(
            "pl",
            subject="Wycena przyjęta: {total}",
            before=["klient przyjmuje wycenę{estimate}."],
            after="Tam można pobrać poświadczenie tej decyzji. Ta wiadomość jest kopią danych dowodowych.",
        ),
    },
    "estimate_decided_declined": {
        "en": _decided(
            "en",
            subject="Declined: {total}",
            before=["The client has declined the estimate{estimate}.", "{reason}"],
            after="A changed estimate is a new revision: show it to the client with the same link.",
        ),
        "pl": _decided(
            "pl",
            subject="Wycena odrzucona: {total}",
            before=["klient odrzuca wycenę{estimate}.", "{reason}"],
            after="Zmieniona wycena to nowa wersja: można ją pokazać klientowi tym samym linkiem.",
        ),
    },
    "estimate_commented": {
        "en": EmailText(
            subject="A comment on your estimate",
            before=["New on the estimate{estimate}:", "{texts}"],
            button=OPEN["en"],
            after=["Your answer there appears on the client’s page."],
        ),
        "pl": EmailText(
            subject="Uwagi do Twojej wyceny",
            before=["nowe uwagi do wyceny{estimate}:", "{texts}"],
            button=OPEN["pl"],
            after=["Twoja odpowiedź pojawi się na stronie klienta."],
        ),
    },
}
