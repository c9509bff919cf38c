"""Databases with many workshops, each of an account of its own that is signed in, filled through `storage`."""

import asyncio
from collections.abc import Sequence
from functools import partial

from msgspec import Struct

from backbench.accounts import sessions
from backbench.engine.database import Write
from backbench.engine.urls import open_database
from backbench.hosting import administration
from backbench.orders import orders
from backbench.orders.orders import NewOrder, Order
from backbench.values import times
from backbench.values.ids import new_id
from backbench.workshops import audit
from backbench.workshops.audit import Actor, Change
from benchmarks import workload
from benchmarks.backbench_server import Session, session_request
from benchmarks.workload import STATUSES, Workload, shuffled

# The workshops get their orders in turns, so many at a time: those of one workshop are spread over the database, as
# they are where workshops add orders day by day.
_AT_ONCE = 10
_WORKSHOPS_PER_TRANSACTION = 500
_READ_OF_EACH = 4
_DAY = 86_400


class Owner(Struct, frozen=True):
    """The owner of one workshop: its session, and the ids of all orders."""

    uid: str
    session: Session
    orders: list[str]

    @property
    def workshop(self) -> str:
        return self.session.workshops[0]


def fill(database_url: str, workshops: int, orders_each: int) -> list[Owner]:
    """Adds workshops with so many orders, and the audit entries of both. The orders of an owner are the newest ones."""
    return asyncio.run(_fill(database_url, workshops, orders_each))


async def _fill(database_url: str, workshops: int, orders_each: int) -> list[Owner]:
    db = open_database(database_url)
    await db.migrate()
    owners: list[Owner] = []
    for first in range(0, workshops, _WORKSHOPS_PER_TRANSACTION):
        numbers = range(first, min(first + _WORKSHOPS_PER_TRANSACTION, workshops))
        owners += await db.write(partial(_add_owners, numbers))
    for start in range(0, orders_each, _AT_ONCE):
        count = min(_AT_ONCE, orders_each - start)
        for first in range(0, workshops, _WORKSHOPS_PER_TRANSACTION):
            part = owners[first : first + _WORKSHOPS_PER_TRANSACTION]
            await db.write(partial(_add_orders, part, count))
    await db.close()
    return owners


async def _add_owners(numbers: Sequence[int], db: Write) -> list[Owner]:
    return [await _add_owner(db, number) for number in numbers]


async def _add_owner(db: Write, number: int) -> Owner:
    now = times.now()
    added = await administration.add_account(db, f"owner{number}@example.com", "Marek", "", "en", now, new_id)
    secret = sessions.new_secret()
    later = times.later(now, _DAY)
    await sessions.add(
        db,
        sessions.Session(new_id(), added.uid, now),
        secret_hash=sessions.digest(secret),
        user_agent="benchmark",
        idle_until=later,
        ends_at=later,
    )
    return Owner(added.uid, Session(secret, sessions.csrf_token(secret), [added.workshop_id]), [])


async def _add_orders(owners: Sequence[Owner], count: int, db: Write) -> None:
    for owner in owners:
        now = times.now()
        added = [_order(owner.workshop, new, now) for new in workload.new_orders(count)]
        for order in added:
            await orders.add(db, order)
        actor = Actor("account", owner.uid)
        changes = [Change(new_id(), owner.workshop, now, actor, "order.created", order.id) for order in added]
        await audit.add_all(db, changes, audit.most_added(500, 500) * count)
        owner.orders.extend(order.id for order in added)


def _order(workshop: str, new: workload.NewOrder, now: str) -> Order:
    return NewOrder(title=new.title, customer_name=new.customer_name).to_order(workshop, new_id(), now)


def reads(owners: Sequence[Owner]) -> Workload:
    """Reads of single orders, each of another workshop than the one before; of all orders, where there is one."""
    of_each = slice(None) if len(owners) == 1 else slice(None, None, max(1, len(owners[0].orders) // _READ_OF_EACH))
    expected = {
        session_request(owner.session, "GET", f"/orders/{order}"): order
        for owner in owners
        for order in owner.orders[of_each]
    }
    return Workload(shuffled(list(expected)), 200, lambda request, body: body["order"]["id"] == expected[request])


def lists(owners: Sequence[Owner]) -> Workload:
    """Lists of all orders, each of another workshop."""
    expected = {
        session_request(owner.session, "GET", f"/workshops/{owner.workshop}/orders"): set(owner.orders)
        for owner in owners
    }
    return Workload(
        shuffled(list(expected)),
        200,
        lambda request, body: {order["id"] for order in body["orders"]} == expected[request],
    )


def moves(owners: Sequence[Owner]) -> Workload:
    """Moves of orders, each of another workshop, so that each order is moved as rarely as possible."""
    of_each = slice(None) if len(owners) == 1 else slice(1)
    expected: dict[bytes, tuple[str, str]] = {}
    for status in STATUSES:
        for owner in owners:
            for order in owner.orders[of_each]:
                expected[move_request(owner, order, status)] = (order, status)
    return Workload(list(expected), 200, lambda request, order: (order["id"], order["status"]) == expected[request])


def move_request(owner: Owner, order: str, status: str) -> bytes:
    return session_request(owner.session, "PATCH", f"/orders/{order}/status", {"status": status})


def shorten_histories(database_url: str) -> None:
    """As if no order had been moved: where few orders are moved often, their histories would grow."""

    async def shorten() -> None:
        db = open_database(database_url)
        await db.write(_shorten_all)
        await db.close()

    asyncio.run(shorten())


async def _shorten_all(db: Write) -> None:
    await db.run("""UPDATE orders SET status_history = '[{"status":"todo","at":"' || created_at || '"}]'""")
