"""Texts of emails about a workshop: its members and its plan."""

from backbench.mail.email_text import OPEN, EmailText
from backbench.values.enums import UserLocale

_FREE_PLAN: dict[UserLocale, str] = {
    "en": (
        "On the free plan, a workshop has {storage} for files and {revisions} confirmed revisions per estimate, and "
        "its PDFs carry the Backbench mark. What you have stays; you just can’t add files or revisions beyond these "
        "limits."
    ),
    "pl": (
        "W planie bezpłatnym warsztat ma {storage} na pliki i do {revisions} zatwierdzonych wersji każdej wyceny, "
        "a na plikach PDF jest znak Backbench. Wszystko, co masz, zostaje; nie dodasz tylko nowych plików ani wersji "
        "ponad te limity."
    ),
}
WORKSHOP_TEXTS: dict[str, dict[UserLocale, EmailText]] = {
    "invitation": {
        "en": EmailText(
            subject="An invitation to a workshop",
            before=["{inviter} has invited you to join {workshop} on Backbench."],
            button="Join the workshop",
            after=[
                (
                    "The link works once and expires in 7 days. Without an account, your name and a password are "
                    "enough; with one, sign in with this address."
                ),
                "If you don’t know this person, ignore this email.",
            ],
        ),
        "pl": EmailText(
            subject="Zaproszenie do warsztatu",
            before=["{inviter} zaprasza Cię do {workshop} w Backbench."],
            button="Dołącz do warsztatu",
            after=[
                (
                    "Link zadziała raz i wygaśnie po 7 dniach. Jeśli nie masz jeszcze konta, wystarczą imię "
                    "i nazwisko oraz hasło. Jeśli masz, zaloguj się tym adresem e-mail."
                ),
                "Jeśli nie znasz tej osoby, zignoruj tę wiadomość.",
            ],
        ),
    },
    "invitation_accepted": {
        "en": EmailText(
            subject="Your invitation was accepted",
            before=[
                "{member} has accepted your invitation and joined {workshop} on Backbench.",
                "If you didn’t expect this, an owner can remove a member at any time.",
            ],
            button=OPEN["en"],
        ),
        "pl": EmailText(
            subject="Twoje zaproszenie zostało przyjęte",
            before=[
                "Twoje zaproszenie zostało przyjęte: {member} należy już do {workshop} w Backbench.",
                "Jeśli to pomyłka, właściciel warsztatu może w każdej chwili usunąć członka zespołu.",
            ],
            button=OPEN["pl"],
        ),
    },
    "member_removed": {
        "en": EmailText(
            subject="You were removed from a workshop",
            before=[
                "An owner has removed you from {workshop} on Backbench. You can no longer open it.",
                "Your account and your other workshops stay as they are.",
            ],
            button=OPEN["en"],
        ),
        "pl": EmailText(
            subject="Nie masz już dostępu do warsztatu",
            before=[
                "Twój dostęp do {workshop} w Backbench został odebrany przez jego właściciela.",
                "Twoje konto i pozostałe warsztaty działają bez zmian.",
            ],
            button=OPEN["pl"],
        ),
    },
    "trial_ending": {
        "en": EmailText(
            subject="Your trial ends on {date}",
            before=[
                (
                    "The Pro trial of {workshop} ends on {date}. After that, the workshop continues on the free plan, "
                    "and nothing is deleted."
                ),
                _FREE_PLAN["en"],
            ],
            button=OPEN["en"],
        ),
        "pl": EmailText(
            subject="Okres próbny kończy się {date}",
            before=[
                (
                    "okres próbny planu Pro dla {workshop} kończy się {date}. "
                    "Potem warsztat przejdzie na plan bezpłatny, ale niczego nie usuniemy."
                ),
                _FREE_PLAN["pl"],
            ],
            button=OPEN["pl"],
        ),
    },
    "webhook_owner_left": {
        "en": EmailText(
            subject="{receiver} is no longer notified",
            before=[
                (
                    "A webhook of {workshop} on Backbench notifies {receiver} of changes. Who made it is no owner any "
                    "more, so it is disabled now."
                ),
                (
                    "If the receiver is still yours, enable the webhook: what happened meanwhile can then be sent, "
                    "up to 30 days back. Renew its secret, which a former owner may know. Otherwise delete it."
                ),
            ],
            button="See webhooks",
        ),
        "pl": EmailText(
            subject="{receiver} nie dostaje już powiadomień",
            before=[
                (
                    "webhook {workshop} w Backbench powiadamia {receiver} o zmianach. Osoba, która go dodała, "
                    "nie jest już właścicielem, więc został wyłączony."
                ),
                (
                    "Jeśli odbiorca nadal należy do warsztatu, włącz webhook ponownie: to, co się w tym czasie "
                    "wydarzyło, można wtedy wysłać do 30 dni wstecz. Odnów też jego sekret, bo były właściciel może "
                    "go znać. Jeśli nie, usuń go."
                ),
            ],
            button="Zobacz webhooki",
        ),
    },
    "webhook_disabled": {
        "en": EmailText(
            subject="{receiver} is no longer notified",
            before=[
                (
                    "A webhook of {workshop} on Backbench notifies {receiver} of changes. Every attempt has failed for "
                    "five days, so it is disabled now."
                ),
                (
                    "Once the receiver works again, enable the webhook: what happened meanwhile can then be sent, "
                    "up to 30 days back."
                ),
            ],
            button="See webhooks",
        ),
        "pl": EmailText(
            subject="{receiver} nie dostaje już powiadomień",
            before=[
                (
                    "webhook {workshop} w Backbench powiadamia {receiver} o zmianach. Od pięciu dni żadna próba "
                    "się nie udaje, więc został wyłączony."
                ),
                (
                    "Gdy odbiorca znów będzie działać, włącz webhook ponownie: to, co się w tym czasie wydarzyło, "
                    "można wtedy wysłać do 30 dni wstecz."
                ),
            ],
            button="Zobacz webhooki",
        ),
    },
    "plan_ending": {
        "en": EmailText(
            subject="Your Pro plan ends on {date}",
            before=[
                (
                    "The Pro plan of {workshop} ends on {date}. After that, the workshop continues on the free plan, "
                    "and nothing is deleted."
                ),
                _FREE_PLAN["en"],
            ],
            button=OPEN["en"],
        ),
        "pl": EmailText(
            subject="Plan Pro kończy się {date}",
            before=[
                (
                    "plan Pro dla {workshop} kończy się {date}. Potem warsztat przejdzie na plan bezpłatny, "
                    "ale niczego nie usuniemy."
                ),
                _FREE_PLAN["pl"],
            ],
            button=OPEN["pl"],
        ),
    },
}
