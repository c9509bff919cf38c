"""Demo setup: creates the demo workshop once, through the actions of the API, and new credentials at every start."""

import contextlib
import secrets
from typing import get_args

from msgspec import Struct

from backbench.actions.estimating import document_settings, estimates, grids, handoffs, pdf_exports, revisions
from backbench.actions.operations import administration
from backbench.actions.workshops import orders, workshops
from backbench.demo.workshop import Contents, DemoEstimate, DemoOrder, Step, contents, instant
from backbench.domain.accounts.sessions import Caller, Scope
from backbench.domain.billing.plans import PlanRules
from backbench.domain.documents.pdf_exports import NewPdfExport
from backbench.domain.estimating.estimates import EstimateEdit
from backbench.domain.estimating.handoffs import NewHandoff
from backbench.domain.values.errors import Unavailable
from backbench.domain.values.ids import NewId
from backbench.domain.values.times import Instant
from backbench.domain.workshops.orders import OrderEdit, OrderMove
from backbench.integrations.blobs import Blobs
from backbench.integrations.passwords import Passwords
from backbench.integrations.pdf.renderer import PdfRenderer
from backbench.storage.accounts import accounts, api_keys
from backbench.storage.engine.database import Database, Write
from backbench.storage.workshops import workshops as stored_workshops

_KEY_NAME = "demo"
# Three of these and four digits are 24 bits; the sign-in limit allows a hundred attempts in 15 minutes.
_WORDS = ("adze", "awl", "bevel", "chisel", "clamp", "gauge", "gouge", "lathe", "mallet", "mitre", "plane", "rasp")


class Demo(Struct, frozen=True, rename="camel"):
    """The credentials and the workshop of the demo."""

    email: str
    password: str
    api_key: str
    workshop_id: str


# The id of an estimate, and the PDF export to create of it.
_PdfExport = tuple[str, NewPdfExport]


async def open_demo(
    db: Database, passwords: Passwords, renderer: PdfRenderer, blobs: Blobs, now: Instant, new_id: NewId
) -> Demo:
    """Creates the demo workshop unless it exists; replaces its password and API key.

    Both are new at every start, so that no password is known from the source or the documentation.
    """
    password = "-".join(secrets.choice(_WORDS) for _ in range(3)) + f"-{secrets.randbelow(10_000):04}"
    hashed = await passwords.hash(password)
    unknown = await passwords.hash(secrets.token_urlsafe())
    planned = contents()

    async def work(write: Write) -> tuple[Demo, Caller, list[_PdfExport]]:
        await write.lock("demo")
        email = planned.owner.email
        workshop_id, exports = await _workshop(write, planned, unknown, now, new_id)
        account = await accounts.find_by_email(write, email)
        await administration.activate(write, email, now, new_id)
        await accounts.save_reset(write, account.id, hashed, now)
        key = await _fresh_key(write, account.id, email, now, new_id)
        return Demo(email, password, key, workshop_id), Caller(uid=account.id), exports

    demo, owner, exports = await db.write(work)
    for estimate_id, export in exports:
        # The demo works without its PDF exports.
        with contextlib.suppress(Unavailable):
            await pdf_exports.create(db, owner, estimate_id, export, renderer, blobs, now, new_id, PlanRules())
    return demo


async def _workshop(
    db: Write, planned: Contents, password_hash: str, now: Instant, new_id: NewId
) -> tuple[str, list[_PdfExport]]:
    """The id of the demo's default workshop, and the PDF exports to create if it is new.

    It is created if the account does not exist, or has no workshop left.
    """
    account = await accounts.lookup_by_email(db, planned.owner.email)
    if account is not None:
        existing = await stored_workshops.list_all(db, account.id)
        if existing:
            return next((workshop.id for workshop in existing if workshop.is_default), existing[-1].id), []
    created = instant(planned.created, now)
    for person in (planned.owner, planned.partner):
        if await accounts.lookup_by_email(db, person.email) is None:
            await administration.add_account(db, person.email, person.name, password_hash, "en", created, new_id)
    owner = await accounts.find_by_email(db, planned.owner.email)
    if not await stored_workshops.list_all(db, owner.id):
        await administration.add_workshop(db, owner.email, "Demo", created, new_id)
    (workshop,) = await stored_workshops.list_all(db, owner.id)
    await administration.add_member(db, workshop.id, planned.partner.email, "member", created, new_id)
    return workshop.id, await _fill(db, Caller(uid=owner.id), workshop.id, planned, now, new_id)


async def _fresh_key(db: Write, uid: str, email: str, now: Instant, new_id: NewId) -> str:
    """The secret of a new API key; revokes the key of the previous start."""
    for key in await api_keys.list_all(db, uid):
        if key.name == _KEY_NAME and key.revoked_at is None:
            await api_keys.save_revoked(db, key.id, uid, now)
    issued = await administration.issue_key(db, email, list(get_args(Scope)), _KEY_NAME, now, new_id)
    return issued.secret


async def _fill(
    db: Write, caller: Caller, workshop_id: str, planned: Contents, now: Instant, new_id: NewId
) -> list[_PdfExport]:
    """Adds everything planned to a new workshop. Returns the PDF exports to create."""
    created = instant(planned.created, now)
    await workshops.update(db, caller, workshop_id, planned.workshop, created, PlanRules())
    await document_settings.replace(db, caller, workshop_id, planned.documents)
    await workshops.replace_context(db, caller, workshop_id, planned.context, created)
    for grid in planned.grids:
        await grids.create(db, caller, workshop_id, grid, created, new_id)
    for order in planned.orders:
        await _add_order(db, caller, workshop_id, order, now, new_id)
    exports = []
    for estimate in planned.estimates:
        estimate_id = await _add_estimate(db, caller, workshop_id, estimate, now, new_id)
        if estimate.pdf is not None:
            exports.append((estimate_id, estimate.pdf))
    return exports


async def _add_order(
    db: Write, caller: Caller, workshop_id: str, planned: DemoOrder, now: Instant, new_id: NewId
) -> None:
    order = await orders.create(db, caller, workshop_id, planned.body, instant(planned.created, now), new_id)
    if planned.notes:
        await orders.update(db, caller, order.id, OrderEdit(notes=planned.notes))
    for status, at in planned.moves:
        await orders.move(db, caller, order.id, OrderMove(status), instant(at, now))


async def _add_estimate(
    db: Write, caller: Caller, workshop_id: str, planned: DemoEstimate, now: Instant, new_id: NewId
) -> str:
    """Returns the id of the estimate."""
    estimate = await estimates.create(db, caller, workshop_id, planned.body, instant(planned.created, now), new_id)
    for step in planned.steps:
        await _apply_step(db, caller, estimate.id, step, instant(step.at, now), new_id)
    return estimate.id


async def _apply_step(db: Write, caller: Caller, estimate_id: str, step: Step, at: Instant, new_id: NewId) -> None:
    match step.body:
        case EstimateEdit() as edit:
            await estimates.update(db, caller, estimate_id, edit, at, new_id)
        case NewHandoff() as handoff:
            await handoffs.create(db, caller, estimate_id, handoff, at, new_id)
        case None:
            await revisions.confirm(db, caller, estimate_id, at, new_id, PlanRules())
