"""Texts of emails about a shared estimate: to the client, and to the owners of the workshop."""

from backbench.mail.email_text import EmailText
from backbench.values.enums import UserLocale

# The client knows the workshop, and has perhaps never heard of Backbench. `sent_with` is SENT_WITH, or "".
_FROM_WORKSHOP: dict[UserLocale, str] = {
    "en": "Kind regards,\n{workshop}{contact}{sent_with}",
    "pl": "Z pozdrowieniami\n{workshop}{contact}{sent_with}",
}
SENT_WITH: dict[UserLocale, str] = {
    "en": "\nsent with Backbench · {host}",
    "pl": "\nwysłano z Backbench · {host}",
}
_AFTER_SHARED: dict[UserLocale, list[str]] = {
    "en": [
        "You don’t need an account. Please keep the link to yourself: anyone who has it can answer for you.",
        "If you weren’t expecting {a_noun}, ignore this email.",
    ],
    "pl": [
        (
            "Konto nie jest potrzebne. Prosimy nie przekazywać linku: każdy, kto go ma, może odpowiedzieć w Państwa "
            "imieniu."
        ),
        "Jeśli nie spodziewają się Państwo {this_genitive}, prosimy zignorować tę wiadomość.",
    ],
}
_AFTER_SHARED_FRIENDLY: dict[UserLocale, list[str]] = {
    "en": _AFTER_SHARED["en"],
    "pl": [
        "Konto nie jest potrzebne. Nie przekazuj linku dalej: każdy, kto go ma, może odpowiedzieć w Twoim imieniu.",
        "Jeśli nie spodziewasz się {this_genitive}, zignoruj tę wiadomość.",
    ],
}
_OPEN_DOCUMENT: dict[UserLocale, str] = {"en": "Open the {noun}", "pl": "Otwórz {accusative}"}
_HASHES: dict[UserLocale, str] = {
    "en": "Fingerprint of the document (SHA-256):\n{document_hash}\nFingerprint of the PDF (SHA-256):\n{pdf_hash}",
    "pl": "Suma kontrolna dokumentu (SHA-256):\n{document_hash}\nSuma kontrolna pliku PDF (SHA-256):\n{pdf_hash}",
}
_DECISION: dict[UserLocale, str] = {
    "en": "{name_row}Time: {decided_at}\n{total_label}: {total}{deposit_rows}",
    "pl": "{name_row}Czas: {decided_at}\n{total_label}: {total}{deposit_rows}",
}
_OF_WORKSHOP: dict[UserLocale, str] = {"en": "Workshop: {workshop}\n", "pl": "Warsztat: {workshop}\n"}
_AFTER_RECEIPT: dict[UserLocale, list[str]] = {
    "en": [
        (
            "Keep this email: it is your receipt. The {noun} is attached as a PDF. The fingerprints show whether a "
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
        button=_OPEN_DOCUMENT[locale],
        after=after[locale],
        closing=_FROM_WORKSHOP[locale],
    )


def _to_client(locale: UserLocale, *, subject: str, before: list[str], after: list[str]) -> EmailText:
    """What a client of a link hears of, with an address of the link."""
    return EmailText(
        subject=subject,
        before=before,
        button=_OPEN_DOCUMENT[locale],
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
        before=[text, _DECISION[locale], "{early_start}", _HASHES[locale]],
        after=[*filter(None, [after]), *_AFTER_RECEIPT[locale]],
        closing=_FROM_WORKSHOP[locale],
    )


def _decided(locale: UserLocale, *, subject: str, before: list[str], after: str) -> EmailText:
    """The same for the owners, with the evidence."""
    evidence = [_OF_WORKSHOP[locale] + _DECISION[locale], "{early_start}", _HASHES[locale]]
    return EmailText(subject=subject, before=[*before, *evidence], button=_OPEN_DOCUMENT[locale], after=[after])


SHARING_TEXTS: dict[str, dict[UserLocale, EmailText]] = {
    "estimate_shared_formal": {
        "en": _shared(
            "en",
            subject="{title} from {workshop}",
            text="Thank you for your enquiry. Our {noun}{estimate} is ready: you can read it, ask questions and "
            "answer it online. {valid_until}",
            after=_AFTER_SHARED,
        ),
        "pl": _shared(
            "pl",
            subject="{title}: {workshop}",
            text="dziękujemy za zapytanie. Przesyłamy {accusative}{estimate}. Na stronie można wszystko przeczytać, "
            "zadać pytania i od razu odpowiedzieć. {valid_until}",
            after=_AFTER_SHARED,
        ),
    },
    "estimate_shared_friendly": {
        "en": _shared(
            "en",
            subject="Your {noun} from {workshop}",
            text="Here is your {noun}{estimate}. Have a look, ask if anything is unclear, and if you like it, "
            "you can accept it there too. {valid_until}",
            after=_AFTER_SHARED_FRIENDLY,
        ),
        "pl": _shared(
            "pl",
            subject="{title} dla Ciebie: {workshop}",
            text="oto {noun}{estimate}. Obejrzyj wszystko spokojnie, dopytaj, jeśli coś jest niejasne, a jeśli Ci "
            "odpowiada, przyjmij {accusative} od razu na stronie. {valid_until}",
            after=_AFTER_SHARED_FRIENDLY,
        ),
    },
    "estimate_revised": {
        "en": _to_client(
            "en",
            subject="New revision of your {noun}: {workshop}",
            before=["Your {noun}{estimate} has changed. The new revision is on the same page as before. {valid_until}"],
            after=["The previous revision can no longer be accepted."],
        ),
        "pl": _to_client(
            "pl",
            subject="Nowa wersja {genitive}: {workshop}",
            before=["jest nowa wersja {genitive}{estimate}, na tej samej stronie co poprzednia. {valid_until}"],
            after=["Poprzedniej wersji nie można już przyjąć."],
        ),
    },
    "comment_answered": {
        "en": _to_client(
            "en",
            subject="Answer from {workshop}",
            before=["{workshop} has answered your question about the {noun}{estimate}:", "{text}"],
            after=["You can ask more on the page."],
        ),
        "pl": _to_client(
            "pl",
            subject="Odpowiedź: {workshop}",
            before=["odpowiedź w sprawie {genitive}{estimate}:", "{text}"],
            after=["Kolejne pytania można zadać na tej samej stronie."],
        ),
    },
    "decision_voided": {
        "en": _to_client(
            "en",
            subject="Your decision was withdrawn: {workshop}",
            before=[
                "{workshop} has withdrawn the decision of {decided_at} about the {noun}{estimate}. Reason:",
                "{text}",
                "The {noun} is open again: you can answer once more.",
            ],
            after=["If you did not agree to this, reply to this email or call the workshop."],
        ),
        "pl": _to_client(
            "pl",
            subject="Decyzja cofnięta: {workshop}",
            before=[
                "wykonawca cofnął decyzję z {decided_at} w sprawie {genitive}{estimate}. Powód:",
                "{text}",
                "Na stronie można odpowiedzieć jeszcze raz.",
            ],
            after=["Jeśli nie było to uzgodnione, prosimy odpowiedzieć na tę wiadomość albo zadzwonić do wykonawcy."],
        ),
    },
    "decision_recorded_accepted": {
        "en": _recorded(
            "en",
            subject="Noted: {noun} accepted",
            text="{workshop} has noted that you accepted the {noun}{estimate} {method}.",
        ),
        "pl": _recorded(
            "pl",
            subject="Zapisano przyjęcie {genitive}",
            text="wykonawca zapisał, że {noun}{estimate} {was} {accepted} {method}.",
        ),
    },
    "decision_recorded_declined": {
        "en": _recorded(
            "en",
            subject="Noted: {noun} declined",
            text="{workshop} has noted that you declined the {noun}{estimate} {method}.",
        ),
        "pl": _recorded(
            "pl",
            subject="Zapisano odrzucenie {genitive}",
            text="wykonawca zapisał, że {noun}{estimate} {was} {declined} {method}.",
        ),
    },
    "decision_receipt_accepted": {
        "en": _receipt(
            "en",
            subject="Receipt: {noun} accepted",
            text="You have accepted the {noun}{estimate}.",
            after="This is a simple electronic signature.",
        ),
        "pl": _receipt(
            "pl",
            subject="Potwierdzenie przyjęcia {genitive}",
            text="{noun}{estimate} {was} {accepted}.",
            after="To zwykły podpis elektroniczny.",
        ),
    },
    "decision_receipt_declined": {
        "en": _receipt("en", subject="Receipt: {noun} declined", text="You have declined the {noun}{estimate}."),
        "pl": _receipt("pl", subject="Potwierdzenie odrzucenia {genitive}", text="{noun}{estimate} {was} {declined}."),
    },
    "estimate_decided_accepted": {
        "en": _decided(
            "en",
            subject="Accepted: {subject}",
            before=["The client has accepted the {noun}{estimate}."],
            after="The certificate of this decision can be downloaded there. This email is a copy of the evidence.",
        ),
        "pl": _decided(
            "pl",
            subject="{title} {accepted}: {subject}",
            before=["klient przyjmuje {accusative}{estimate}."],
            after="Tam można pobrać poświadczenie tej decyzji. Ta wiadomość jest kopią danych dowodowych.",
        ),
    },
    "estimate_decided_declined": {
        "en": _decided(
            "en",
            subject="Declined: {subject}",
            before=["The client has declined the {noun}{estimate}.", "{reason}"],
            after="To make another offer, change it, confirm the new revision, and show it with the same link.",
        ),
        "pl": _decided(
            "pl",
            subject="{title} {declined}: {subject}",
            before=["klient odrzuca {accusative}{estimate}.", "{reason}"],
            after="Po zmianach można zatwierdzić nową wersję i pokazać ją klientowi tym samym linkiem.",
        ),
    },
    "estimate_commented": {
        "en": EmailText(
            subject="Comment: {subject}",
            before=["New on the {noun}{estimate}:", "{texts}"],
            button=_OPEN_DOCUMENT["en"],
            after=["Your answer there appears on the client’s page."],
        ),
        "pl": EmailText(
            subject="Pytanie lub uwaga: {subject}",
            before=["nowe pytania lub uwagi do {genitive}{estimate}:", "{texts}"],
            button=_OPEN_DOCUMENT["pl"],
            after=["Twoja odpowiedź pojawi się na stronie klienta."],
        ),
    },
}
