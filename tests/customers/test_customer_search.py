"""The search of customers reads an index, and the history finds its rows by indexes: the plans show it."""

from collections.abc import AsyncIterator, Callable

import apsw
import pytest

from backbench.customers import customers, history
from backbench.customers.customers import CustomerFilter, NewCustomer, NewPhone
from backbench.engine import rows as engine_rows
from backbench.engine.database import Write
from backbench.imports import imported
from backbench.values import times
from backbench.values.ids import new_id
from tests.people import App, Person
from tests.support.databases import running_app

MANY = 10_000


@pytest.fixture(scope="module")
async def app(new_database_url: Callable[[], str]) -> AsyncIterator[App]:
    """One of this module: its rows, in that of all tests, would slow each test that compares all rows."""
    async with running_app(new_database_url()) as opened:
        yield opened


async def fill(person: Person, number: int) -> None:
    """Customers of the workshop: `Customer 0`, with a phone of its own, and so on."""

    async def add(db: Write) -> None:
        for each in range(number):
            new = NewCustomer(
                name=f"Customer {each} Nowakowska",
                phones=[NewPhone(f"+48 6{each:08}")],
                emails=[f"customer.{each}@example.com"],
            )
            await customers.add(db, new.to_customer(person.workshop, new_id(), times.now(), "PL"))

    await person.app.db.write(add)


async def plan_of(app: App, sql: str, values: dict[str, object]) -> str:
    if app.engine == "sqlite":
        path = app.db._path  # type: ignore[attr-defined] # the plan is not part of the interface
        with apsw.Connection(str(path)) as connection:
            return " | ".join(row[3] for row in connection.execute(f"EXPLAIN QUERY PLAN {sql}", values))
    text, names = engine_rows.positional(sql)
    async with app.db.read() as db:
        connection = db._connection  # type: ignore[attr-defined] # as above
        # With few rows other ways cost as little, and other tests may have added some or not.
        await connection.execute("ANALYZE customers, customer_keys")
        for way in ("seqscan", "sort", "hashjoin", "mergejoin"):
            await connection.execute(f"SET enable_{way} = off")
        rows = await connection.fetch(f"EXPLAIN {text}", *(values[name] for name in names))
        await connection.execute("RESET ALL")
    return " | ".join(row[0] for row in rows)


@pytest.mark.both_engines
@pytest.mark.parametrize("q", ["Nowakowska", "600000042", "nobody at all"])
async def test_a_search_reads_the_index_by_name(app: App, q: str) -> None:
    anna = await app.owner("Anna")
    listed = customers.of_workshop(anna.workshop, CustomerFilter(limit=20, q=q))
    plan = await plan_of(app, f"{listed._select} {listed._order} LIMIT 21", dict(listed._values))
    assert "customers_by_name" in plan, plan
    assert "TEMP B-TREE" not in plan


async def test_the_search_of_ten_thousand_finds_the_one(app: App) -> None:
    anna = await app.owner("Anna")
    await fill(anna, MANY)
    for q, name in (("customer 4242 ", "Customer 4242 Nowakowska"), ("600004242", "Customer 4242 Nowakowska")):
        async with app.db.read() as db:
            page = await customers.of_workshop(anna.workshop, CustomerFilter(limit=20, q=q)).page(
                db, CustomerFilter(limit=20)
            )
        assert [each.name for each in page.items] == [name]


@pytest.mark.both_engines
async def test_the_history_finds_its_rows_by_indexes(app: App) -> None:
    anna = await app.owner("Anna")
    body = {"name": "Ewa"}
    created = (await anna.post(f"/workshops/{anna.workshop}/customers", body)).json()
    async with app.db.read() as db:
        customer = await customers.find(db, created["id"])
    listed = history.of_customer(customer)
    plan = await plan_of(app, f"{listed._select} {listed._order} LIMIT 21", dict(listed._values))
    assert "order_details_customer" in plan, plan
    assert "estimates_customer" in plan, plan
    if app.engine == "sqlite":
        assert "SCAN o" not in plan
        assert "SCAN e" not in plan


@pytest.mark.both_engines
async def test_customers_of_imported_rows_are_found_by_their_keys(app: App) -> None:
    anna = await app.owner("Anna")
    await fill(anna, 200)
    asked: list[str] = []

    class Reader:
        async def all(self, _type: type, sql: str, **_values: object) -> list[object]:
            asked.append(sql)
            return []

    await imported._find_shared(Reader(), app.db.catalog, anna.workshop, "[]")  # type: ignore[arg-type]
    plan = await plan_of(app, asked[0], {"rows": "[]", "workshop_id": anna.workshop})
    index = "workshop_id=? AND key=?" if app.engine == "sqlite" else "(key = sent.key)"
    assert index in plan, plan
