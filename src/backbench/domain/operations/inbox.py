"""Inbox: what waits for a person in a workshop, newest first."""

from collections.abc import Iterable, Mapping, Set
from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType, structs

from backbench.domain.values.times import Instant

InboxKind = Literal[
    "question",
    "accepted",
    "declined",
    "overdue",
    "due_today",
    "uncollected",
    "unanswered",
    "expiring",
    "unsent",
    "changed",
    "over_limit",
    "owed",
]
# Of the parameter of a path, too (http/requests.py).
_MAX_ID = 64


class InboxItem(Struct, frozen=True, rename="camel", kw_only=True):
    """`name` is the client's or customer's; `text` a question, the reason of a client who declined, or what is owed."""

    id: str
    kind: InboxKind
    at: Instant
    read: bool = False
    title: str
    name: str | UnsetType = UNSET
    text: str | UnsetType = UNSET
    estimate_id: str | UnsetType = UNSET
    order_id: str | UnsetType = UNSET

    @property
    def object_id(self) -> str:
        """The order, where it is about one, else the estimate."""
        return self.order_id or self.estimate_id or ""


def item_id(kind: InboxKind, *parts: str) -> str:
    """The id of an item: its kind, the id of what it is about, and what makes it another matter."""
    return ".".join((kind, *parts))[:_MAX_ID]


class Inbox(Struct, frozen=True):
    """`unread` counts all items, also those beyond the limit."""

    items: list[InboxItem]
    unread: int


class InboxQuery(Struct, frozen=True):
    limit: Annotated[int, Meta(ge=1, le=500)] | None = None


class InboxRead(Struct, frozen=True, forbid_unknown_fields=True):
    """The items that the account has read. Ids that are not in the inbox any more are ignored."""

    ids: Annotated[list[Annotated[str, Meta(min_length=1, max_length=_MAX_ID)]], Meta(max_length=500)]


class Dismissal(Struct, frozen=True):
    """The item of an object that was dismissed last, as it was."""

    item_id: str
    item_at: Instant


class Marks(Struct, frozen=True):
    """What people did with items: `dismissed` by all members, by id, and `read` by one account."""

    dismissed: Mapping[str, Instant]
    read: Set[str]

    def is_dismissed(self, item: InboxItem) -> bool:
        """Until something new happens there: the item gets another time then, or is another item."""
        return self.dismissed.get(item.id) == item.at

    def inbox(self, found: Iterable[InboxItem], limit: int | None) -> Inbox:
        """The items that wait, newest first, the first `limit` of them."""
        waiting = [item for item in found if not self.is_dismissed(item)]
        waiting.sort(key=lambda item: (item.at, item.id), reverse=True)
        unread = sum(item.id not in self.read for item in waiting)
        shown = [structs.replace(item, read=True) if item.id in self.read else item for item in waiting[:limit]]
        return Inbox(shown, unread)
