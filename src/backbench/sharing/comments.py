"""Comments on an estimate: the client's through a link, and the answers of members. Every link to it shows them."""

from typing import Literal

from msgspec import UNSET, Struct, UnsetType

from backbench.accounts import accounts
from backbench.engine.database import Read, Write
from backbench.engine.lists import NewestFirst
from backbench.estimating.document_facts import EstimateRef
from backbench.services import Services
from backbench.sharing import notices
from backbench.sharing.decisions import CommentText, SignerName, lock_link
from backbench.sharing.links import LinkCall, StoredLink
from backbench.values.calls import Call
from backbench.values.errors import Conflict, NotFound
from backbench.values.pagination import Page, PagedList, PageQuery
from backbench.values.times import Instant
from backbench.workshops.audit import Audited

CommentAuthor = Literal["client", "workshop"]
MAX_COMMENTS = 50


class Comment(Struct, frozen=True, rename="camel"):
    id: str
    created_at: Instant
    author: CommentAuthor
    name: str
    text: str


class NewComment(Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    name: SignerName
    text: CommentText


class NewAnswer(Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    text: CommentText


class EstimateComment(Struct, frozen=True, rename="camel"):
    """A comment as members see it."""

    id: str
    created_at: Instant
    link_id: str
    author: CommentAuthor
    name: str
    text: str
    author_uid: str | UnsetType = UNSET


class CommentsList(PagedList, frozen=True):
    comments: list[EstimateComment]


# Statements


async def list_for_client(db: Read, estimate_id: str) -> list[Comment]:
    """The comments on all links of the estimate, oldest first."""
    sql = """
        SELECT id, created_at, author, name, text FROM link_comments WHERE estimate_id = :estimate_id
        ORDER BY created_at, id
    """
    return await db.all(Comment, sql, estimate_id=estimate_id)


async def list_of_client(db: Read, estimate_id: str, since: Instant, most: int) -> list[EstimateComment]:
    """The client's first `most` comments since a time, oldest first."""
    sql = """
        SELECT id, created_at, link_id, author, name, text, author_uid FROM link_comments
        WHERE estimate_id = :estimate_id AND author = 'client' AND created_at >= :since
        ORDER BY created_at, id LIMIT :most
    """
    return await db.all(EstimateComment, sql, estimate_id=estimate_id, since=since, most=most)


def of_estimate(estimate_id: str) -> NewestFirst[EstimateComment]:
    """The comments on all links of the estimate."""
    select = """
        SELECT id, created_at, link_id, author, name, text, author_uid FROM link_comments
        WHERE estimate_id = :estimate_id"""
    return NewestFirst(EstimateComment, select, {"estimate_id": estimate_id})


async def find(db: Read, comment_id: str) -> EstimateComment:
    """Raises NotFound."""
    sql = "SELECT id, created_at, link_id, author, name, text, author_uid FROM link_comments WHERE id = :id"
    comment = await db.one(EstimateComment, sql, id=comment_id)
    if comment is None:
        raise NotFound
    return comment


async def count(db: Read, link_id: str, author: CommentAuthor) -> int:
    """The comments of one side."""
    sql = "SELECT count(*) FROM link_comments WHERE link_id = :link_id AND author = :author"
    return int(await db.value(sql, link_id=link_id, author=author))


async def add_row(db: Write, workshop_id: str, estimate_id: str, comment: EstimateComment) -> None:
    await db.add("link_comments", comment, workshop_id=workshop_id, estimate_id=estimate_id)


# Verbs


async def list_all(db: Read, estimate: EstimateRef, query: PageQuery) -> Page[EstimateComment]:
    """List the comments on an estimate, newest first, those on revoked links included."""
    return await of_estimate(estimate.id).page(db, query)


async def add(db: Write, call: LinkCall, body: NewComment, services: Services) -> Audited[Comment]:
    """Comment on an estimate through a link. Raises Conflict `plan_limit` after fifty comments of the client."""
    link = await lock_link(db, call)
    await _require_few(db, link.id, "client")
    comment = EstimateComment(call.new_id(), call.now, link.id, "client", body.name, body.text)
    await add_row(db, link.workshop_id, link.estimate_id, comment)
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
    await add_row(db, link.workshop_id, link.estimate_id, comment)
    details = notices.by_member(call, link, comment_id=comment.id)
    await notices.queue_to_client(db, call, link, "comment_answered", details, services)
    return Audited(comment, link.workshop_id, link.estimate_id)


async def _require_few(db: Read, link_id: str, author: CommentAuthor) -> None:
    number = await count(db, link_id, author)
    if number >= MAX_COMMENTS:
        detail = f"A link can have at most {MAX_COMMENTS} comments of each side"
        raise Conflict("plan_limit", detail, limit=MAX_COMMENTS, current=number)
