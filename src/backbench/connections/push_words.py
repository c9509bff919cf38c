"""Words of push messages in both languages, and the message itself: a declarative one, which no script has to show."""

from collections import Counter
from collections.abc import Sequence

from msgspec import UNSET, Struct

from backbench.values.enums import UserLocale
from backbench.values.numbers import to_json
from backbench.workshops.inbox import InboxItem, InboxKind

# The number of RFC 8030, by which browsers know a declarative message.
_DECLARATIVE = 8030
_MAX_BODY = 200
# Every message has this length, so that it does not say what it is about.
_LENGTH = 1536
_WORDS: dict[UserLocale, dict[InboxKind, str]] = {
    "en": {
        "question": "A question",
        "accepted": "Estimate accepted",
        "declined": "Estimate declined",
        "overdue": "Late",
        "due_today": "Due today",
        "uncollected": "Ready for two weeks",
        "unanswered": "No answer for a week",
        "expiring": "Expires soon",
        "unsent": "Confirmed, not sent",
        "changed": "Changed since confirmed",
        "over_limit": "Over the customer’s limit",
        "owed": "Not paid yet",
    },
    "pl": {
        "question": "Pytanie",
        "accepted": "Wycena przyjęta",
        "declined": "Wycena odrzucona",
        "overdue": "Po terminie",
        "due_today": "Termin dziś",
        "uncollected": "Gotowe od dwóch tygodni",
        "unanswered": "Tydzień bez odpowiedzi",
        "expiring": "Niedługo traci ważność",
        "unsent": "Zatwierdzone, niewysłane",
        "changed": "Zmienione po zatwierdzeniu",
        "over_limit": "Powyżej limitu klienta",
        "owed": "Jeszcze nieopłacone",
    },
}
_MORNING: dict[UserLocale, str] = {"en": "What waits today", "pl": "Co dziś czeka"}
_TEST: dict[UserLocale, str] = {
    "en": "Notifications reach this device.",
    "pl": "Powiadomienia docierają na to urządzenie.",
}


class Notification(Struct, frozen=True):
    """`path`: of the screen that it leads to. `tag`: another one with the same tag takes its place on the phone."""

    title: str
    body: str
    path: str
    tag: str
    locale: UserLocale

    def payload(self, public_url: str) -> bytes:
        notification = {
            "title": self.title,
            "lang": self.locale,
            "dir": "ltr",
            "body": self.body if len(self.body) <= _MAX_BODY else self.body[: _MAX_BODY - 1] + "…",
            "navigate": public_url + self.path,
            "tag": self.tag,
        }
        return to_json({"web_push": _DECLARATIVE, "notification": notification}).ljust(_LENGTH)


def test_notification(locale: UserLocale, tag: str) -> Notification:
    return Notification("Backbench", _TEST[locale], "/", tag, locale)


def notification(
    items: Sequence[InboxItem], workshop: str, tag: str, locale: UserLocale, *, details: bool
) -> Notification:
    """Of one item or several. Names and titles, in which a customer may be named, are in it with `details` alone."""
    words = _WORDS[locale]
    if len(items) == 1:
        item = items[0]
        body = workshop if not details else item.title if item.name is UNSET else f"{item.name}: {item.title}"
        return Notification(words[item.kind], body, path_of(item), tag, locale)
    counts = Counter(item.kind for item in items)
    body = " · ".join(f"{words[kind]}: {counts[kind]}" for kind in words if counts[kind])
    return Notification(_MORNING[locale], body, "/", tag, locale)


def path_of(item: InboxItem) -> str:
    """The screen of the app on which the person goes on with it."""
    if item.order_id and item.kind != "over_limit":
        return f"/orders/{item.order_id}"
    is_edited = item.kind in ("declined", "changed")
    return f"/estimates/{item.estimate_id}{'' if is_edited else '/send'}"
