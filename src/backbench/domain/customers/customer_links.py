"""Which orders, estimates and revisions name a customer."""

from msgspec import Struct


class CustomerLinks(Struct, frozen=True):
    """Ids. Revisions are those that were confirmed for the customer."""

    orders: list[str] = []
    estimates: list[str] = []
    revisions: list[str] = []
