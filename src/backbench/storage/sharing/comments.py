"""Comments on links in the database."""

from backbench.domain.sharing.comments import Comment, CommentAuthor, EstimateComment
from backbench.domain.values.errors import NotFound
from backbench.domain.values.times import Instant
from backbench.storage.engine.database import Read, Write
from backbench.storage.engine.lists import NewestFirst


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


async def add(db: Write, workshop_id: str, estimate_id: str, comment: EstimateComment) -> None:
    await db.add("link_comments", comment, workshop_id=workshop_id, estimate_id=estimate_id)
