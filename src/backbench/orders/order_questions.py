"""Questions about an order on its status page: of the customer, and the answers of members."""

from typing import Annotated, Literal

from msgspec import Meta, Struct, UnsetType

from backbench.accounts.rate_limits import Counter, count_success
from backbench.engine.database import Read, Write
from backbench.engine.rows import columns
from backbench.orders import order_links
from backbench.orders.order_links import OrderLinkCall, OrderRef
from backbench.services import Services
from backbench.sharing import notices
from backbench.values.calls import Call
from backbench.values.errors import Conflict, Unauthenticated
from backbench.values.limits import Limit
from backbench.values.numbers import Column
from backbench.values.scalars import LINE_FEEDS, LINES, NOT_BLANK, Name
from backbench.values.times import Instant
from backbench.workshops import workshops
from backbench.workshops.audit import Audited

QuestionAuthor = Literal["customer", "member"]
QuestionText = Annotated[str, Meta(min_length=1, max_length=2000, pattern=LINE_FEEDS, extra=LINES), NOT_BLANK]
# Of each side.
MAX_QUESTIONS = 50
HOURLY_QUESTIONS = 20


class OrderQuestion(Struct, frozen=True):
    """`name` is the customer's as it was typed, or that of the workshop."""

    id: str
    by: Annotated[QuestionAuthor, Column("author")]
    name: str
    text: str
    at: Instant


class OrderQuestionsList(Struct, frozen=True):
    questions: list[OrderQuestion]


class NewQuestion(Struct, frozen=True, forbid_unknown_fields=True):
    name: Name
    text: QuestionText


class NewOrderAnswer(Struct, frozen=True, forbid_unknown_fields=True):
    text: QuestionText


def too_many(number: int) -> Conflict:
    detail = f"An order can have at most {MAX_QUESTIONS} questions of each side"
    return Conflict("plan_limit", detail, limit=MAX_QUESTIONS, current=number)


# Statements


class StoredQuestion(Struct, frozen=True):
    """A new question. `author_uid` is the member's."""

    workshop_id: str
    order_id: str
    question: OrderQuestion
    author_uid: str | None = None


async def list_stored(db: Read, order_id: str) -> list[OrderQuestion]:
    """Every question of the order, oldest first: a limit keeps them few."""
    sql = f"SELECT {columns(OrderQuestion)} FROM order_questions WHERE order_id = :order_id ORDER BY at, id"
    return await db.all(OrderQuestion, sql, order_id=order_id)


async def list_of_customer(db: Read, order_id: str, since: Instant, most: int) -> list[OrderQuestion]:
    """The customer's first `most` questions since a time, oldest first."""
    sql = f"""
        SELECT {columns(OrderQuestion)} FROM order_questions
        WHERE order_id = :order_id AND author = 'customer' AND at >= :since ORDER BY at, id LIMIT :most
    """
    return await db.all(OrderQuestion, sql, order_id=order_id, since=since, most=most)


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


# Verbs


_HOUR = 3600


async def list_all(db: Read, order: OrderRef) -> OrderQuestionsList:
    """List the questions about an order and their answers, oldest first."""
    return OrderQuestionsList(await list_stored(db, order.id))


async def ask(db: Write, call: OrderLinkCall, body: NewQuestion, services: Services) -> Audited[OrderQuestion]:
    """Ask about the order of a status link. The owners get it by email.

    Raises RateLimited, and Conflict `plan_limit` after fifty questions.
    """
    order_id, workshop_id = call.caller.order.order_id, call.caller.order.workshop_id
    # Deleted or renewed since the token was checked.
    if await order_links.lock(db, order_id) != call.caller.order:
        raise Unauthenticated(has_token=True)
    # Of the order: a renewed link does not begin anew.
    counter = Counter(f"questions of order {order_id}", Limit(HOURLY_QUESTIONS, _HOUR), "questions")
    await count_success(db, call, counter)
    await _require_few(db, order_id, "customer")
    question = OrderQuestion(call.new_id(), "customer", body.name, body.text, call.now)
    await add(db, StoredQuestion(workshop_id, order_id, question))
    await notices.queue_asked(db, call, call.caller.order, services)
    return Audited(question, workshop_id, order_id)


async def answer(db: Write, call: Call, order: OrderRef, body: NewOrderAnswer) -> Audited[OrderQuestion]:
    """Answer on the status page of an order, in the name of the workshop. Raises Conflict `plan_limit` after fifty."""
    await _require_few(db, order.id, "member")
    name = (await workshops.find(db, order.workshop_id)).name
    question = OrderQuestion(call.new_id(), "member", name, body.text, call.now)
    await add(db, StoredQuestion(order.workshop_id, order.id, question, call.uid))
    return Audited(question, order.workshop_id, order.id)


async def _require_few(db: Read, order_id: str, author: QuestionAuthor) -> None:
    number = await count(db, order_id, author)
    if number >= MAX_QUESTIONS:
        raise too_many(number)
