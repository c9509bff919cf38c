"""Email texts in both languages. Each says what happens if the email is ignored."""

from msgspec import Struct

from backbench.domain.values.enums import UserLocale


class EmailText(Struct, frozen=True):
    """The paragraphs before and after the button, and its label; `button` is None for an email without a link.

    `{name}` is a placeholder.
    """

    subject: str
    before: list[str]
    after: list[str] = []
    button: str | None = None


# In place of a name that an email must not show, and around one that it may.
SOMEBODY: dict[UserLocale, str] = {"en": "Somebody", "pl": "Ktoś"}
A_WORKSHOP: dict[UserLocale, str] = {"en": "a workshop", "pl": "pracowni"}
THE_WORKSHOP: dict[UserLocale, str] = {"en": "the workshop “{name}”", "pl": "pracowni „{name}”"}
# In the email to reset a password, if the account has API keys.
KEYS: dict[UserLocale, str] = {
    "en": (
        "Your account has active API keys: {labels}. They go on working with the new password, "
        "unless you tick the box that ends them."
    ),
    "pl": (
        "Twoje konto ma aktywne klucze API: {labels}. Po zmianie hasła będą działać dalej, "
        "chyba że zaznaczysz ich wyłączenie."
    ),
}
MORE_KEYS: dict[UserLocale, str] = {"en": "and {count} more", "pl": "i jeszcze {count}"}
GREETING: dict[UserLocale, str] = {"en": "Hello,", "pl": "Dzień dobry,"}
CLOSING: dict[UserLocale, str] = {"en": "Good work to you\nBackbench", "pl": "Dobrej pracy\nBackbench"}

_VERIFY: dict[UserLocale, EmailText] = {
    "en": EmailText(
        subject="Confirm your e-mail address",
        before=[
            (
                "How good that you are joining us. One step is left: confirm that this address is yours "
                "and choose your password."
            )
        ],
        button="Confirm and choose a password",
        after=[
            "The link works once, for 24 hours.",
            (
                "You did not sign up? Then please don't use the link; just delete this mail. "
                "Nothing happens without your confirmation."
            ),
        ],
    ),
    "pl": EmailText(
        subject="Potwierdź swój adres e-mail",
        before=[
            (
                "miło, że do nas dołączasz. Został jeden krok: potwierdź, że ten adres należy do Ciebie, "
                "i ustaw swoje hasło."
            )
        ],
        button="Potwierdź i ustaw hasło",
        after=[
            "Link zadziała raz, w ciągu 24 godzin.",
            (
                "To nie Ty zakładasz konto? W takim razie nie korzystaj z linku, po prostu usuń tę wiadomość. "
                "Bez Twojego potwierdzenia nic się nie stanie."
            ),
        ],
    ),
}

TEXTS: dict[str, dict[UserLocale, EmailText]] = {
    "verify": _VERIFY,
    "resend": _VERIFY,
    "account_exists": {
        "en": EmailText(
            subject="You already have an account",
            before=[
                (
                    "Somebody, most likely you, has just tried to sign up to Backbench with this address. "
                    "There is an account for it already, so simply sign in."
                )
            ],
            button="Sign in",
            after=["Forgotten the password? You can choose a new one there. If it wasn't you, nothing needs doing."],
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
            after=["Nie pamiętasz hasła? Tam też ustawisz nowe. Jeśli to nie Ty, nie musisz nic robić."],
        ),
    },
    "reset": {
        "en": EmailText(
            subject="Choose a new password",
            before=["You asked for a new password. Here is the way to it.", "{keys}"],
            button="Choose a new password",
            after=[
                "The link works once, for one hour. Choosing a new password signs you out everywhere.",
                "You didn't ask for it? Then delete this mail; your password stays as it is.",
            ],
        ),
        "pl": EmailText(
            subject="Ustaw nowe hasło",
            before=["prosisz o nowe hasło. Możesz je ustawić tutaj.", "{keys}"],
            button="Ustaw nowe hasło",
            after=[
                "Link zadziała raz, w ciągu godziny. Po zmianie hasła wylogujemy Cię ze wszystkich urządzeń.",
                "To nie Twoja prośba? Usuń tę wiadomość, hasło pozostanie bez zmian.",
            ],
        ),
    },
    "activated": {
        "en": EmailText(
            subject="Your account is ready",
            before=["Your Backbench account has been activated. Now choose a password to sign in with."],
            button="Choose a password",
            after=[
                "The link works once, for 24 hours. After that, ask for a new password where you sign in.",
                "You didn't ask for an account? Then simply delete this mail.",
            ],
        ),
        "pl": EmailText(
            subject="Twoje konto jest gotowe",
            before=["Twoje konto w Backbench zostało aktywowane. Ustaw teraz hasło, którym będziesz się logować."],
            button="Ustaw hasło",
            after=[
                "Link zadziała raz, w ciągu 24 godzin. Później o nowe hasło poprosisz na stronie logowania.",
                "To nie Twoje konto? Po prostu usuń tę wiadomość.",
            ],
        ),
    },
    "password_changed": {
        "en": EmailText(
            subject="Your password was changed",
            before=[
                "The password of your Backbench account has just been changed, and your other devices were signed out.",
                (
                    "Was it you? Then all is well. If not, choose a new password at once "
                    "and tell the people who run your Backbench."
                ),
            ],
            button="Open Backbench",
        ),
        "pl": EmailText(
            subject="Twoje hasło zostało zmienione",
            before=[
                (
                    "hasło do Twojego konta w Backbench zostało właśnie zmienione, "
                    "a pozostałe urządzenia zostały wylogowane."
                ),
                (
                    "To Twoja zmiana? W takim razie wszystko w porządku. Jeśli nie, od razu ustaw nowe hasło "
                    "i daj znać osobie, która prowadzi u Was Backbench."
                ),
            ],
            button="Otwórz Backbench",
        ),
    },
    "api_key_created": {
        "en": EmailText(
            subject="A new API key",
            before=[
                "An API key has just been created for your Backbench account: {key}.",
                (
                    "Was it you? Then all is well. If not, ask for a new password at once, tick the box that ends "
                    "all API keys, and tell the people who run your Backbench."
                ),
            ],
            button="Open Backbench",
        ),
        "pl": EmailText(
            subject="Nowy klucz API",
            before=[
                "do Twojego konta w Backbench został właśnie utworzony klucz API: {key}.",
                (
                    "To Twoje działanie? W takim razie wszystko w porządku. Jeśli nie, od razu poproś o nowe hasło, "
                    "zaznacz przy tym wyłączenie wszystkich kluczy API "
                    "i daj znać osobie, która prowadzi u Was Backbench."
                ),
            ],
            button="Otwórz Backbench",
        ),
    },
    "google_linked": {
        "en": EmailText(
            subject="You can now sign in with Google",
            before=[
                (
                    "Your Google account with this address has just been used to sign in to Backbench. "
                    "From now on both ways work: your password and Google."
                ),
                "If it wasn't you, tell the people who run your Backbench.",
            ],
            button="Open Backbench",
        ),
        "pl": EmailText(
            subject="Możesz się teraz logować przez Google",
            before=[
                (
                    "Twoje konto Google z tym adresem posłużyło właśnie do zalogowania się w Backbench. "
                    "Od teraz działają oba sposoby: hasło i Google."
                ),
                "Jeśli to nie Ty, daj znać osobie, która prowadzi u Was Backbench.",
            ],
            button="Otwórz Backbench",
        ),
    },
    "invitation": {
        "en": EmailText(
            subject="An invitation to a workshop",
            before=["{inviter} would like to work with you in {workshop} on Backbench."],
            button="Join the workshop",
            after=[
                "The link works once, for 7 days. To join, sign in with this address, or create an account for it.",
                "You don't know this person? Then simply delete this mail.",
            ],
        ),
        "pl": EmailText(
            subject="Zaproszenie do pracowni",
            before=["{inviter} zaprasza Cię przez Backbench do {workshop}."],
            button="Dołączam do pracowni",
            after=[
                (
                    "Link zadziała raz, w ciągu 7 dni. Aby dołączyć, zaloguj się tym adresem e-mail "
                    "albo załóż na niego konto."
                ),
                "Nie znasz tej osoby? Po prostu usuń tę wiadomość.",
            ],
        ),
    },
    "goodbye": {
        "en": EmailText(
            subject="Your account is gone",
            before=[
                "As you wished, your Backbench account has been deleted, with every workshop that was yours alone.",
                "Thank you for the time together. You are always welcome back.",
            ],
        ),
        "pl": EmailText(
            subject="Twoje konto zostało usunięte",
            before=[
                (
                    "zgodnie z Twoim życzeniem usunęliśmy konto w Backbench "
                    "wraz z pracowniami, które należały tylko do Ciebie."
                ),
                "Dziękujemy za wspólny czas. Zawsze możesz do nas wrócić.",
            ],
        ),
    },
    "feedback": {
        "en": EmailText(subject="{topic}: {title}", before=["{sender} writes:", "{message}", "{where}"]),
        "pl": EmailText(subject="{topic}: {title}", before=["{sender} pisze:", "{message}", "{where}"]),
    },
}
