"""Questions about an order: customers ask on the status page, members answer."""

from backbench.actions.rate_limits import Counter, count_success
from backbench.domain.accounts.calls import Call
from backbench.domain.orders.order_links import OrderLinkCall
from backbench.domain.orders.order_questions import (
    HOURLY_QUESTIONS,
    MAX_QUESTIONS,
    NewOrderAnswer,
    NewQuestion,
    OrderQuestion,
    OrderQuestionsList,
    QuestionAuthor,
    too_many,
)
from backbench.domain.values.errors import Unauthenticated
from backbench.domain.values.limits import Limit
from backbench.domain.workshops.audit import Audited
from backbench.storage.engine.database import Read, Write
from backbench.storage.orders import order_links, order_questions
from backbench.storage.orders.order_links import OrderRef
from backbench.storage.orders.order_questions import StoredQuestion
from backbench.storage.workshops import workshops

_HOUR = 3600


async def list_all(db: Read, order: OrderRef) -> OrderQuestionsList:
    """List the questions about an order and their answers, oldest first."""
    return OrderQuestionsList(await order_questions.list_all(db, order.id))


async def ask(db: Write, call: OrderLinkCall, body: NewQuestion) -> Audited[OrderQuestion]:
    """Ask about the order of a status link. Raises RateLimited, and Conflict `plan_limit` after fifty questions."""
    order_id, workshop_id = call.caller.order.order_id, call.caller.order.workshop_id
    # Deleted or renewed since the token was checked.
    if await order_links.lock(db, order_id) != call.caller.order:
        raise Unauthenticated(has_token=True)
    # Of the order: a renewed link does not begin anew.
    counter = Counter(f"questions of order {order_id}", Limit(HOURLY_QUESTIONS, _HOUR), "questions")
    await count_success(db, call, counter)
    await _require_few(db, order_id, "customer")
    question = OrderQuestion(call.new_id(), "customer", body.name, body.text, call.now)
    await order_questions.add(db, StoredQuestion(workshop_id, order_id, question))
    return Audited(question, workshop_id, order_id)


async def answer(db: Write, call: Call, order: OrderRef, body: NewOrderAnswer) -> Audited[OrderQuestion]:
    """Answer on the status page of an order, in the name of the workshop. Raises Conflict `plan_limit` after fifty."""
    await _require_few(db, order.id, "member")
    name = (await workshops.find(db, order.workshop_id)).name
    question = OrderQuestion(call.new_id(), "member", name, body.text, call.now)
    await order_questions.add(db, StoredQuestion(order.workshop_id, order.id, question, call.uid))
    return Audited(question, order.workshop_id, order.id)


async def _require_few(db: Read, order_id: str, author: QuestionAuthor) -> None:
    number = await order_questions.count(db, order_id, author)
    if number >= MAX_QUESTIONS:
        raise too_many(number)
