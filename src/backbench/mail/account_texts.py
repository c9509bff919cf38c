"""Texts of emails about an account: sign-up, passwords, API keys, Google. Each says what happens if it is ignored."""

from backbench.mail.email_text import OPEN, EmailText
from backbench.values.enums import UserLocale

_VERIFY: dict[UserLocale, EmailText] = {
    "en": EmailText(
        subject="Confirm your email address",
        before=["Welcome! One last step: please confirm that this is your email address, and choose a password."],
        button="Confirm and choose a password",
        after=[
            "The link works once and expires in 24 hours.",
            "If you didn’t sign up, ignore this email: without your confirmation nothing happens.",
        ],
    ),
    "pl": EmailText(
        subject="Potwierdź swój adres e-mail",
        before=["witamy! Został jeden krok: potwierdź, że ten adres należy do Ciebie, i ustaw hasło."],
        button="Potwierdź i ustaw hasło",
        after=[
            "Link zadziała raz i wygaśnie po 24 godzinach.",
            "Jeśli to nie Ty zakładasz konto, zignoruj tę wiadomość: bez Twojego potwierdzenia nic się nie stanie.",
        ],
    ),
}
ACCOUNT_TEXTS: dict[str, dict[UserLocale, EmailText]] = {
    "verify": _VERIFY,
    "resend": _VERIFY,
    "account_exists": {
        "en": EmailText(
            subject="You already have an account",
            before=[
                (
                    "Somebody, most likely you, has just tried to sign up to Backbench with this address. "
                    "You already have an account, so just sign in."
                )
            ],
            button="Sign in",
            after=["If you have forgotten your password, you can reset it there. If it wasn’t you, ignore this email."],
        ),
        "pl": EmailText(
            subject="Masz już u nas konto",
            before=[
                (
                    "ktoś, zapewne Ty, próbował właśnie założyć konto w Backbench z tym adresem. "
                    "Takie konto już istnieje, wystarczy się zalogować."
                )
            ],
            button="Zaloguj się",
            after=["Nie pamiętasz hasła? Ustawisz tam nowe. Jeśli to nie Ty, zignoruj tę wiadomość."],
        ),
    },
    "reset": {
        "en": EmailText(
            subject="Reset your password",
            before=["You asked to reset your password. Choose a new one with the link below.", "{keys}"],
            button="Choose a new password",
            after=[
                "The link works once and expires in one hour. Choosing a new password signs you out on all devices.",
                "If you didn’t ask for this, ignore this email; your password stays as it is.",
            ],
        ),
        "pl": EmailText(
            subject="Ustaw nowe hasło",
            before=["otrzymaliśmy prośbę o zmianę hasła. Nowe ustawisz, korzystając z linku poniżej.", "{keys}"],
            button="Ustaw nowe hasło",
            after=[
                "Link zadziała raz i wygaśnie po godzinie. Zmiana hasła wyloguje Cię na wszystkich urządzeniach.",
                "Jeśli to nie Twoja prośba, zignoruj tę wiadomość. Hasło się nie zmieni.",
            ],
        ),
    },
    "activated": {
        "en": EmailText(
            subject="Your account is ready",
            before=["Your Backbench account has been activated. Choose a password to sign in with."],
            button="Choose a password",
            after=[
                "The link works once and expires in 24 hours. After that, reset your password on the sign-in page.",
                "If you didn’t ask for an account, ignore this email.",
            ],
        ),
        "pl": EmailText(
            subject="Twoje konto jest gotowe",
            before=["Twoje konto w Backbench zostało aktywowane. Ustaw hasło, którym będziesz się logować."],
            button="Ustaw hasło",
            after=[
                "Link zadziała raz i wygaśnie po 24 godzinach. Później nowe hasło ustawisz na stronie logowania.",
                "Jeśli to nie Twoje konto, zignoruj tę wiadomość.",
            ],
        ),
    },
    "password_changed": {
        "en": EmailText(
            subject="Your password was changed",
            before=[
                "The password of your Backbench account has just been changed, and your other devices were signed out.",
                (
                    "If this was you, there’s nothing to do. If not, reset your password right away "
                    "and tell your Backbench administrator."
                ),
            ],
            button=OPEN["en"],
        ),
        "pl": EmailText(
            subject="Twoje hasło zostało zmienione",
            before=[
                (
                    "hasło do Twojego konta w Backbench zostało właśnie zmienione, "
                    "a pozostałe urządzenia zostały wylogowane."
                ),
                (
                    "Jeśli to Twoja zmiana, nie musisz nic robić. Jeśli nie, od razu ustaw nowe hasło "
                    "i daj znać administratorowi serwera."
                ),
            ],
            button=OPEN["pl"],
        ),
    },
    "api_key_created": {
        "en": EmailText(
            subject="A new API key",
            before=[
                "An API key has just been created for your Backbench account: {key}.",
                (
                    "If this was you, there’s nothing to do. If not, reset your password right away, tick the box that "
                    "revokes all API keys, and tell your Backbench administrator."
                ),
            ],
            button=OPEN["en"],
        ),
        "pl": EmailText(
            subject="Nowy klucz API",
            before=[
                "do Twojego konta w Backbench został właśnie utworzony klucz API: {key}.",
                (
                    "Jeśli to Ty, nie musisz nic robić. Jeśli nie, od razu ustaw nowe hasło, zaznacz przy tym "
                    "unieważnienie wszystkich kluczy API i daj znać administratorowi serwera."
                ),
            ],
            button=OPEN["pl"],
        ),
    },
    "google_linked": {
        "en": EmailText(
            subject="You can now sign in with Google",
            before=[
                (
                    "Your Google account with this address has just been used to sign in to Backbench. "
                    "From now on you can use either your password or Google."
                ),
                "If it wasn’t you, tell your Backbench administrator.",
            ],
            button=OPEN["en"],
        ),
        "pl": EmailText(
            subject="Możesz się teraz logować przez Google",
            before=[
                (
                    "Twoje konto Google z tym adresem posłużyło właśnie do zalogowania się w Backbench. "
                    "Od teraz zalogujesz się hasłem albo przez Google."
                ),
                "Jeśli to nie Ty, daj znać administratorowi serwera.",
            ],
            button=OPEN["pl"],
        ),
    },
    "google_unlinked": {
        "en": EmailText(
            subject="Google sign-in was turned off",
            before=[
                (
                    "Your Google account has just been unlinked from your Backbench account. "
                    "From now on, sign in with your email address and password."
                ),
                "If it wasn’t you, reset your password right away and tell your Backbench administrator.",
            ],
            button=OPEN["en"],
        ),
        "pl": EmailText(
            subject="Logowanie przez Google zostało wyłączone",
            before=[
                (
                    "konto Google zostało właśnie odłączone od Twojego konta w Backbench. "
                    "Od teraz logujesz się adresem e-mail i hasłem."
                ),
                "Jeśli to nie Ty, od razu ustaw nowe hasło i daj znać administratorowi serwera.",
            ],
            button=OPEN["pl"],
        ),
    },
    "goodbye": {
        "en": EmailText(
            subject="Your account has been deleted",
            before=[
                (
                    "As you asked, your Backbench account has been deleted, together with every workshop "
                    "that had no other members."
                ),
                "Thanks for using Backbench. You’re welcome back any time.",
            ],
        ),
        "pl": EmailText(
            subject="Twoje konto zostało usunięte",
            before=[
                (
                    "zgodnie z Twoim życzeniem usunęliśmy konto w Backbench "
                    "wraz z warsztatami, które należały tylko do Ciebie."
                ),
                "Dziękujemy za korzystanie z Backbench. Zawsze możesz do nas wrócić.",
            ],
        ),
    },
    "feedback": {
        "en": EmailText(subject="{topic}: {title}", before=["{sender} writes:", "{message}", "{where}"]),
        "pl": EmailText(subject="{topic}: {title}", before=["{sender} pisze:", "{message}", "{where}"]),
    },
}
