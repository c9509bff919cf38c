"""A process that sends the mails of a database, for tests that end it in the middle: `DATABASE_URL SMTP_URL`."""

import asyncio
import sys

from backbench.actions.letters import Writer
from backbench.actions.outbox import Postman
from backbench.domain import times
from backbench.outside.mail import Sender, Smtp
from backbench.storage.engines import open_database


async def main(database_url: str, smtp_url: str) -> None:
    sender = Sender("", "https://office.example.com")
    await Postman(
        open_database(database_url), Writer("https://office.example.com"), Smtp(smtp_url, sender), times.now
    ).send_next()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
