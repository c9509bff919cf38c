"""Demo setup: creates the demo workshops once, through the verbs of the API, and new credentials at every start."""

import contextlib
import secrets
from typing import NamedTuple, get_args

from msgspec import UNSET, Struct, structs

from backbench.accounts import accounts, api_keys
from backbench.customers import customers
from backbench.demo.documents import Documents, make_documents
from backbench.demo.invoices import OfOrder, add_invoices
from backbench.demo.log import Log
from backbench.demo.photos import add_photo
from backbench.demo.sharing import add_calendar
from backbench.demo.workshop import (
    WORKSHOPS,
    Accepted,
    Contents,
    DemoEstimate,
    DemoOrder,
    DemoPhoto,
    History,
    Step,
    contents,
    instant,
)
from backbench.engine.database import Database, Write
from backbench.estimating import document_facts, estimates, grids, handoffs, revisions
from backbench.estimating.document_facts import ESTIMATE_REF, DocumentFacts, EstimateRef
from backbench.estimating.estimates import ESTIMATE, EstimateEdit
from backbench.estimating.handoffs import NewHandoff
from backbench.estimating.revisions import CONFIRMABLE
from backbench.hosting import administration
from backbench.orders import balances, order_details, orders, payments
from backbench.orders.order_details import ORDER_DETAILS, NewCollection, OrderDetailsEdit
from backbench.orders.order_links import ORDER_REF
from backbench.orders.orders import ORDER, OrderEdit, OrderMove
from backbench.services import Services
from backbench.values.calls import Call, Caller, Scope
from backbench.values.errors import Unavailable
from backbench.values.ids import NewId
from backbench.values.times import Instant
from backbench.workshops import settings, workshops

_KEY_NAME = "demo"
# Three of these and four digits are 24 bits; the sign-in limit allows a hundred attempts in 15 minutes.
_WORDS = ("adze", "awl", "bevel", "chisel", "clamp", "gauge", "gouge", "lathe", "mallet", "mitre", "plane", "rasp")


class Demo(Struct, frozen=True, rename="camel"):
    """The credentials and the workshop of the demo. `polish_email` signs in to a workshop in Polish."""

    email: str
    password: str
    api_key: str
    workshop_id: str
    polish_email: str


class _Team(NamedTuple):
    """The members of a workshop who act in its history, and the ids of its customers by their names.

    `photos` and `invoices`: those to be added to orders.
    """

    owner: Caller
    partner: Caller
    customers: dict[str, str]
    photos: list[tuple[str, DemoPhoto]]
    invoices: list[OfOrder]


class _New(NamedTuple):
    """What is left to do for a new workshop."""

    team: _Team
    documents: list[Documents]
    log: Log


async def open_demo(db: Database, services: Services, now: Instant, new_id: NewId) -> Demo:
    """Creates the demo workshops unless they exist; replaces their password and the API key.

    Both are new at every start, so that no password is known from the source or the documentation.
    """
    password = "-".join(secrets.choice(_WORDS) for _ in range(3)) + f"-{secrets.randbelow(10_000):04}"
    hashed = await services.passwords.hash(password)
    unknown = await services.passwords.hash(secrets.token_urlsafe())
    joinery, upholstery = (contents(name) for name in WORKSHOPS)

    async def work(write: Write) -> tuple[Demo, list[_New]]:
        await write.lock("demo")
        workshop_id, new_joinery = await _workshop(write, joinery, unknown, services, now, new_id)
        _, new_upholstery = await _workshop(write, upholstery, unknown, services, now, new_id)
        email, polish_email = joinery.owner.email, upholstery.owner.email
        account_id = await _open_account(write, email, hashed, now, new_id)
        await _open_account(write, polish_email, hashed, now, new_id)
        key = await _fresh_key(write, account_id, email, now, new_id)
        made = [new for new in (new_joinery, new_upholstery) if new is not None]
        return Demo(email, password, key, workshop_id, polish_email), made

    demo, made = await db.write(work)
    for team, documents, log in made:
        # The demo works without its PDFs and photos.
        for each in documents:
            with contextlib.suppress(Unavailable):
                await make_documents(db, each, services, now, new_id, log)
        for order_id, photo in team.photos:
            with contextlib.suppress(Unavailable):
                await add_photo(db, Call(team.owner, now, new_id), order_id, photo, services, log)
        await db.write(log.save)
    return demo


async def _open_account(db: Write, email: str, password_hash: str, now: Instant, new_id: NewId) -> str:
    """Activates the account with that password. Returns its id."""
    account = await accounts.find_by_email(db, email)
    await administration.activate(db, email, now, new_id)
    await accounts.save_reset(db, account.id, password_hash, now)
    return account.id


async def _workshop(
    db: Write, planned: Contents, password_hash: str, services: Services, now: Instant, new_id: NewId
) -> tuple[str, _New | None]:
    """The id of the account's default workshop, and what is left to do if it is new.

    It is created if the account does not exist, or has no workshop left.
    """
    account = await accounts.lookup_by_email(db, planned.owner.email)
    if account is not None:
        existing = await workshops.list_stored(db, account.id)
        if existing:
            return next((workshop.id for workshop in existing if workshop.is_default), existing[-1].id), None
    created = instant(planned.created, now)
    for person in (planned.owner, planned.partner):
        if await accounts.lookup_by_email(db, person.email) is None:
            await administration.add_account(
                db, person.email, person.name, password_hash, planned.locale, created, new_id
            )
    owner = await accounts.find_by_email(db, planned.owner.email)
    if not await workshops.list_stored(db, owner.id):
        await administration.add_workshop(db, owner.email, "Demo", created, new_id)
    (workshop,) = await workshops.list_stored(db, owner.id)
    await administration.add_member(db, workshop.id, planned.partner.email, "member", created, new_id)
    partner = await accounts.find_by_email(db, planned.partner.email)
    team = _Team(Caller(uid=owner.id), Caller(uid=partner.id), {}, [], [])
    return workshop.id, await _fill(db, team, workshop.id, planned, services, now, new_id)


async def _fresh_key(db: Write, uid: str, email: str, now: Instant, new_id: NewId) -> str:
    """The secret of a new API key; revokes the key of the previous start."""
    for key in await api_keys.list_stored(db, uid):
        if key.name == _KEY_NAME and key.revoked_at is None:
            await api_keys.save_revoked(db, key.id, uid, now)
    issued = await administration.issue_key(db, email, list(get_args(Scope)), _KEY_NAME, now, new_id)
    return issued.secret


async def _fill(
    db: Write, team: _Team, workshop_id: str, planned: Contents, services: Services, now: Instant, new_id: NewId
) -> _New:
    """Adds everything planned to a new workshop, except what is rendered."""
    created, owner, log = instant(planned.created, now), team.owner, Log(workshop_id, new_id)
    call = Call(owner, created, new_id)
    await workshops.update(db, call, workshop_id, planned.workshop, services)
    await settings.replace(db, call, workshop_id, planned.documents)
    await workshops.replace_context(db, call, workshop_id, planned.context)
    log.record(owner, "workshop.updated", workshop_id, created)
    await add_calendar(db, call, workshop_id, planned.locale, services)
    for grid in planned.grids:
        made = await grids.create(db, call, workshop_id, grid)
        log.record(owner, "grid.created", made.id, created)
    for customer in planned.customers:
        added = await customers.create(db, call, workshop_id, customer)
        log.record(owner, "customer.created", added.id, created)
        team.customers[added.name] = added.id
    for order in planned.orders:
        await _add_order(db, team, workshop_id, order, now, new_id, log)
    documents = []
    for estimate in planned.estimates:
        estimate_id = await _add_estimate(db, team, workshop_id, estimate, services, now, new_id, log)
        at = instant(estimate.changed, now)
        documents.append(Documents(owner, estimate_id, at, estimate.pdf, estimate.shared))
    await add_invoices(db, owner, team.invoices, now, new_id, log)
    return _New(team, documents, log)


async def _add_order(
    db: Write, team: _Team, workshop_id: str, planned: DemoOrder, now: Instant, new_id: NewId, log: Log
) -> None:
    created, caller = instant(planned.created, now), team.owner
    call = Call(caller, created, new_id)
    order = await orders.create(db, call, workshop_id, planned.body)
    log.record(caller, "order.created", order.id, created)
    if customer_id := team.customers.get(order.customer_name):
        details = await ORDER_DETAILS.lock(db, call, order.id)
        await order_details.update(db, call, details, OrderDetailsEdit(customer_id=customer_id))
        log.record(caller, "order.details_updated", order.id, created)
    await _repeat_history(db, caller, order.id, planned.history, now, new_id, log)
    team.invoices.extend(OfOrder(order.id, each) for each in planned.history.invoices)
    team.photos.extend((order.id, photo) for photo in planned.photos)


async def _repeat_history(
    db: Write, caller: Caller, order_id: str, history: History, now: Instant, new_id: NewId, log: Log
) -> None:
    if history.notes:
        call = Call(caller, now)
        await orders.update(db, call, await ORDER.lock(db, call, order_id), OrderEdit(notes=history.notes))
    for status, at in history.moves:
        call = Call(caller, instant(at, now))
        await orders.move(db, call, await ORDER.lock(db, call, order_id), OrderMove(status))
        log.record(caller, "order.moved", order_id, instant(at, now))
    await _put_on_shelf(db, caller, order_id, history, now, log)
    await _pay(db, Call(caller, now, new_id), order_id, history, log)


async def _pay(db: Write, call: Call, order_id: str, history: History, log: Log) -> None:
    """The price that was agreed without an estimate, and the payments."""
    order = await ORDER_REF.find(db, call, order_id)
    if history.price is not None:
        await balances.agree(db, call, order, history.price)
        log.record(call.caller, "order.agreed", order_id, call.now)
    for payment, moment in history.payments:
        at = instant(moment, call.now)
        recorded = await payments.record(db, Call(call.caller, at, call.new_id), order, payment)
        log.record(call.caller, "payment.recorded", recorded.id, at)


async def _put_on_shelf(db: Write, caller: Caller, order_id: str, history: History, now: Instant, log: Log) -> None:
    """Its details; an order without any that is done was collected."""
    if history.details is not None:
        due_on = UNSET if history.due_in is None else instant((-history.due_in, "12:00"), now)[:10]
        edit, call = structs.replace(history.details, due_on=due_on), Call(caller, now)
        await order_details.update(db, call, await ORDER_DETAILS.lock(db, call, order_id), edit)
        log.record(caller, "order.details_updated", order_id, now)
    elif history.moves and history.moves[-1][0] == "done":
        at = instant(history.moves[-1][1], now)
        call = Call(caller, at)
        await order_details.collect(db, call, await ORDER_DETAILS.lock(db, call, order_id), NewCollection())
        log.record(caller, "order.collected", order_id, at)


async def _add_estimate(
    db: Write,
    team: _Team,
    workshop_id: str,
    planned: DemoEstimate,
    services: Services,
    now: Instant,
    new_id: NewId,
    log: Log,
) -> str:
    """Returns the id of the estimate."""
    created = instant(planned.created, now)
    estimate = await estimates.create(db, Call(team.owner, created, new_id), workshop_id, planned.body)
    log.record(team.owner, "estimate.created", estimate.id, created)
    customer_id = team.customers.get(planned.body.recipient_name or "", UNSET)
    if customer_id is not UNSET:
        named = DocumentFacts(customer_id=customer_id)
        ref = EstimateRef(estimate.id, workshop_id)
        await document_facts.replace(db, Call(team.owner, created, new_id), ref, named)
        log.record(team.owner, "estimate.updated", estimate.id, created)
    for step in planned.steps:
        caller = team.partner if step.partner else team.owner
        await _apply_step(db, team, Call(caller, instant(step.at, now), new_id), estimate.id, step, services, now, log)
    return estimate.id


async def _apply_step(
    db: Write, team: _Team, call: Call, estimate_id: str, step: Step, services: Services, now: Instant, log: Log
) -> None:
    caller, at = call.caller, call.now
    match step.body:
        case EstimateEdit() as edit:
            await estimates.update(db, call, await ESTIMATE.lock(db, call, estimate_id), edit)
            log.record(caller, "estimate.updated", estimate_id, at)
        case DocumentFacts() as facts:
            ref = await ESTIMATE_REF.lock(db, call, estimate_id)
            known = await document_facts.get(db, ref)
            await document_facts.replace(db, call, ref, structs.replace(facts, customer_id=known.customer_id))
            log.record(caller, "estimate.updated", estimate_id, at)
        case NewHandoff() as handoff:
            made = await handoffs.create(db, call, await ESTIMATE_REF.lock(db, call, estimate_id), handoff)
            log.record(caller, "handoff.created", made.id, at)
        case Accepted(body=body, history=history):
            order = await order_details.create_order(db, call, await ESTIMATE.lock(db, call, estimate_id), body)
            log.record(caller, "order.created", order.id, at)
            await _repeat_history(db, caller, order.id, history, now, call.new_id, log)
            team.invoices.extend(OfOrder(order.id, each) for each in history.invoices)
        case None:
            await revisions.confirm(db, call, await CONFIRMABLE.lock(db, call, estimate_id), services)
            log.record(caller, "estimate.confirmed", estimate_id, at)
