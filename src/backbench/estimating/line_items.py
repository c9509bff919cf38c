"""Line items of an estimate, kept as JSON text; their sum, of which a total is made; and their uses."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date
from decimal import ROUND_HALF_UP, Decimal, localcontext
from functools import cache
from string import ascii_lowercase
from typing import Literal

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType

from backbench.engine.database import Read, Value, Write
from backbench.values import numbers
from backbench.values.currencies import DECIMALS, minor_digits
from backbench.values.enums import LineItemUnit
from backbench.values.money import EXACT, Priced, total_of_sum
from backbench.values.numbers import Number, to_json
from backbench.values.scalars import Name
from backbench.values.times import Instant

# Larger totals are not summed up: sums of a million of them would exceed 64 bits. Ten thousand million, in thousandths.
_MOST_SUMMED = 10**13
# The end of a validity that is not stated.
_ALWAYS_VALID = "9999-12-31"


class Figures(Struct, frozen=True):
    """`lines` is the number of line items, `sums` the sum of their amounts for each of DECIMALS."""

    lines: int
    sums: tuple[Decimal, ...]

    @classmethod
    def of(cls, lines: Iterable[Priced]) -> "Figures":
        return NO_LINES.plus(lines)

    @classmethod
    def parse(cls, text: str) -> "Figures":
        """The inverse of `str`."""
        lines, *sums = text.split(" ")
        return cls(int(lines), tuple(map(Decimal, sums)))

    def __str__(self) -> str:
        return " ".join([str(self.lines), *(format(each, "f") for each in self.sums)])

    def plus(self, lines: Iterable[Priced]) -> "Figures":
        """With more line items."""
        return self._changed(lines, 1)

    def minus(self, lines: Iterable[Priced]) -> "Figures":
        """With fewer line items."""
        return self._changed(lines, -1)

    def total(
        self, *, markup_percent: Decimal, discount_percent: Decimal, tax_percent: Decimal | None, currency: str
    ) -> Number:
        """The total of an estimate with these line items."""
        return total_of_sum(
            self.sums[DECIMALS.index(minor_digits(currency))],
            markup_percent=markup_percent,
            discount_percent=discount_percent,
            tax_percent=tax_percent,
            currency=currency,
        )

    def _changed(self, lines: Iterable[Priced], sign: int) -> "Figures":
        with localcontext(EXACT):
            exact = [sign * line.unit_price * line.quantity for line in lines]
            sums = tuple(
                sum([amount.quantize(unit, ROUND_HALF_UP) for amount in exact], before)
                for unit, before in zip(_UNITS, self.sums, strict=True)
            )
        return Figures(self.lines + sign * len(exact), sums)


def summed_total(total: Decimal) -> int | None:
    """A total in thousandths, as the numbers of a workshop sum it up; None where it is too large."""
    thousandths = int(total.scaleb(3))
    return thousandths if thousandths <= _MOST_SUMMED else None


def last_valid_day(valid_until: date | None) -> str:
    """The last day of a validity as it sorts as text."""
    return _ALWAYS_VALID if valid_until is None else valid_until.isoformat()


_UNITS = [Decimal(1).scaleb(-decimals) for decimals in DECIMALS]
NO_LINES = Figures(0, tuple(Decimal(0).scaleb(-decimals) for decimals in DECIMALS))


Label = Name


class LineItem(Struct, frozen=True, rename="camel", omit_defaults=True):
    id: str
    label: str
    unit: LineItemUnit
    unit_price: Number
    quantity: Number
    source_button_id: str | UnsetType = UNSET


class MostUsedLineItem(Struct, frozen=True, rename="camel"):
    """`count` estimates have a line with this label and unit. The price is that of the latest one."""

    label: str
    unit: LineItemUnit
    unit_price: Number
    count: int
    last_used_at: Instant
    prices_entered: Literal["gross"] | UnsetType = UNSET


# Of each label and unit the unit price as JSON: that of the last line item.
Uses = Mapping[tuple[str, str], str]


class _Id(Struct, frozen=True):
    id: str


class _Use(Struct, frozen=True, rename="camel"):
    """The members by which a line item is counted."""

    label: str
    unit: str
    unit_price: Raw


_read_ids = msgspec.json.Decoder(list[_Id]).decode
_read_uses = msgspec.json.Decoder(list[_Use]).decode
_read_line_item = msgspec.json.Decoder(LineItem, dec_hook=numbers.read, float_hook=Decimal).decode
_read_line_items = msgspec.json.Decoder(list[LineItem], dec_hook=numbers.read, float_hook=Decimal).decode
# A line item begins with its id. Neither of these can be within a text, where quotation marks are escaped, nor across
# the end of one, which is not followed by a letter.
_START = b'{"id":"'
_NEXT = b"},%s" % _START


class LineItems:
    """A list of line items as JSON. It is not changed: each change returns another list."""

    def __init__(self, json: bytes) -> None:
        """`json` as `to_json` writes it."""
        self.json = json

    @classmethod
    def stored(cls, json: bytes, count: int) -> "LineItems":
        """The `count` line items of a column. JSON that has spaces, or members in another order, is written anew."""
        is_ours = json.startswith(b"[" + _START) and json.count(_NEXT) == count - 1
        return cls(json if is_ours or json == b"[]" else to_json(_read_line_items(json)))

    def __len__(self) -> int:
        return len(_read_ids(self.json))

    def __contains__(self, line_id: str) -> bool:
        return self._span(line_id) is not None

    def lookup(self, line_id: str) -> LineItem | None:
        span = self._span(line_id)
        return None if span is None else _read_line_item(self.json[slice(*span)])

    def all(self) -> list[LineItem]:
        return _read_line_items(self.json)

    def added(self, line: LineItem) -> "LineItems":
        """With the line at the end."""
        return LineItems(self.json[:-1] + (b"," if len(self.json) > 2 else b"") + to_json(line) + b"]")

    def replaced(self, line: LineItem) -> "LineItems":
        """With the line in place of the one with its id."""
        start, end = self._required(line.id)
        return LineItems(self.json[:start] + to_json(line) + self.json[end:])

    def removed(self, line_id: str) -> "LineItems":
        start, end = self._required(line_id)
        # With the comma after it, or that before the last one.
        if self.json[end : end + 1] == b",":
            end += 1
        elif start > 1:
            start -= 1
        return LineItems(self.json[:start] + self.json[end:])

    def uses(self, labels: Collection[str] | None = None) -> Uses:
        """Those with these labels; without `labels` all."""
        return {
            (use.label, use.unit): bytes(use.unit_price).decode()
            for use in _read_uses(self.json)
            if labels is None or use.label in labels
        }

    def _span(self, line_id: str) -> tuple[int, int] | None:
        """Where the JSON of the line item starts and ends; None if there is none with the id."""
        start = self.json.find(_START + to_json(line_id)[1:] + b",")
        if start < 0:
            return None
        following = self.json.find(_NEXT, start)
        return start, len(self.json) - 1 if following < 0 else following + 1

    def _required(self, line_id: str) -> tuple[int, int]:
        span = self._span(line_id)
        assert span is not None
        return span


# Suffixes of the parameters of one row; their number is the most rows of one statement.
_ROWS = ascii_lowercase
# Above this many, all rows of the estimate are replaced with fewer statements.
_MOST_DELETED = len(_ROWS)


async def list_most_used(db: Read, workshop_id: str, limit: int) -> list[MostUsedLineItem]:
    """Those that most estimates use first, then the latest; each with the unit price of its latest use.

    The time of use is that of the estimate. It is read for those only that are used often enough for the list, from
    `changed`, which an index has: in its row it is behind the line items.
    """
    return await db.all(
        MostUsedLineItem,
        """
        WITH changed AS MATERIALIZED (
            SELECT id, updated_at FROM estimates WHERE workshop_id = :workshop_id
        ), counted AS (
            SELECT label, unit, count(*) AS number FROM line_uses WHERE workshop_id = :workshop_id GROUP BY label, unit
        ), listed AS (
            SELECT label, unit, number, (
                    SELECT max(e.updated_at) FROM line_uses u JOIN changed e ON e.id = u.estimate_id
                    WHERE u.workshop_id = :workshop_id AND u.label = counted.label AND u.unit = counted.unit
                ) AS last_used_at
            FROM counted WHERE number >= (
                SELECT min(number) FROM (SELECT number FROM counted ORDER BY number DESC LIMIT :limit) AS most
            )
            ORDER BY number DESC, last_used_at DESC, label, unit LIMIT :limit
        ), latest AS (
            SELECT label, unit, number, last_used_at, (
                    SELECT e.id FROM line_uses u JOIN changed e ON e.id = u.estimate_id
                    WHERE u.workshop_id = :workshop_id AND u.label = listed.label AND u.unit = listed.unit
                    ORDER BY e.updated_at DESC, e.id DESC LIMIT 1
                ) AS estimate_id
            FROM listed
        )
        SELECT latest.label, latest.unit, u.unit_price, latest.number AS count, latest.last_used_at,
            CASE WHEN e.facts LIKE '%"pricesEntered":"gross"%' THEN 'gross' END AS prices_entered
        FROM latest JOIN estimates e ON e.id = latest.estimate_id
        JOIN line_uses u ON u.workshop_id = :workshop_id AND u.label = latest.label AND u.unit = latest.unit
            AND u.estimate_id = latest.estimate_id
        ORDER BY latest.number DESC, latest.last_used_at DESC, latest.label, latest.unit
        """,
        workshop_id=workshop_id,
        limit=limit,
    )


async def save(db: Write, workshop_id: str, estimate_id: str, before: Uses, after: Uses) -> None:
    """Adds or changes the rows of `after`, and deletes those of `before` that are not in it.

    `before` is what they are, as far as they may be deleted: the estimate's row is locked since it was read.
    """
    outdated = [key for key in before if key not in after]
    new = [(*key, price) for key, price in after.items() if before.get(key) != price]
    if len(outdated) > _MOST_DELETED:
        await db.run("DELETE FROM line_uses WHERE estimate_id = :id", id=estimate_id)
        new = [(*key, price) for key, price in after.items()]
    elif outdated:
        await _delete(db, estimate_id, outdated)
    for start in range(0, len(new), len(_ROWS)):
        await _insert(db, workshop_id, estimate_id, new[start : start + len(_ROWS)])


async def _delete(db: Write, estimate_id: str, keys: Sequence[tuple[str, str]]) -> None:
    values: dict[str, Value] = {"id": estimate_id}
    for letter, (label, unit) in zip(_ROWS, keys, strict=False):
        values[f"label_{letter}"], values[f"unit_{letter}"] = label, unit
    await db.run(_delete_statement(len(keys)), **values)


async def _insert(db: Write, workshop_id: str, estimate_id: str, uses: Sequence[tuple[str, str, str]]) -> None:
    values: dict[str, Value] = {"workshop": workshop_id, "id": estimate_id}
    for letter, (label, unit, price) in zip(_ROWS, uses, strict=False):
        values[f"label_{letter}"], values[f"unit_{letter}"], values[f"price_{letter}"] = label, unit, price
    await db.run(_insert_statement(len(uses)), **values)


@cache
def _insert_statement(rows: int) -> str:
    rows_sql = ", ".join(f"(:workshop, :id, :label_{a}, :unit_{a}, :price_{a})" for a in _ROWS[:rows])
    return f"""
        INSERT INTO line_uses (workshop_id, estimate_id, label, unit, unit_price) VALUES {rows_sql}
        ON CONFLICT (workshop_id, label, unit, estimate_id) DO UPDATE SET unit_price = excluded.unit_price
    """


@cache
def _delete_statement(rows: int) -> str:
    conditions = " OR ".join(f"(label = :label_{a} AND unit = :unit_{a})" for a in _ROWS[:rows])
    return f"DELETE FROM line_uses WHERE estimate_id = :id AND ({conditions})"
