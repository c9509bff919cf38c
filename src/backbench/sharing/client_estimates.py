"""Client estimates: what the client's page shows of an estimate, its PDF, pages and logo."""

from typing import Literal

from msgspec import UNSET, Struct, UnsetType

from backbench.engine.database import Database, Read, Write
from backbench.estimating import files, revisions
from backbench.estimating.documents import read_logo, shown_logo
from backbench.estimating.file_types import StoredFile
from backbench.estimating.previews import PageImageQuery, image_of_file
from backbench.http.requests import Request
from backbench.http.responses import Response, conditional, etag, image, unchanged
from backbench.http.streaming import file_or_range
from backbench.orders import client_orders
from backbench.orders.order_links import OrderLinkCall
from backbench.orders.payment_codes import PaymentRequest
from backbench.services import EndpointServices, Services
from backbench.sharing import comments, decisions, deposits, link_access
from backbench.sharing.client_documents import ClientDocument, summary_of
from backbench.sharing.comments import Comment
from backbench.sharing.decisions import Consent, StoredDecision, acceptance
from backbench.sharing.links import LinkCall, LinkState, StoredLink
from backbench.values.enums import DecisionMethod, DecisionOutcome
from backbench.values.errors import NotFound
from backbench.values.numbers import to_json
from backbench.values.shapes import made_of
from backbench.values.times import Instant
from backbench.workshops import workshops
from backbench.workshops.audit import Audited, Unchanged


class LogoQuery(Struct, frozen=True):
    """`emoji`: where there is no image, the emoji as a picture."""

    emoji: Literal["true", "false"] = "false"


class ClientDecision(Struct, frozen=True, rename="camel"):
    """The standing decision of the estimate. It may be about another revision, or this one as another link shows it.

    `method`: how it was made.
    """

    outcome: DecisionOutcome
    revision_number: int
    decided_at: Instant
    method: DecisionMethod
    document_hash: str
    name: str | UnsetType = UNSET
    pdf_hash: str | UnsetType = UNSET


class VoidedClientDecision(Struct, frozen=True, rename="camel"):
    """The decision of the estimate that the workshop voided last, while none stands."""

    decided_at: Instant


class LinkStatus(Struct, frozen=True, rename="camel", kw_only=True):
    """The members of ClientEstimate that are not part of the hashed document."""

    document_hash: str
    pdf_hash: str
    state: LinkState
    can_decide: bool
    brand_mark: bool
    receipt: bool
    logo_image: bool
    consent: Consent
    comments: list[Comment]
    expires_at: Instant | UnsetType = UNSET
    decision: ClientDecision | UnsetType = UNSET
    voided_decision: VoidedClientDecision | UnsetType = UNSET
    payment: PaymentRequest | UnsetType = UNSET


class ClientEstimate(ClientDocument, frozen=True, rename="camel", omit_defaults=True, kw_only=True):
    document_hash: str
    pdf_hash: str
    state: LinkState
    can_decide: bool
    brand_mark: bool
    receipt: bool
    logo_image: bool
    consent: Consent
    comments: list[Comment]
    expires_at: Instant | UnsetType = UNSET
    decision: ClientDecision | UnsetType = UNSET
    voided_decision: VoidedClientDecision | UnsetType = UNSET
    payment: PaymentRequest | UnsetType = UNSET


def client_estimate(
    link: StoredLink,
    comments: list[Comment],
    decision: StoredDecision | None,
    payment: PaymentRequest | None,
    now: Instant,
    *,
    may_hide_brand_mark: bool,
    can_mail: bool,
    has_logo_image: bool,
) -> bytes:
    """The JSON of ClientEstimate. The document goes out as it was hashed, without being decoded.

    `payment` is what is left of the deposit; None where none is asked for.
    """
    status = LinkStatus(
        document_hash=link.document_hash,
        pdf_hash=link.pdf_hash,
        state=link.state(now),
        can_decide=link.may_be_decided(now),
        brand_mark=link.toggles.show_brand_mark or not may_hide_brand_mark,
        receipt=link.has_receipt(can_mail=can_mail),
        logo_image=has_logo_image,
        consent=acceptance(link.locale, summary_of(link.document).title),
        comments=comments,
        expires_at=link.expires_at or UNSET,
        decision=UNSET if decision is None else made_of(ClientDecision, decision),
        voided_decision=VoidedClientDecision(link.voided_decided_at) if link.voided_decided_at else UNSET,
        payment=payment or UNSET,
    )
    return link.document.encode()[:-1] + b"," + to_json(status)[1:]


# Verbs


async def get(db: Read, call: LinkCall, services: Services) -> bytes:
    """Read what a link shows: its revision, which never changes, the state of the link and the comments.

    By the plan of this moment: a plan that ended shows the mark again.
    """
    link = call.caller.link
    plan = (await workshops.find(db, link.workshop_id)).plan_at(call.now, services.plan_rules)
    shown = await comments.list_for_client(db, link.estimate_id)
    has_logo_image = await revisions.has_logo_image(db, link.estimate_id, link.revision_number)
    decision = None if link.outcome is None else await decisions.find_standing(db, link.estimate_id)
    deposit = await deposits.lookup(db, link, call.now)
    return client_estimate(
        link,
        shown,
        decision,
        None if deposit is None else deposit.request,
        call.now,
        may_hide_brand_mark=plan.may_hide_brand_mark,
        can_mail=services.has_mail_server,
        has_logo_image=has_logo_image,
    )


async def find_file(db: Read, call: LinkCall) -> StoredFile:
    """The PDF that is bound to the link. Raises NotFound."""
    if call.caller.link.pdf_export_id is None:
        raise NotFound
    return await files.find(db, call.caller.link.pdf_export_id)


async def find_logo(db: Read, call: LinkCall, query: LogoQuery) -> StoredFile | str:
    """The image logo of the revision that the link shows, or its emoji. Raises NotFound without what is wanted."""
    link = call.caller.link
    confirmed = await revisions.find_confirmed(db, link.estimate_id, link.revision_number)
    stored = await shown_logo(db, confirmed)
    if stored is not None:
        return stored
    if query.emoji == "false" or not confirmed.snapshot.settings.show_logo:
        raise NotFound
    return confirmed.snapshot.logo


# Over HTTP


async def download(db: Read, call: LinkCall, request: Request, services: Services) -> Response:
    """Download the PDF of a link, inline, or one range of it with a Range header."""
    return file_or_range(request, services.blobs, await find_file(db, call), inline=True)


async def logo(
    db: Database, call: LinkCall, query: LogoQuery, request: Request, services: EndpointServices
) -> Response:
    """Read the image logo of the workshop, as it was when the revision of the link was confirmed; or its emoji."""
    async with db.read() as read:
        found = await find_logo(read, call, query)
    if isinstance(found, StoredFile):
        content, kind = await read_logo(found, services.blobs), found.content_type.encode()
    else:
        async with services.pdf_slots.slot(call.caller.shares_limits_of):
            content, kind = await services.renderer.draw_emoji(found), b"image/png"
    tag = etag(content)
    return unchanged(tag, request.headers.get(b"if-none-match", b"")) or image(content, tag, kind)


async def page(
    db: Database,
    call: LinkCall,
    page_number: str,
    query: PageImageQuery,
    request: Request,
    services: EndpointServices,
) -> Response:
    """Draw a page of the PDF of a link as PNG. Pages of the links of one workshop are drawn one after the other."""
    async with db.read() as read:
        file = await find_file(read, call)
    return await image_of_file(call, file, page_number, query, request, services)


async def opened(db: Write, call: LinkCall, request: Request) -> Audited[None] | Unchanged[None]:
    """Count an opening of the page. The session cookie says only whether it is a member's own visit."""
    return await link_access.count_opening(db, call, request.cookie(b"session"))


async def order(db: Read, call: OrderLinkCall, request: Request) -> Response:
    """Read how the order of a status link stands. For a signed-in member, a header names the order."""
    response = conditional(to_json(await client_orders.get(db, call)), request.headers.get(b"if-none-match"))
    if await client_orders.is_member(db, call, request.cookie(b"session")):
        response.headers.append((b"backbench-order", call.caller.order.order_id.encode()))
    return response
