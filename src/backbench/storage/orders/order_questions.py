"""Questions about orders in the database."""

from typing import Annotated

from msgspec import Struct, UnsetType

from backbench.domain.orders.order_questions import OrderQuestion, QuestionAuthor
from backbench.domain.values.numbers import Column
from backbench.domain.values.times import Instant
from backbench.storage.engine.database import Read, Write
from backbench.storage.engine.rows import columns


class StoredQuestion(Struct, frozen=True):
    """A new question. `author_uid` is the member's."""

    workshop_id: str
    order_id: str
    question: OrderQuestion
    author_uid: str | None = None


async def list_all(db: Read, order_id: str) -> list[OrderQuestion]:
    """Every question of the order, oldest first: a limit keeps them few."""
    sql = f"SELECT {columns(OrderQuestion)} FROM order_questions WHERE order_id = :order_id ORDER BY at, id"
    return await db.all(OrderQuestion, sql, order_id=order_id)


async def count(db: Read, order_id: str, author: QuestionAuthor) -> int:
    sql = "SELECT count(*) FROM order_questions WHERE order_id = :order_id AND author = :author"
    return int(await db.value(sql, order_id=order_id, author=author))


async def add(db: Write, new: StoredQuestion) -> None:
    own = {"workshop_id": new.workshop_id, "order_id": new.order_id, "author_uid": new.author_uid}
    await db.add("order_questions", new.question, **own)


class QuestionRecord(Struct, frozen=True, rename="camel"):
    """A question in the data archive. `author_uid` is the member's."""

    order_id: str
    id: str
    by: Annotated[QuestionAuthor, Column("author")]
    author_uid: str | UnsetType
    name: str
    text: str
    at: Instant


async def list_after(db: Read, workshop_id: str, after: tuple[str, str, str], limit: int) -> list[QuestionRecord]:
    """The next questions of the workshop after the order's id, the time and the id."""
    sql = f"""
        SELECT {columns(QuestionRecord)} FROM order_questions
        WHERE workshop_id = :workshop_id AND (order_id, at, id) > (:order_id, :at, :id)
        ORDER BY order_id, at, id LIMIT :limit
    """
    order_id, at, id_ = after
    return await db.all(QuestionRecord, sql, workshop_id=workshop_id, order_id=order_id, at=at, id=id_, limit=limit)
