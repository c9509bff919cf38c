"""Email text: the subject and paragraphs of one kind of email in one language."""

from msgspec import Struct

from backbench.values.enums import UserLocale

# The label of a button that only opens the app.
OPEN: dict[UserLocale, str] = {"en": "Open Backbench", "pl": "Otwórz Backbench"}


class EmailText(Struct, frozen=True):
    """The paragraphs before and after the button, and its label; `button` is None for an email without a link.

    `closing` replaces the usual one. `{name}` is a placeholder.
    """

    subject: str
    before: list[str]
    after: list[str] = []
    button: str | None = None
    closing: str | None = None
