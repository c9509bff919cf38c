"""Words of push messages in both languages, and the message itself: a declarative one, which no script has to show."""

from collections import Counter
from collections.abc import Sequence

from msgspec import UNSET, Struct

from backbench.values.enums import UserLocale
from backbench.values.numbers import to_json
from backbench.words import words
from backbench.workshops.inbox import InboxItem

# The number of RFC 8030, by which browsers know a declarative message.
_DECLARATIVE = 8030
_MAX_BODY = 200
# Every message has this length, so that it does not say what it is about.
_LENGTH = 1536


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
    return Notification("Backbench", words(locale).push_texts.test, "/", tag, locale)


def notification(
    items: Sequence[InboxItem], workshop: str, tag: str, locale: UserLocale, *, details: bool
) -> Notification:
    """Of one item or several. Names and titles, in which a customer may be named, are in it with `details` alone."""
    kinds = words(locale).push
    if len(items) == 1:
        item = items[0]
        body = workshop if not details else item.title if item.name is UNSET else f"{item.name}: {item.title}"
        return Notification(kinds[item.kind], body, path_of(item), tag, locale)
    counts: Counter[str] = Counter(item.kind for item in items)
    body = " · ".join(f"{kinds[kind]}: {counts[kind]}" for kind in kinds if counts[kind])
    return Notification(words(locale).push_texts.morning, body, "/", tag, locale)


def path_of(item: InboxItem) -> str:
    """The screen of the app on which the person goes on with it."""
    if item.invoice_id:
        return f"/invoices/{item.invoice_id}"
    if item.order_id and item.kind != "over_limit":
        return f"/orders/{item.order_id}"
    is_edited = item.kind in ("declined", "changed")
    return f"/estimates/{item.estimate_id}{'' if is_edited else '/send'}"
