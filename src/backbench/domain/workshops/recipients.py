"""Recipients: the people for whom a workshop has made estimates and orders."""

from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from backbench.domain.values.times import Instant


class Recipient(Struct, frozen=True, rename="camel"):
    """`name` is written as in its latest use. Names that differ only in case are the same recipient."""

    name: str
    last_used_at: Instant
    address: str | UnsetType = UNSET
    tax_id: str | UnsetType = UNSET
    email: str | UnsetType = UNSET
    phone: str | UnsetType = UNSET
    customer_id: str | UnsetType = UNSET


class RecipientsList(Struct, frozen=True):
    recipients: list[Recipient]


class RecipientsQuery(Struct, frozen=True):
    q: Annotated[str, Meta(max_length=250)] | None = None
    limit: Annotated[int, Meta(ge=1, le=500)] = 20
