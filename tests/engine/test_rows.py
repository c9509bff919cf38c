"""Row mapping: the columns of a statement must have the names and the order of the fields."""

from collections.abc import AsyncIterator, Callable
from decimal import Decimal
from typing import Annotated

import pytest
from msgspec import UNSET, Struct, UnsetType, structs

from backbench.engine.database import Database, Write
from backbench.engine.rows import columns
from backbench.engine.urls import open_database
from backbench.values.numbers import Column, Number

pytestmark = pytest.mark.both_engines


class Contact(Struct, frozen=True):
    name: str
    city: str


class Swapped(Struct, frozen=True):
    city: str
    name: str


@pytest.fixture
async def db(new_database_url: Callable[[], str]) -> AsyncIterator[Database]:
    async def set_up(write: Write) -> None:
        await write.run("CREATE TABLE contacts (name TEXT PRIMARY KEY, city TEXT NOT NULL)")
        await write.run("INSERT INTO contacts (name, city) VALUES ('Anna', 'Kraków'), ('Marek', 'Gdynia')")

    opened = open_database(new_database_url())
    await opened.write(set_up)
    yield opened
    await opened.close()


SELECT = "SELECT name, city FROM contacts ORDER BY name"


async def test_columns_with_the_names_of_the_fields_become_structs(db: Database) -> None:
    async with db.read() as read:
        contacts = [Contact("Anna", "Kraków"), Contact("Marek", "Gdynia")]
        # The first call checks the names, the second uses the result of the check.
        for _ in range(2):
            assert await read.all(Contact, SELECT) == contacts
            assert await read.one(Contact, SELECT) == contacts[0]
        assert await read.all(str, SELECT) == ["Anna", "Marek"]


async def test_swapped_columns_are_refused_although_their_types_fit(db: Database) -> None:
    async with db.read() as read:
        # The same statement has been checked for another type.
        assert await read.one(Contact, SELECT) is not None
        for _ in range(2):
            with pytest.raises(TypeError, match=r"fields of Swapped: columns \(name, city\), fields \(city, name\)"):
                await read.one(Swapped, SELECT)
            with pytest.raises(TypeError, match="statement: SELECT name, city FROM contacts ORDER BY name"):
                await read.all(Swapped, SELECT)


@pytest.mark.parametrize("columns", ["name", "name, city, name AS nickname", "name, lower(city)", "name, city AS town"])
async def test_columns_without_the_names_of_the_fields_are_refused(db: Database, columns: str) -> None:
    async with db.read() as read:
        with pytest.raises(TypeError, match="fields of Contact"):
            await read.all(Contact, f"SELECT {columns} FROM contacts")
        assert await read.all(Contact, f"SELECT {columns} FROM contacts WHERE name = 'Nobody'") == []


async def test_a_write_that_returns_other_columns_is_refused_and_undone(db: Database) -> None:
    sql = "UPDATE contacts SET city = 'Łódź' WHERE name = 'Anna' RETURNING city, name"
    with pytest.raises(TypeError, match="fields of Contact"):
        await db.write(lambda write: write.one(Contact, sql))
    async with db.read() as read:
        assert await read.one(Contact, SELECT) == Contact("Anna", "Kraków")


async def test_a_joined_column_keeps_its_name(db: Database) -> None:
    sql = "SELECT a.name, b.city FROM contacts a JOIN contacts b ON b.name = a.name ORDER BY a.name"
    async with db.read() as read:
        assert await read.one(Contact, sql) == Contact("Anna", "Kraków")


async def test_a_statement_counts_the_rows_that_it_changes_itself(db: Database) -> None:
    """Without those of cascades, and none for a statement that changes no rows."""

    async def count(write: Write) -> list[int]:
        return [
            await write.run("CREATE TABLE notes (name TEXT REFERENCES contacts (name) ON DELETE CASCADE)"),
            await write.run("INSERT INTO notes (name) VALUES ('Anna'), ('Anna'), ('Marek')"),
            await write.run("DELETE FROM contacts WHERE name = 'Anna'"),
            await write.run("DELETE FROM contacts WHERE name = 'Anna'"),
            await write.run("INSERT INTO contacts (name, city) VALUES ('Marek', 'x') ON CONFLICT (name) DO NOTHING"),
            await write.run("CREATE TABLE labels (name TEXT)"),
        ]

    assert await db.write(count) == [0, 3, 1, 0, 0, 0]


class Part(Struct, frozen=True):
    name: str
    is_new: bool
    price: Number
    tags: list[str]
    maker: Contact | UnsetType = UNSET
    note: str | None = None


PART = Part("Oak", is_new=True, price=Number("12.50"), tags=["ą", "b"], maker=Contact("Anna", "Kraków"))
PARTS = "SELECT name, is_new, price, tags, maker, note FROM parts ORDER BY name"
CREATE_PARTS = """
    CREATE TABLE parts (name TEXT PRIMARY KEY, is_new BIGINT NOT NULL, price TEXT NOT NULL, tags TEXT NOT NULL,
        maker TEXT, note TEXT, name_folded TEXT)
"""


async def test_a_row_that_was_added_is_read_as_it_was(db: Database) -> None:
    bare = Part("Ash", is_new=False, price=Number("0"), tags=[])

    async def work(write: Write) -> list[Part]:
        await write.run(CREATE_PARTS)
        await write.add("parts", PART, name_folded="oak")
        await write.add("parts", bare)
        await write.add("parts", name="Elm", is_new=True, price=Number("1"), tags=["c"])
        return await write.all(Part, PARTS)

    assert await db.write(work) == [bare, Part("Elm", is_new=True, price=Number("1"), tags=["c"]), PART]
    async with db.read() as read:
        texts = await read.all(str, "SELECT coalesce(maker, note, name_folded, 'none') FROM parts ORDER BY name")
        assert texts == ["none", "none", '{"name":"Anna","city":"Kraków"}']


async def test_what_changed_is_saved_and_nothing_else(db: Database) -> None:
    async def work(write: Write) -> Part:
        await write.run(CREATE_PARTS)
        await write.add("parts", PART)
        await write.run("UPDATE parts SET note = 'of another'")
        return await write.save("parts", PART, key="name", is_new=False, maker=UNSET, name_folded="oak")

    saved = await db.write(work)
    assert saved == structs.replace(PART, is_new=False, maker=UNSET)
    async with db.read() as read:
        assert await read.all(Part, PARTS) == [structs.replace(saved, note="of another")]
        assert await read.value("SELECT name_folded FROM parts") == "oak"


async def test_changes_that_wait_are_made_in_their_order(db: Database) -> None:
    """Of one row as well, and before what is read."""

    async def change(write: Write) -> list[str]:
        await write.add("parts", PART)
        saved = await write.save("parts", PART, key="name", note="first")
        await write.save("parts", saved, key="name", note="second")
        return await write.all(str, "SELECT note FROM parts")

    await db.write(lambda write: write.run(CREATE_PARTS))
    assert await db.write(change) == ["second"]
    await db.write(lambda write: write.save("parts", PART, key="name", note="at the end"))
    async with db.read() as read:
        assert await read.all(str, "SELECT note FROM parts") == ["at the end"]


class Paid(Struct, frozen=True, kw_only=True):
    """Its sum is a column of whole cents; who paid has a name that SQL keeps for itself."""

    note: str = ""
    by: Annotated[str, Column("payer")]
    amount: Annotated[Decimal, Column("cents", lambda cents: Decimal(cents) / 100, lambda amount: int(amount * 100))]


async def test_a_field_may_have_a_column_of_another_name_and_form(db: Database) -> None:
    paid = Paid(by="Anna", amount=Decimal("12.5"), note="cash")

    async def work(write: Write) -> Paid:
        await write.run("CREATE TABLE paid (payer TEXT PRIMARY KEY, cents BIGINT NOT NULL, note TEXT NOT NULL)")
        await write.add("paid", paid)
        return await write.save("paid", paid, key="note", amount=Decimal("3.25"))

    assert await db.write(work) == structs.replace(paid, amount=Decimal("3.25"))
    async with db.read() as read:
        assert await read.value("SELECT cents FROM paid") == 325
        sql = f"SELECT {columns(Paid, 'p')} FROM paid p"
        assert await read.all(Paid, sql) == [structs.replace(paid, amount=Decimal("3.25"))]
