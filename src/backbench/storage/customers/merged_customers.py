"""Customers that were merged into others, or erased, in the database."""

from collections.abc import Sequence

from msgspec import Struct

from backbench.domain.customers.customers import Customer
from backbench.domain.customers.merges import KEPT_SECONDS, Merge
from backbench.domain.values.numbers import to_json_text
from backbench.domain.values.times import Instant, later
from backbench.storage.customers.customers import COLUMNS, add_keys, delete_keys
from backbench.storage.engine.database import Read, Write
from backbench.storage.engine.parameters import rows_of

# Also what was merged into those. By the index of `merged_into`.
_MERGED = """
    WITH RECURSIVE merged (id) AS (
        SELECT id FROM customers WHERE merged_into = :id AND state = 'merged'
        UNION SELECT c.id FROM customers c JOIN merged ON c.merged_into = merged.id WHERE c.state = 'merged'
    )
"""
_LIST = f"SELECT {COLUMNS} FROM customers c WHERE c.id IN ({_MERGED} SELECT id FROM merged) ORDER BY c.id"
_COUNT = f"SELECT count(*) FROM customers WHERE id IN ({_MERGED} SELECT id FROM merged)"
_ERASE = """
    UPDATE customers SET name = '', phones = '[]', emails = '[]', notes = '', address = NULL, site_address = NULL,
        tax_id = NULL, locale = NULL, sort_name = '', search_text = '', phone_digits = '', given = NULL,
        state = 'erased', gone_at = :now, updated_at = :now
"""


class MergedCustomer(Struct, frozen=True):
    """A record that was merged into another one. `given` is None where it was erased with that one."""

    merged_into: str
    given: Merge | None


async def lookup(db: Read, customer_id: str) -> MergedCustomer | None:
    sql = "SELECT merged_into, given FROM customers WHERE id = :id AND merged_into IS NOT NULL"
    return await db.one(MergedCustomer, sql, id=customer_id)


async def list_all(db: Read, customer_id: str) -> list[Customer]:
    """The records that were merged into the customer, and into those."""
    return await db.all(Customer, _LIST, id=customer_id)


async def count(db: Read, customer_id: str) -> int:
    """How many there are of these records."""
    return int(await db.value(_COUNT, id=customer_id))


async def save(db: Write, customer_id: str, into_id: str, merge: Merge, now: Instant) -> int:
    """The customer is in no list from now on. Returns how many bytes are stored for that."""
    given = to_json_text(merge)
    await db.run(
        "UPDATE customers SET state = 'merged', gone_at = :now, merged_into = :into_id, given = :given WHERE id = :id",
        id=customer_id,
        now=now,
        into_id=into_id,
        given=given,
    )
    await delete_keys(db, [customer_id])
    return len(given.encode())


async def save_separated(db: Write, customer: Customer) -> None:
    """The customer is in lists again."""
    sql = "UPDATE customers SET state = 'present', gone_at = NULL, merged_into = NULL, given = NULL WHERE id = :id"
    await db.run(sql, id=customer.id)
    await add_keys(db, [customer])


async def erase(db: Write, ids: Sequence[str], now: Instant) -> None:
    """Nothing of these records is left but their ids."""
    sent = db.catalog.rows_from_json("customers", ["id"])
    await db.run(f"{_ERASE} WHERE id IN ({sent})", rows=rows_of(ids), now=now)
    await delete_keys(db, ids)


async def delete_expired(db: Write, now: Instant) -> None:
    """Deletes what was merged or erased 30 days ago."""
    sql = "DELETE FROM customers WHERE gone_at IS NOT NULL AND gone_at <= :before"
    await db.run(sql, before=later(now, -KEPT_SECONDS))
