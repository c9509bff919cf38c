"""Bytes of a row of each table that grows, with its indexes."""

import asyncio

from backbench.accounts import accounts, sessions
from backbench.accounts.sessions import Session, digest, new_secret
from backbench.engine.database import Write
from backbench.engine.urls import open_database
from backbench.mail import outbox
from backbench.mail.outbox import NewEmail
from backbench.values import times
from backbench.values.ids import new_id
from benchmarks.backbench_server import EMAIL
from benchmarks.capacity.databases import TableSize

# Of fewer rows than this the size says nothing: tables and indexes grow by whole pages.
_MIN_ROWS = 100
_DAY = 86_400


def row_sizes(before: dict[str, TableSize], after: dict[str, TableSize]) -> dict[str, float]:
    """Bytes for each row that came in between, by table."""
    grown = {
        table: TableSize(size.rows - before[table].rows, size.size - before[table].size)
        for table, size in after.items()
        if table in before
    }
    return {table: round(size.size / size.rows, 1) for table, size in grown.items() if size.rows >= _MIN_ROWS}


def add_sessions_and_emails(database_url: str, count: int) -> None:
    """Sessions, without the cost of hashing a password for each, and emails that are not due yet."""

    async def add_all(db: Write) -> None:
        now = times.now()
        later = times.later(now, _DAY)
        account = await accounts.find_by_email(db, EMAIL)
        for number in range(count):
            session, hashed = Session(new_id(), account.id, now), digest(new_secret())
            agent = "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0"
            await sessions.add(db, session, secret_hash=hashed, user_agent=agent, idle_until=later, ends_at=later)
            email = f"client{number}@example.com"
            await outbox.add(db, new_id(), NewEmail("reset", email, "en", account.id), later)

    async def add() -> None:
        db = open_database(database_url)
        await db.write(add_all)
        await db.close()

    asyncio.run(add())
