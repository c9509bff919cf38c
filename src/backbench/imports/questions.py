"""Questions: what can be read in two ways in a file, with cells under each answer. What is certain is not asked."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date
from functools import partial
from typing import Any

from msgspec import UNSET, Struct, UnsetType, structs

from backbench.imports import cells
from backbench.imports.cells import Cell, CellError, DayOrder, Notation, shown
from backbench.imports.columns import columns_of, columns_of_program, score_of
from backbench.imports.fields import DAYS, NUMBERS, Context, Mapping, factor_of, read_price, reading_of, with_rate
from backbench.imports.headings import ImportKind, basis_of_prices
from backbench.imports.tables import Table

_SAMPLES = 2


class Sample(Struct, frozen=True):
    """A cell, and what it would be: a number or a date as in JSON."""

    cell: str
    value: str


class Option(Struct, frozen=True):
    value: str
    text: str
    samples: list[Sample]


class Question(Struct, frozen=True, omit_defaults=True):
    """What can be read in two ways. `id` is its kind and the field, such as `decimals:unitPrice`.

    Until it is answered `proposed` holds.
    """

    id: str
    text: str
    options: list[Option]
    proposed: str
    column: int | UnsetType = UNSET
    answer: str | UnsetType = UNSET

    @property
    def value(self) -> str:
        return self.answer or self.proposed


def questions_of(
    kind: ImportKind, table: Table, mapping: Mapping, answers: dict[str, str], context: Context
) -> list[Question]:
    """What can be read in two ways, with the answers that were given."""
    found: list[Question] = []
    for field, at in mapping.items():
        if at is None:
            continue
        column = [row.cells[at] for row in table.rows]
        if field in NUMBERS:
            found += _decimals(field, at, column, context)
        if field in DAYS:
            found += _day_first(field, at, column, context)
        if field == "unitPrice":
            found += _which_price(table, at, context)
            found += _with_tax(table, at, mapping.get("taxPercent"), answers, context)
    # Which column it is, the mapping says.
    return [each if each.answer else _answered(each, answers.get(each.id)) for each in found]


def answers_of(questions: Sequence[Question]) -> dict[str, str]:
    """The value that holds of each question, by its id."""
    return {each.id: each.value for each in questions}


def _answered(question: Question, answer: str | None) -> Question:
    if answer not in {option.value for option in question.options}:
        return question
    return Question(question.id, question.text, question.options, question.proposed, question.column, answer)


def _samples(texts: Iterable[Cell], read: Callable[[Cell], Any]) -> list[Sample]:
    """The first two that can be read so, as they would be read."""
    found: list[Sample] = []
    for text in dict.fromkeys(texts):
        try:
            value = read(text)
        except CellError:
            continue
        found.append(
            Sample(shown(text)[:50], value.isoformat() if isinstance(value, date) else f"{value.normalize():f}")
        )
        if len(found) == _SAMPLES:
            break
    return found


def _decimals(field: str, at: int, column: Sequence[Cell], context: Context) -> Iterator[Question]:
    marks, unclear = cells.decimal_marks(column)
    if not unclear or len(marks) == 1:
        return
    options = [
        Option(
            mark, f"{name} begins the decimals", _samples(unclear, partial(cells.read_number, notation=Notation(mark)))
        )
        for mark, name in ((",", "A comma"), (".", "A dot"))
    ]
    text = "Do three digits after the comma or dot stand for thousands or for decimals?"
    yield Question(f"decimals:{field}", text, options, "," if context.locale == "pl" else ".", at)


def _day_first(field: str, at: int, column: Sequence[Cell], context: Context) -> Iterator[Question]:
    orders, unclear = cells.day_orders(column)
    if not unclear or len(orders) == 1:
        return
    options = [
        Option(order, text, _samples(unclear, partial(cells.read_day, notation=Notation(day_order=order))))
        for order, text in _FIRST.items()
        if order in orders
    ]
    proposed_ = next(each for each in (("month", *_FIRST) if context.country == "US" else _FIRST) if each in orders)
    yield Question(f"days:{field}", "What comes first: the day, the month or the year?", options, proposed_, at)


_FIRST: dict[DayOrder, str] = {
    "day": "The day comes first", "month": "The month comes first", "year": "The year comes first",
}  # fmt: skip


def _which_price(table: Table, at: int, context: Context) -> Iterator[Question]:
    """Where another column fits the price as well."""
    if columns_of_program("tiles", table).get("unitPrice") is not None:
        return
    columns = columns_of(table)
    scores = {
        at: score_of("tiles", "unitPrice", column, context) for at, column in enumerate(columns) if not column.is_empty
    }
    best = max((score for score in scores.values() if score is not None), default=0)
    # The ranks of headings do not tell which price of a list is meant.
    tied = [
        each for each, score in scores.items() if score is not None and score >= 100 and score // 100 == best // 100
    ]
    if len(tied) < 2 or at not in tied or best < 100:
        return
    options = [
        Option(
            str(each),
            table.columns[each],
            [Sample(shown(row.cells[0])[:50], shown(row.cells[each])[:50]) for row in table.rows[:_SAMPLES]],
        )
        for each in tied
    ]
    yield Question("column:unitPrice", "Which of these columns is the price?", options, str(at), answer=str(at))


def _with_tax(
    table: Table, at: int, rate_at: int | None, answers: dict[str, str], context: Context
) -> Iterator[Question]:
    """Where the file has prices with tax and the workshop enters them without, or the other way. `rate_at`: the column
    of the tax rates of its rows."""
    basis = basis_of_prices(table.columns[at])
    if context.tax_percent is None or basis in (None, context.prices_entered):
        return
    reading = reading_of("unitPrice", table, at, answers, context)
    factors = factor_of(context, context.tax_percent), None
    converted, kept = (structs.replace(reading, factor=factor) for factor in factors)
    percent = f"{context.tax_percent.normalize():f} %" if rate_at is None else "the tax of each row"
    column = [row.cells[at] for row in table.rows]
    rates = {} if rate_at is None else {row.cells[at]: row.cells[rate_at] for row in reversed(table.rows)}
    words = {"net": ("without tax", f"Add {percent}"), "gross": ("with tax", f"Take {percent} off")}[str(basis)]
    options = [
        Option(
            "convert",
            words[1],
            _samples(column, lambda cell: read_price(cell, with_rate(converted, rates.get(cell, "")))),
        ),
        Option(
            "keep",
            "Keep the numbers as they are",
            _samples(column, lambda cell: read_price(cell, kept)),
        ),
    ]
    text = f"The prices of the file are {words[0]}, and the workshop enters them the other way."
    yield Question("tax:unitPrice", text, options, "convert", at)
