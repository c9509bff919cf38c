"""What a workshop stores: each table counts as its data, or has a limit of its own."""

from backbench.workshops.counters import NOT_COUNTED, counted_tables
from tests.people import App


async def test_each_table_of_a_workshop_counts_or_is_named_with_its_limit(app: App) -> None:
    async with app.db.read() as db:
        columns = await app.db.catalog.columns(db)
    tables = {column.table for column in columns if column.name == "workshop_id"}
    assert counted_tables() <= tables
    assert tables - counted_tables() == set(NOT_COUNTED)
