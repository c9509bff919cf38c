"""Numbers of a workshop, and the prices that they are sums of."""

from backbench.domain.accounts.calls import Call
from backbench.domain.orders.due import wall_clock
from backbench.domain.orders.workshop_numbers import (
    AgreedEntry,
    AgreedQuery,
    Decided,
    MonthNumbers,
    NumbersQuery,
    WorkshopNumbers,
    counted,
    owed_sums,
    period,
)
from backbench.domain.values.pagination import Page
from backbench.storage.engine.database import Read
from backbench.storage.estimating import document_settings
from backbench.storage.orders import owed, workshop_numbers
from backbench.storage.orders.workshop_numbers import StoredAgreement


async def get(db: Read, call: Call, workshop_id: str, query: NumbersQuery) -> WorkshopNumbers:
    """Read what is open in a workshop, what it agreed and received by month, and what waits for somebody."""
    settings = await document_settings.find(db, workshop_id)
    clock = wall_clock(call.now, settings.zone)
    wanted = period(query.from_, query.to, clock.today, settings.zone)
    accepted = await workshop_numbers.list_decided(db, workshop_id, wanted, "accepted")
    declined = await workshop_numbers.list_decided(db, workshop_id, wanted, "declined")
    agreed = [*accepted, *await workshop_numbers.list_entered(db, workshop_id, wanted)]
    received = await workshop_numbers.list_received(db, workshop_id, wanted)
    waiting = await workshop_numbers.count_waiting(db, workshop_id, clock)
    return WorkshopNumbers(
        from_=wanted.first.isoformat(),
        to=wanted.last.isoformat(),
        open_estimates=counted(await workshop_numbers.list_open(db, workshop_id, clock.today)),
        decided=Decided(sum(each.count for each in accepted), sum(each.count for each in declined)),
        months=[
            MonthNumbers(each.month, counted(agreed, each.month), counted(received, each.month))
            for each in wanted.months
        ],
        late=waiting.late,
        ready=waiting.ready,
        owed=owed_sums(await owed.list_sums(db, workshop_id)),
    )


async def list_agreed(db: Read, call: Call, workshop_id: str, query: AgreedQuery) -> Page[AgreedEntry]:
    """List the prices that a workshop agreed in a period, the latest first."""
    settings = await document_settings.find(db, workshop_id)
    wanted = period(query.from_, query.to, settings.today(call.now), settings.zone)
    page = await workshop_numbers.agreed_in(workshop_id, wanted).page(db, query)
    return page.map(StoredAgreement.to_response)
