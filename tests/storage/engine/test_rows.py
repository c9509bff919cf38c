"""Row mapping: the columns of a statement must have the names and the order of the fields."""

from collections.abc import AsyncIterator, Callable

import pytest
from msgspec import Struct

from backbench.storage.engine.database import Database, Write
from backbench.storage.engine.urls import open_database


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
