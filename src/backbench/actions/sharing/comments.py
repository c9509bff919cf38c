"""Comments on an estimate: of clients through a link, and the answers of members."""

from backbench.actions.services import Services
from backbench.actions.sharing import notices
from backbench.actions.sharing.decisions import lock_link
from backbench.domain.accounts.calls import Call
from backbench.domain.sharing.comments import (
    MAX_COMMENTS,
    Comment,
    CommentAuthor,
    EstimateComment,
    NewAnswer,
    NewComment,
)
from backbench.domain.sharing.links import LinkCall, StoredLink
from backbench.domain.values.errors import Conflict
from backbench.domain.values.pagination import Page, PageQuery
from backbench.domain.workshops.audit import Audited
from backbench.storage.accounts import accounts
from backbench.storage.engine.database import Read, Write
from backbench.storage.estimating.estimates import EstimateRef
from backbench.storage.sharing import comments


async def list_all(db: Read, estimate: EstimateRef, query: PageQuery) -> Page[EstimateComment]:
    """List the comments on an estimate, newest first, those on revoked links included."""
    return await comments.of_estimate(estimate.id).page(db, query)


async def add(db: Write, call: LinkCall, body: NewComment, services: Services) -> Audited[Comment]:
    """Comment on an estimate through a link. Raises Conflict `plan_limit` after fifty comments of the client."""
    link = await lock_link(db, call)
    await _require_few(db, link.id, "client")
    comment = EstimateComment(call.new_id(), call.now, link.id, "client", body.name, body.text)
    await comments.add(db, link.workshop_id, link.estimate_id, comment)
    await notices.queue_commented(db, call, link, services)
    response = Comment(comment.id, call.now, "client", body.name, body.text)
    return Audited(response, link.workshop_id, link.estimate_id)


async def answer(
    db: Write, call: Call, link: StoredLink, body: NewAnswer, services: Services
) -> Audited[EstimateComment]:
    """Answer on an estimate, as a member. The client sees it on the page of every link, and gets it by email.

    Raises Conflict `plan_limit` after fifty answers on the link.
    """
    await _require_few(db, link.id, "workshop")
    name = (await accounts.find(db, call.uid)).name
    comment = EstimateComment(call.new_id(), call.now, link.id, "workshop", name, body.text, call.uid)
    await comments.add(db, link.workshop_id, link.estimate_id, comment)
    details = notices.by_member(call, link, comment_id=comment.id)
    await notices.queue_to_client(db, call, link, "comment_answered", details, services)
    return Audited(comment, link.workshop_id, link.estimate_id)


async def _require_few(db: Read, link_id: str, author: CommentAuthor) -> None:
    number = await comments.count(db, link_id, author)
    if number >= MAX_COMMENTS:
        detail = f"A link can have at most {MAX_COMMENTS} comments of each side"
        raise Conflict("plan_limit", detail, limit=MAX_COMMENTS, current=number)
