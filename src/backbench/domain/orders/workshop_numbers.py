"""Numbers of a workshop: what is open, what was agreed and received by month, and what waits for somebody."""

from collections.abc import Iterable, Sequence
from datetime import date, timedelta

from msgspec import UNSET, Struct, UnsetType

from backbench.domain.estimating.figures import summed_total
from backbench.domain.orders.balances import AmountDue, PriceSource
from backbench.domain.orders.order_details import Day
from backbench.domain.orders.payments import of_thousandths
from backbench.domain.values.errors import FieldError, ValidationError
from backbench.domain.values.numbers import Number
from backbench.domain.values.pagination import PageQuery
from backbench.domain.values.times import Instant, of_wall_clock

_DEFAULT_MONTHS, _MOST_MONTHS = 12, 60


class NumbersQuery(Struct, frozen=True, rename={"from_": "from"}):
    """From day `from_` to day `to`, both included; by default the last twelve months with the present one."""

    from_: Day | None = None
    to: Day | None = None


class AgreedQuery(PageQuery, frozen=True, rename={"from_": "from"}):
    from_: Day | None = None
    to: Day | None = None


class CountedSums(Struct, frozen=True):
    """How many, and the sum of their amounts in each currency."""

    count: int
    sums: list[AmountDue]


class OwedSums(CountedSums, frozen=True):
    """Of orders that were collected and not paid in full, and the number of customers whose orders these are."""

    customers: int


class Decided(Struct, frozen=True):
    accepted: int
    declined: int


class MonthNumbers(Struct, frozen=True):
    """`month`: YYYY-MM, as far as it is in the period."""

    month: str
    agreed: CountedSums
    received: CountedSums


class WorkshopNumbers(Struct, frozen=True, rename={"from_": "from", "open_estimates": "openEstimates"}):
    from_: str
    to: str
    open_estimates: CountedSums
    decided: Decided
    months: list[MonthNumbers]
    late: int
    ready: int
    owed: OwedSums


class AgreedEntry(Struct, frozen=True, rename="camel"):
    """A price that was agreed: that of an accepted estimate, or one that was entered for an order."""

    id: str
    at: Instant
    source: PriceSource
    title: str
    currency: str
    amount: Number
    name: str | UnsetType = UNSET
    estimate_id: str | UnsetType = UNSET
    order_id: str | UnsetType = UNSET


class AgreedList(Struct, frozen=True):
    agreed: list[AgreedEntry]


class Month(Struct, frozen=True):
    """A month of the period, from the instant `starts` up to but not including `ends`, by the clock of the workshop."""

    month: str
    first: date
    last: date
    starts: Instant
    ends: Instant


class Period(Struct, frozen=True):
    months: Sequence[Month]

    @property
    def first(self) -> date:
        return self.months[0].first

    @property
    def last(self) -> date:
        return self.months[-1].last


class MonthSum(Struct, frozen=True):
    """A row of sums: `month` is "" where they are not by month."""

    month: str
    currency: str
    count: int
    thousandths: int


class OwedSum(Struct, frozen=True):
    """What is owed in a currency; `customers` are those of all currencies."""

    currency: str
    count: int
    thousandths: int
    customers: int


def period(from_: str | None, to: str | None, today: date, zone: str) -> Period:
    """The months of a period in a time zone. Raises ValidationError."""
    days = [date.fromisoformat(day) for day in (from_, to) if day is not None]
    if not all(1900 <= day.year <= 9000 for day in days):
        at = "/to" if from_ is None else "/from"
        raise ValidationError(FieldError(at, "malformed", "Expected days from 1900 to 9000"))
    last = today if to is None else date.fromisoformat(to)
    first = _months_before(last, _DEFAULT_MONTHS - 1) if from_ is None else date.fromisoformat(from_)
    if first > last:
        raise ValidationError(FieldError("/to", "too_small", "Expected a day that is not before `from`"))
    if (last.year - first.year) * 12 + last.month - first.month >= _MOST_MONTHS:
        raise ValidationError(FieldError("/from", "too_small", f"Expected at most {_MOST_MONTHS} months"))
    months = []
    while first <= last:
        following = _first_of_next_month(first)
        end = min(following, last + timedelta(1))
        starts, ends = of_wall_clock(first, "00:00", zone), of_wall_clock(end, "00:00", zone)
        months.append(Month(f"{first:%Y-%m}", first, end - timedelta(1), starts, ends))
        first = following
    return Period(months)


def counted(rows: Iterable[MonthSum], month: str = "") -> CountedSums:
    """The sums of the rows of the month, in the order of the currencies' codes."""
    found: dict[str, int] = {}
    count = 0
    for row in rows:
        if row.month == month:
            count += row.count
            found[row.currency] = found.get(row.currency, 0) + row.thousandths
    return CountedSums(count, [AmountDue(currency, of_thousandths(found[currency])) for currency in sorted(found)])


def owed_sums(rows: Iterable[OwedSum]) -> OwedSums:
    """In the order of the currencies' codes."""
    by_currency = sorted(rows, key=lambda row: row.currency)
    sums = [AmountDue(row.currency, of_thousandths(row.thousandths)) for row in by_currency]
    return OwedSums(sum(row.count for row in by_currency), sums, by_currency[0].customers if by_currency else 0)


def owed_thousandths(due: AmountDue | None) -> int:
    """What is due for a collected order as it is summed up; 0 as well where it is too large for that."""
    return 0 if due is None else summed_total(due.amount) or 0


def _months_before(day: date, months: int) -> date:
    """The first day of the month that is so many months before."""
    index = day.year * 12 + day.month - 1 - months
    return date(index // 12, index % 12 + 1, 1)


def _first_of_next_month(day: date) -> date:
    return _months_before(day, -1)
