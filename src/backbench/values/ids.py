"""Ids: UUIDv7 as text, so that later ids sort later."""

from collections.abc import Callable, Iterable
from typing import Annotated, Protocol, TypeVar

import uuid_utils
from msgspec import UNSET, Meta, UnsetType

from backbench.values.scalars import NO_CONTROL, ONE_LINE

Identifier = Annotated[str, Meta(min_length=1, max_length=100, pattern=NO_CONTROL, extra=ONE_LINE)]


NewId = Callable[[], str]
# Well formed and never assigned: replaces a path value that is not an id, so that nothing is found under it.
NIL_ID = "00000000-0000-0000-0000-000000000000"

Entity = TypeVar("Entity", covariant=True)


class Entry(Protocol[Entity]):
    """An entry of a list in a request, which may come without an id."""

    @property
    def id(self) -> str | UnsetType: ...
    def with_id(self, id_: str) -> Entity: ...


def new_id() -> str:
    return str(uuid_utils.uuid7())


def with_ids(entries: Iterable[Entry[Entity]], new_id: NewId) -> list[Entity]:
    """The entities of a request's list: each with the id that was sent, or with a new one."""
    return [entry.with_id(new_id() if entry.id is UNSET else entry.id) for entry in entries]
