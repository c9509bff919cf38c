"""What each table is to the whole workshop: no table, and no column that people write into, is forgotten."""

from collections import defaultdict

from backbench.customers import customer_links
from backbench.customers.customer_data import CustomerOrder
from backbench.workshops.tables import TABLES
from tests.people import App


async def columns_of(app: App) -> dict[str, set[str]]:
    """The columns of each table that has rows of a workshop."""
    found: dict[str, set[str]] = defaultdict(set)
    async with app.db.read() as db:
        for column in await app.db.catalog.columns(db):
            found[column.table].add(column.name)
    return {table: names for table, names in found.items() if "workshop_id" in names or table == "workshops"}


async def test_each_table_of_a_workshop_has_a_line(app: App) -> None:
    found = await columns_of(app)
    assert sorted(found) == sorted(table.name for table in TABLES)
    for table in TABLES:
        assert {*table.counted, table.id, table.workshop} <= found[table.name] | {"id"}, table.name


async def test_what_belongs_to_an_order_or_names_a_customer_says_so(app: App) -> None:
    found = await columns_of(app)
    with_order = {name for name, columns in found.items() if "order_id" in columns}
    # The details are a part of the order, and the keys a part of the customer.
    assert {table.name for table in TABLES if table.of == "orders"} == with_order - {"order_details"}
    with_customer = {name for name, columns in found.items() if "customer_id" in columns}
    named = {table.name for table in TABLES if table.names_customer}
    assert named == with_customer - {"customer_keys", "billing_subscriptions"}
    # What a merge moves and an erasure clears.
    assert named == {table for table, _ in customer_links.NAMING}


def test_what_people_write_is_searched_where_somebody_is_erased_or_has_a_reason() -> None:
    assert [
        table.name for table in TABLES if (table.names or table.texts) and not (table.kind or table.unsearched)
    ] == []


def test_each_table_counts_or_is_named_with_its_limit() -> None:
    assert [table.name for table in TABLES if table.uncounted and table.others] == []


def test_what_counts_is_in_the_archive() -> None:
    """All but the files to import: what they were imported to is there."""
    counted = [table for table in TABLES if not table.uncounted]
    assert {table.name for table in counted if not table.archive} == {"imports", "import_mappings"}


def test_what_belongs_to_an_order_is_in_the_data_of_its_customer() -> None:
    members = {name.removesuffix("s") for name in CustomerOrder.__struct_fields__}
    belonging = {table.name.removeprefix("order_").removesuffix("s") for table in TABLES if table.of == "orders"}
    assert belonging - members == set()
