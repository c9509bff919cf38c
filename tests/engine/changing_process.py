"""A separate process that changes a workshop. Prints the id and the version of each acknowledged change."""

import asyncio
import os
import sys

from backbench.engine.database import Database, Write
from backbench.engine.urls import open_database
from backbench.values import times
from backbench.values.errors import Unavailable
from backbench.values.ids import new_id
from backbench.workshops import audit
from backbench.workshops.audit import HOST, ChangeSource

_AT_ONCE = 4


async def change_once(db: Database, workshop_id: str) -> None:
    made = ChangeSource(HOST, times.now(), new_id).change(workshop_id, "workshop.updated", new_id())

    async def work(write: Write) -> int:
        await audit.add(write, made)
        if db.engine == "postgres":
            # Commits come in another order than the statements: a sequence would number them wrongly.
            await write.value("SELECT pg_sleep(random() * 0.004)::text")
        sql = "SELECT version FROM audit_entries WHERE workshop_id = :workshop_id AND id = :id"
        return int(await write.value(sql, workshop_id=workshop_id, id=made.id))

    try:
        version = await db.write(work)
    except Unavailable:
        # It is open whether the change was made.
        await asyncio.sleep(0.01)
        return
    sys.stdout.write(f"{made.id} {version}\n")
    sys.stdout.flush()


async def main(url: str, workshop_id: str, count: str) -> None:
    db, parent = open_database(url), os.getppid()

    async def change_often() -> None:
        for _ in range(int(count) // _AT_ONCE):
            # A test run that was interrupted kills nobody: the process would run on without a database.
            if os.getppid() != parent:
                return
            await change_once(db, workshop_id)

    await asyncio.gather(*(change_often() for _ in range(_AT_ONCE)))
    await db.close()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
