"""A separate process that counts in a shared file. Prints the names of its acknowledged writes."""

import asyncio
import json
import sys
from functools import partial

from backbench.engine.database import Write
from backbench.engine.urls import open_database


async def count(db: Write, name: str) -> None:
    await db.run("INSERT INTO tallies (name, number) VALUES (:name, 1)", name=name)
    await db.run("UPDATE tallies SET number = number + 1 WHERE name = 'all'")


async def main(url: str, who: str) -> list[str]:
    db = open_database(url)
    names = [f"{who}-{number}" for number in range(200)]
    for start in range(0, len(names), 5):
        await asyncio.gather(*(db.write(partial(count, name=name)) for name in names[start : start + 5]))
    await db.close()
    return names


if __name__ == "__main__":
    sys.stdout.write(json.dumps(asyncio.run(main(*sys.argv[1:]))))
