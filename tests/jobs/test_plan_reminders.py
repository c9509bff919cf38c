"""Plan reminders: the owners get one email some days before a plan ends, however many workers look for it."""

import asyncio

import pytest

from backbench.billing.plans import Plan, PlanRules, WorkshopPlanSource
from backbench.hosting import administration
from backbench.jobs.plan_reminders import PlanReminders
from backbench.values import times
from backbench.values.ids import new_id
from backbench.values.times import Instant, later
from tests.people import App, Person
from tests.support.mailbox import emails_to, text_of

DAY = 86_400
NOW = times.now()


def reminders(app: App, now: Instant = NOW, rules: PlanRules | None = None) -> PlanReminders:
    return PlanReminders(app.db, rules or PlanRules(), lambda: now, new_id)


async def grant(app: App, owner: Person, days: float, source: WorkshopPlanSource = "grant") -> None:
    plan = Plan("pro", later(NOW, days * DAY), source)
    await app.db.write(lambda db: administration.set_plan(db, owner.workshop, plan, NOW, new_id))


async def test_the_end_of_a_trial_is_announced_once_however_many_workers_look(app: App) -> None:
    anna = await app.owner("Anna")
    await grant(app, anna, 4, "trial")
    await asyncio.gather(*[reminders(app).queue_due() for _ in range(4)])
    await reminders(app, later(NOW, DAY)).queue_due()
    [message] = await emails_to(app, anna.email)
    assert message["Subject"].startswith("Your trial ends on ")
    text = text_of(message).replace("\n", " ")
    assert "50 MB for files and 3 confirmed revisions per estimate" in text
    assert "{" not in text


async def test_every_owner_is_reminded_in_their_language_and_no_member(app: App) -> None:
    anna, marek, zofia = await app.owner("Anna"), await app.person("Marek", locale="pl"), await app.person("Zofia")
    await app.db.write(
        lambda db: administration.add_member(db, anna.workshop, marek.email, "owner", times.now(), new_id)
    )
    await app.db.write(
        lambda db: administration.add_member(db, anna.workshop, zofia.email, "member", times.now(), new_id)
    )
    await grant(app, anna, 4)
    await reminders(app).queue_due()
    subjects = [
        [message["Subject"][:17] for message in await emails_to(app, each.email)] for each in (anna, marek, zofia)
    ]
    assert subjects == [["Your Pro plan end"], ["Plan Pro kończy s"], []]


async def test_another_end_of_the_plan_is_announced_again(app: App) -> None:
    anna = await app.owner("Anna")
    for days in (4, 40, 3):
        await grant(app, anna, days)
        await reminders(app).queue_due()
        await emails_to(app, anna.email)
    assert len(await emails_to(app, anna.email)) == 2


async def test_a_reminder_that_is_no_longer_true_is_not_sent(app: App) -> None:
    anna = await app.owner("Anna")
    await grant(app, anna, 4)
    await reminders(app).queue_due()
    await grant(app, anna, 400)
    assert await emails_to(app, anna.email) == []


@pytest.mark.parametrize(
    ("days", "source", "rules"),
    [
        (6, "grant", PlanRules()),
        (-1, "grant", PlanRules()),
        (4, "subscription", PlanRules()),
        (4, "trial", PlanRules(default="pro")),
    ],
)
async def test_nothing_is_announced_that_does_not_end_soon(
    app: App, days: float, source: WorkshopPlanSource, rules: PlanRules
) -> None:
    """A subscription is renewed unless it is cancelled; on a server whose default plan is pro, nothing ends."""
    anna = await app.owner("Anna")
    await grant(app, anna, days, source)
    await reminders(app, rules=rules).queue_due()
    assert await emails_to(app, anna.email) == []
