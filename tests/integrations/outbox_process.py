"""An outbox worker in a process of its own, for tests that kill it: `DATABASE_URL SMTP_URL`."""

import asyncio
import sys

from backbench.billing.plans import PlanRules
from backbench.engine.urls import open_database
from backbench.jobs.email_outbox import OutboxWorker
from backbench.jobs.email_renderer import EmailRenderer
from backbench.mail.messages import Sender
from backbench.mail.smtp import SmtpTransport
from backbench.values import times


async def main(database_url: str, smtp_url: str) -> None:
    sender = Sender("", "https://office.example.com")
    await OutboxWorker(
        open_database(database_url),
        EmailRenderer("https://office.example.com", PlanRules()),
        SmtpTransport(smtp_url, sender),
        times.now,
    ).send_next()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
