"""Ids: UUIDv7 as text, so that later ids sort later."""

from collections.abc import Callable
from typing import Annotated

import uuid_utils
from msgspec import Meta

from backbench.values.scalars import NO_CONTROL, ONE_LINE

Identifier = Annotated[str, Meta(min_length=1, max_length=100, pattern=NO_CONTROL, extra=ONE_LINE)]


NewId = Callable[[], str]
# Well formed and never assigned: replaces a path value that is not an id, so that nothing is found under it.
NIL_ID = "00000000-0000-0000-0000-000000000000"


def new_id() -> str:
    return str(uuid_utils.uuid7())
