"""Customers that were merged into others, or erased, in the database."""

from msgspec import Struct

from backbench.domain.customers.customers import Customer
from backbench.domain.customers.merges import KEPT_SECONDS, Merge
from backbench.domain.values.numbers import to_json_text
from backbench.domain.values.times import Instant, later
from backbench.storage.customers.customers import COLUMNS, add_keys, delete_keys
from backbench.storage.engine.database import Read, Write

_LIST = f"SELECT {COLUMNS} FROM customers c WHERE c.merged_into = :id AND c.state = 'merged' ORDER BY c.id"
_ERASE = """
    UPDATE customers SET name = '', phones = '[]', emails = '[]', notes = '', address = NULL, site_address = NULL,
        tax_id = NULL, locale = NULL, sort_name = '', search_text = '', phone_digits = '', given = NULL,
        state = 'erased', gone_at = :now, updated_at = :now
    WHERE id = :id
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
    found: list[Customer] = []
    pending = [customer_id]
    while pending:
        merged = await db.all(Customer, _LIST, id=pending.pop())
        found += merged
        pending += [each.id for each in merged]
    return found


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
    await delete_keys(db, customer_id)
    return len(given.encode())


async def save_separated(db: Write, customer: Customer) -> None:
    """The customer is in lists again."""
    sql = "UPDATE customers SET state = 'present', gone_at = NULL, merged_into = NULL, given = NULL WHERE id = :id"
    await db.run(sql, id=customer.id)
    await add_keys(db, customer)


async def erase(db: Write, customer_id: str, now: Instant) -> None:
    """Nothing of the record is left but its id."""
    await db.run(_ERASE, id=customer_id, now=now)
    await delete_keys(db, customer_id)


async def delete_expired(db: Write, now: Instant) -> None:
    """Deletes what was merged or erased 30 days ago."""
    sql = "DELETE FROM customers WHERE gone_at IS NOT NULL AND gone_at <= :before"
    await db.run(sql, before=later(now, -KEPT_SECONDS))
