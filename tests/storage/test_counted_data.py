"""The counter of a workshop's data: exact after any transaction, and changed once by each."""

import contextlib
from random import Random

import msgspec
import pytest

from backbench.domain.values import times
from backbench.domain.values.ids import new_id
from backbench.domain.workshops.audit import HOST, Change
from backbench.domain.workshops.orders import NewOrder, Order, OrderEdit
from backbench.storage.engine.database import Write
from backbench.storage.workshops import audit, counters, orders
from tests.people import App

TRANSACTIONS = 24
# Of each test transaction; the generator is seeded.
STEPS = 14
UPDATES = "SELECT n_tup_upd FROM pg_stat_xact_user_tables WHERE relname = '{}'"


class Abandoned(Exception):
    """Ends a transaction without committing it."""


def order(workshop: str, title: str = "Oak") -> Order:
    return NewOrder(title=title, customer_name="Ada").to_order(workshop, new_id(), times.now())


def change(workshop: str) -> Change:
    return Change(new_id(), workshop, times.now(), HOST, "order.created", new_id())


class Transaction:
    """Random changes of two workshops, within savepoints that are released or rolled back."""

    def __init__(self, db: Write, chosen: Random, workshops: list[str]) -> None:
        self._db, self._chosen, self._workshops = db, chosen, workshops
        self._orders: list[str] = []
        self._savepoints: list[list[str]] = []

    async def step(self) -> None:
        step = self._chosen.choice([self._add, self._add, self._edit, self._delete, self._audit, self._save, self._end])
        await step()

    async def _add(self) -> None:
        made = order(self._chosen.choice(self._workshops), "ó" * self._chosen.randrange(1, 100))
        await orders.add(self._db, made)
        self._orders.append(made.id)

    async def _edit(self) -> None:
        if self._orders:
            edit = OrderEdit(notes="x" * self._chosen.randrange(1, 900))
            await orders.save_edit(self._db, self._chosen.choice(self._orders), edit)

    async def _delete(self) -> None:
        if self._orders:
            await orders.delete(self._db, self._orders.pop(self._chosen.randrange(len(self._orders))))

    async def _audit(self) -> None:
        await audit.add(self._db, change(self._chosen.choice(self._workshops)))

    async def _save(self) -> None:
        await self._db.run(f"SAVEPOINT s{len(self._savepoints)}")
        self._savepoints.append(self._orders.copy())

    async def _end(self) -> None:
        if self._savepoints:
            before = self._savepoints.pop()
            name = f"s{len(self._savepoints)}"
            if self._chosen.random() < 0.6:
                await self._db.run(f"ROLLBACK TO SAVEPOINT {name}")
                self._orders = before
            await self._db.run(f"RELEASE SAVEPOINT {name}")


@pytest.mark.parametrize("seed", range(3))
async def test_counters_are_exact_after_savepoints_rollbacks_and_commits(app: App, seed: int) -> None:
    chosen = Random(seed)
    workshops = [(await app.owner()).workshop for _ in range(2)]

    async def work(db: Write) -> None:
        transaction = Transaction(db, chosen, workshops)
        for _ in range(STEPS):
            await transaction.step()
        if chosen.random() < 0.2:
            raise Abandoned

    for _ in range(TRANSACTIONS):
        with contextlib.suppress(Abandoned):
            await app.db.write(work)
        async with app.db.read() as db:
            assert await counters.list_mismatches(db) == []


async def test_an_audit_entry_returns_the_size_after_all_changes_before_it(app: App) -> None:
    anna = await app.owner("Anna")

    async def work(db: Write) -> tuple[int, int]:
        first = await audit.add(db, change(anna.workshop), 0)
        for _ in range(3):
            await orders.add(db, order(anna.workshop))
        second = await audit.add(db, change(anna.workshop), 0)
        assert first is not None
        assert second is not None
        return first, second

    first, second = await app.db.write(work)
    one = order(anna.workshop)
    size = 500 + len("Oak") + len("Ada") + len(msgspec.json.encode(one.status_history))
    assert second - first == 3 * size + audit.ENTRY_BYTES


async def test_a_transaction_changes_the_row_of_the_counters_once(app: App) -> None:
    if app.engine == "sqlite":
        pytest.skip("SQLite changes a row in place")
    anna = await app.owner("Anna")
    updates = UPDATES.format("workshop_counters")

    async def work(db: Write) -> tuple[int, int]:
        before = await db.value(updates)
        for _ in range(30):
            await orders.add(db, order(anna.workshop))
        # Until then, other writers of the workshop do not wait for this one.
        added = await db.value(updates)
        await db.run("SET CONSTRAINTS ALL IMMEDIATE")
        return added - before, await db.value(updates) - before

    assert await app.db.write(work) == (0, 1)


async def test_deleting_stored_responses_changes_the_row_of_their_counter_once(app: App) -> None:
    if app.engine == "sqlite":
        pytest.skip("SQLite changes a row in place")
    anna = await app.owner("Anna")
    updates = UPDATES.format("account_counters")
    for number in range(3):
        key = f"key-{number}"
        await anna.post(f"/workshops/{anna.workshop}/orders", {"title": "Oak"}, idempotency_key=key)

    async def work(db: Write) -> tuple[int, int]:
        before = await db.value(updates)
        deleted = await db.run("DELETE FROM idempotency_keys WHERE account_id = :uid", uid=anna.uid)
        return deleted, await db.value(updates) - before

    assert await app.db.write(work) == (3, 1)
