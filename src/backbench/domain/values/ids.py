"""Ids of everything that is stored: UUIDv7 text, so that what is made later sorts later."""

from collections.abc import Callable

import uuid_utils

NewId = Callable[[], str]
# Stands in for an id that cannot be one: it is well formed, and nothing has it.
NOBODY = "00000000-0000-0000-0000-000000000000"


def new_id() -> str:
    return str(uuid_utils.uuid7())
