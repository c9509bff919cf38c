"""Email texts in both languages: the phrases that emails share, and the text of every kind."""

from backbench.mail.account_texts import ACCOUNT_TEXTS
from backbench.mail.email_text import EmailText
from backbench.mail.sharing_texts import SHARING_TEXTS
from backbench.mail.workshop_texts import WORKSHOP_TEXTS
from backbench.values.enums import UserLocale

# In place of a name that an email must not show, and around one that it may.
SOMEBODY: dict[UserLocale, str] = {"en": "Somebody", "pl": "Ktoś"}
A_WORKSHOP: dict[UserLocale, str] = {"en": "a workshop", "pl": "warsztatu"}
# The Polish form is the genitive, as after "do" and "dla".
THE_WORKSHOP: dict[UserLocale, str] = {"en": "the workshop “{name}”", "pl": "warsztatu „{name}”"}
# In the email to reset a password, if the account has API keys.
KEYS: dict[UserLocale, str] = {
    "en": (
        "Your account has active API keys: {labels}. They keep working with the new password "
        "unless you tick the box that revokes them."
    ),
    "pl": (
        "Twoje konto ma aktywne klucze API: {labels}. Po zmianie hasła będą działać dalej, "
        "chyba że zaznaczysz ich unieważnienie."
    ),
}
MORE_KEYS: dict[UserLocale, str] = {"en": "and {count} more", "pl": "i jeszcze {count}"}
GREETING: dict[UserLocale, str] = {"en": "Hello,", "pl": "Dzień dobry,"}
CLOSING: dict[UserLocale, str] = {"en": "All the best,\nBackbench", "pl": "Pozdrawiamy\nBackbench"}
TEXTS: dict[str, dict[UserLocale, EmailText]] = {**ACCOUNT_TEXTS, **WORKSHOP_TEXTS, **SHARING_TEXTS}
