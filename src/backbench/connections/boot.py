"""Boot: what the app shows first, in one response: the account, its workshops, and the board of one of them."""

from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from backbench.accounts import accounts
from backbench.accounts.accounts import MeProfile
from backbench.connections import changes
from backbench.engine.database import Database, Read
from backbench.http.responses import Response, uncached
from backbench.orders import order_summaries
from backbench.orders.order_summaries import OrderCounts, OrderSummary, OrderSummaryFilter
from backbench.services import EndpointServices
from backbench.values.calls import Call
from backbench.values.errors import NotFound
from backbench.values.numbers import to_json
from backbench.values.pagination import UNPAGED
from backbench.workshops import inbox, workshops
from backbench.workshops.workshops import Workshop

# So many cards fill the screen of a phone, and of most desks.
_CARDS = 20


class BootQuery(Struct, frozen=True, rename="camel"):
    workshop_id: Annotated[str, Meta(max_length=100)] | None = None


class Boot(Struct, frozen=True, rename="camel", kw_only=True):
    """One state of the database, that of `cursor`. The last five are there where the account has a workshop.

    `summaries` are the first of the board; `unread` counts the items of the inbox.
    """

    uid: str
    profile: MeProfile
    workshops: list[Workshop]
    workshop_id: str | UnsetType = UNSET
    cursor: str | UnsetType = UNSET
    summaries: list[OrderSummary] | UnsetType = UNSET
    counts: OrderCounts | UnsetType = UNSET
    unread: int | UnsetType = UNSET


async def get(db: Database, call: Call, query: BootQuery, services: EndpointServices) -> Response:
    """Read what the app shows first: the account, its workshops, and the board of one, the default one else.

    The cursor is that of the workshop's changes: what happens later follows it. Never cached.
    """
    # Several statements, and none may see more than the cursor says.
    async with db.snapshot() as read:
        return uncached(to_json(await _read(read, call, query, services)))


async def _read(db: Read, call: Call, query: BootQuery, services: EndpointServices) -> Boot:
    listed = (await workshops.list_all(db, call, UNPAGED, services)).items
    profile = await accounts.get(db, call)
    if query.workshop_id is not None and query.workshop_id not in {each.id for each in listed}:
        raise NotFound
    shown = query.workshop_id or next((each.id for each in listed if each.is_default), listed[0].id if listed else None)
    if shown is None:
        return Boot(uid=call.uid, profile=profile, workshops=list(listed))
    position = await changes.find_position(db, shown, 0)
    board = await order_summaries.list_all(db, call, shown, OrderSummaryFilter(limit=_CARDS))
    return Boot(
        uid=call.uid,
        profile=profile,
        workshops=list(listed),
        workshop_id=shown,
        cursor=str(position.cursor),
        summaries=list(board.items),
        counts=await order_summaries.count(db, call, shown),
        unread=(await inbox.find(db, call, shown)).unread,
    )
