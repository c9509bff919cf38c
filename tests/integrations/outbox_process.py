"""A process that sends the mails of a database, for tests that end it in the middle: `DATABASE_URL SMTP_URL`."""

import asyncio
import sys

from backbench.domain.values import times
from backbench.integrations.email_transport import Sender, Smtp
from backbench.jobs.email_outbox import OutboxWorker
from backbench.jobs.email_renderer import Writer
from backbench.storage.engine.urls import open_database


async def main(database_url: str, smtp_url: str) -> None:
    sender = Sender("", "https://office.example.com")
    await OutboxWorker(
        open_database(database_url), Writer("https://office.example.com"), Smtp(smtp_url, sender), times.now
    ).send_next()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
