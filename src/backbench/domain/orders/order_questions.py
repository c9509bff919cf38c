"""Questions about an order on its status page: of the customer, and the answers of members."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from backbench.domain.values.errors import Conflict
from backbench.domain.values.numbers import Column
from backbench.domain.values.scalars import LINE_FEEDS, LINES, NOT_BLANK, Name
from backbench.domain.values.times import Instant

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
