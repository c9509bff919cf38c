"""Opens the demo workshop once, through the same actions as people do, and hands out the keys at every start."""

import contextlib
import secrets

from msgspec import Struct

from backbench.actions.estimating import document_settings, estimates, grids, handoffs, pdf_exports, revisions
from backbench.actions.operations import administration
from backbench.actions.workshops import orders, workshops
from backbench.demo.workshop import Contents, DemoEstimate, DemoOrder, Step, contents, instant
from backbench.domain.accounts.sessions import Caller
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
# With the figures behind them 24 bits, of which the sign-in limit lets a guesser try a hundred in a quarter of an hour.
_WORDS = ("adze", "awl", "bevel", "chisel", "clamp", "gauge", "gouge", "lathe", "mallet", "mitre", "plane", "rasp")


class Demo(Struct, frozen=True, rename="camel"):
    """How to get in."""

    email: str
    password: str
    api_key: str
    workshop_id: str


# An estimate, and the paper that is to be made of it.
_Paper = tuple[str, NewPdfExport]


async def open_demo(
    db: Database, passwords: Passwords, renderer: PdfRenderer, blobs: Blobs, now: Instant, new_id: NewId
) -> Demo:
    """The demo workshop, made if it is not there yet, with a password and a key that hold from now on.

    Both are new at every start, so that no password is known to everybody who has read this.
    """
    password = "-".join(secrets.choice(_WORDS) for _ in range(3)) + f"-{secrets.randbelow(10_000):04}"
    hashed = await passwords.hash(password)
    nobodys = await passwords.hash(secrets.token_urlsafe())
    planned = contents()

    async def work(write: Write) -> tuple[Demo, Caller, list[_Paper]]:
        await write.lock("demo")
        email = planned.owner.email
        workshop_id, papers = await _workshop(write, planned, nobodys, now, new_id)
        account = await accounts.find_by_email(write, email)
        await administration.activate(write, email)
        await accounts.save_reset(write, account.id, hashed, now)
        key = await _fresh_key(write, account.id, email, now, new_id)
        return Demo(email, password, key, workshop_id), Caller(uid=account.id), papers

    demo, owner, papers = await db.write(work)
    for estimate_id, paper in papers:
        # The demo is worth having without its papers.
        with contextlib.suppress(Unavailable):
            await pdf_exports.create(db, owner, estimate_id, paper, renderer, blobs, now, new_id)
    return demo


async def _workshop(
    db: Write, planned: Contents, password_hash: str, now: Instant, new_id: NewId
) -> tuple[str, list[_Paper]]:
    """The demo's default workshop, and what is to be printed where it was opened just now.

    That is where there is no account yet, or none of its workshops is left.
    """
    account = await accounts.lookup_by_email(db, planned.owner.email)
    if account is not None:
        found = await stored_workshops.list_all(db, account.id)
        if found:
            return next((workshop.id for workshop in found if workshop.is_default), found[-1].id), []
    opened = instant(planned.opened, now)
    for person in (planned.owner, planned.partner):
        if await accounts.lookup_by_email(db, person.email) is None:
            await administration.add_account(db, person.email, person.name, password_hash, "en", opened, new_id)
    owner = await accounts.find_by_email(db, planned.owner.email)
    if not await stored_workshops.list_all(db, owner.id):
        await administration.add_workshop(db, owner.email, "Demo", opened, new_id)
    (workshop,) = await stored_workshops.list_all(db, owner.id)
    await administration.add_member(db, workshop.id, planned.partner.email, "member", opened)
    return workshop.id, await _furnish(db, Caller(uid=owner.id), workshop.id, planned, now, new_id)


async def _fresh_key(db: Write, uid: str, email: str, now: Instant, new_id: NewId) -> str:
    """The secret of a new key; the one of the start before holds no more."""
    for key in await api_keys.list_all(db, uid):
        if key.name == _KEY_NAME and key.revoked_at is None:
            await api_keys.save_revoked(db, key.id, uid, now)
    issued = await administration.issue_key(db, email, ["orders:read", "orders:write"], _KEY_NAME, now, new_id)
    return issued.secret


async def _furnish(
    db: Write, caller: Caller, workshop_id: str, planned: Contents, now: Instant, new_id: NewId
) -> list[_Paper]:
    opened = instant(planned.opened, now)
    await workshops.update(db, caller, workshop_id, planned.workshop, opened)
    await document_settings.replace(db, caller, workshop_id, planned.documents)
    await workshops.replace_context(db, caller, workshop_id, planned.context, opened)
    for grid in planned.grids:
        await grids.create(db, caller, workshop_id, grid, opened, new_id)
    for order in planned.orders:
        await _take_on(db, caller, workshop_id, order, now, new_id)
    papers = []
    for estimate in planned.estimates:
        estimate_id = await _draw_up(db, caller, workshop_id, estimate, now, new_id)
        if estimate.pdf is not None:
            papers.append((estimate_id, estimate.pdf))
    return papers


async def _take_on(
    db: Write, caller: Caller, workshop_id: str, planned: DemoOrder, now: Instant, new_id: NewId
) -> None:
    order = await orders.create(db, caller, workshop_id, planned.body, instant(planned.opened, now), new_id)
    if planned.notes:
        await orders.update(db, caller, order.id, OrderEdit(notes=planned.notes))
    for status, at in planned.moves:
        await orders.move(db, caller, order.id, OrderMove(status), instant(at, now))


async def _draw_up(
    db: Write, caller: Caller, workshop_id: str, planned: DemoEstimate, now: Instant, new_id: NewId
) -> str:
    """The id of the estimate."""
    estimate = await estimates.create(db, caller, workshop_id, planned.body, instant(planned.drawn, now), new_id)
    for step in planned.steps:
        await _go_on(db, caller, estimate.id, step, instant(step.at, now), new_id)
    return estimate.id


async def _go_on(db: Write, caller: Caller, estimate_id: str, step: Step, at: Instant, new_id: NewId) -> None:
    match step.body:
        case EstimateEdit() as edit:
            await estimates.update(db, caller, estimate_id, edit, at, new_id)
        case NewHandoff() as handoff:
            await handoffs.create(db, caller, estimate_id, handoff, at, new_id)
        case None:
            await revisions.confirm(db, caller, estimate_id, at, new_id)
