"""Numbers of a workshop: what is open, what was agreed and received by month, and what waits for somebody."""

from collections.abc import Iterable, Sequence
from datetime import date, timedelta

from msgspec import UNSET, Struct, UnsetType

from backbench.engine.database import Read, Value
from backbench.engine.lists import NewestFirst
from backbench.engine.rows import numbered
from backbench.estimating import document_settings
from backbench.orders import balances
from backbench.orders.balances import AmountDue, OwedSum, PriceSource
from backbench.orders.order_summaries import HAS_PASSED
from backbench.orders.stages import WallClock, wall_clock
from backbench.values.calls import Call
from backbench.values.enums import DecisionOutcome
from backbench.values.errors import FieldError, ValidationError
from backbench.values.money import Thousandths, of_thousandths
from backbench.values.pagination import Page, PagedList, PageQuery
from backbench.values.scalars import Day
from backbench.values.times import Instant, of_wall_clock

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
    amount: Thousandths
    name: str | UnsetType = UNSET
    estimate_id: str | UnsetType = UNSET
    order_id: str | UnsetType = UNSET


class AgreedList(PagedList, frozen=True):
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


def _months_before(day: date, months: int) -> date:
    """The first day of the month that is so many months before."""
    index = day.year * 12 + day.month - 1 - months
    return date(index // 12, index % 12 + 1, 1)


def _first_of_next_month(day: date) -> date:
    return _months_before(day, -1)


# Statements


# An estimate is open until it is decided, its validity ends, or a newer revision takes its place.
_OPEN = """
    SELECT '' AS month, r.currency, count(*) AS count,
        CAST(coalesce(sum(r.total_thousandths), 0) AS BIGINT) AS thousandths
    FROM revisions r
    WHERE r.workshop_id = :workshop_id AND r.valid_until >= :today
        AND NOT EXISTS (SELECT 1 FROM revisions later WHERE later.estimate_id = r.estimate_id
            AND later.revision_number > r.revision_number)
        AND NOT EXISTS (SELECT 1 FROM decisions a WHERE a.estimate_id = r.estimate_id AND a.voided_at IS NULL
            AND (a.outcome = 'accepted' OR a.revision_number = r.revision_number))
    GROUP BY r.currency
"""
# An entered price counts until an estimate of the order is accepted.
_IS_ENTERED = """(d.agreed_estimate_id IS NULL OR NOT EXISTS (SELECT 1 FROM decisions a
        WHERE a.estimate_id = d.agreed_estimate_id AND a.voided_at IS NULL AND a.outcome = 'accepted'))"""


def _sums(source: str, at: str, currency: str, amount: str, counts: str = "1 = 1") -> str:
    """The statement for count and sum by month and currency.

    `counts` says which rows count. The currencies are found by looking up the next one after each. Count and sum come
    as one text: a subquery has one column, and a GROUP BY would sort the rows.
    """
    return f"""
        WITH RECURSIVE months (month, starts, ends) AS (VALUES {{}}), currencies (currency) AS (
            SELECT min({currency}) FROM {source}
            UNION ALL
            SELECT (SELECT min({currency}) FROM {source} AND {currency} > c.currency) FROM currencies c
            WHERE c.currency IS NOT NULL
        )
        SELECT m.month, c.currency, (
            SELECT count(*) || ' ' || coalesce(sum({amount}), 0) FROM {source}
                AND {currency} = c.currency AND {at} >= m.starts AND {at} < m.ends AND {counts}
        ) AS counted
        FROM months m CROSS JOIN currencies c WHERE c.currency IS NOT NULL
    """


_DECIDED = _sums(
    "decisions WHERE workshop_id = :workshop_id AND outcome = :outcome AND voided_at IS NULL",
    at="decided_at",
    currency="currency",
    amount="total_thousandths",
)
_ENTERED = _sums(
    "order_details d WHERE d.workshop_id = :workshop_id AND d.agreed_at IS NOT NULL",
    at="d.agreed_at",
    currency="d.agreed_currency",
    amount="d.agreed_thousandths",
    counts=_IS_ENTERED,
)
_RECEIVED = _sums(
    "payments WHERE workshop_id = :workshop_id AND voided_at IS NULL",
    at="received_on",
    currency="currency",
    amount="CASE kind WHEN 'refund' THEN -thousandths ELSE thousandths END",
)
# By the table of the rows: each has an index for them.
SUMS = {"decisions": _DECIDED, "order_details": _ENTERED, "payments": _RECEIVED}
# What is not collected is looked up one by one: a join would read what was ever collected.
_WAITING = f"""
    SELECT (
        SELECT count(*) FROM orders o WHERE o.workshop_id = :workshop_id AND o.status IN ('todo', 'in_progress')
            AND (SELECT CASE WHEN {HAS_PASSED} THEN 1 ELSE 0 END FROM order_details d WHERE d.order_id = o.id) = 1
    ) AS late, (
        SELECT count(*) FROM order_details d WHERE d.workshop_id = :workshop_id AND d.collected_at IS NULL
            AND (SELECT o.status FROM orders o WHERE o.id = d.order_id) = 'done'
    ) AS ready
"""


class Waiting(Struct, frozen=True):
    late: int
    ready: int


class _CountedRow(Struct, frozen=True):
    """`counted`: count and sum of thousandths, with a space between."""

    month: str
    currency: str
    counted: str


async def list_open(db: Read, workshop_id: str, today: date) -> list[MonthSum]:
    return await db.all(MonthSum, _OPEN, workshop_id=workshop_id, today=today.isoformat())


async def list_decided(db: Read, workshop_id: str, period: Period, outcome: DecisionOutcome) -> list[MonthSum]:
    """Sums of the estimates that were accepted or declined."""
    months = [(each.month, each.starts, each.ends) for each in period.months]
    return await _list_sums(db, _DECIDED, workshop_id, months, outcome=outcome)


async def list_entered(db: Read, workshop_id: str, period: Period) -> list[MonthSum]:
    """Sums of the prices that were agreed without an estimate."""
    months = [(each.month, each.starts, each.ends) for each in period.months]
    return await _list_sums(db, _ENTERED, workshop_id, months)


async def list_received(db: Read, workshop_id: str, period: Period) -> list[MonthSum]:
    """Sums of the payments."""
    months = [(each.month, each.first.isoformat(), (each.last + timedelta(1)).isoformat()) for each in period.months]
    return await _list_sums(db, _RECEIVED, workshop_id, months)


async def _list_sums(
    db: Read, sql: str, workshop_id: str, months: Iterable[tuple[str, str, str]], **values: Value
) -> list[MonthSum]:
    """The sums of the months from `starts` up to but not including `ends`, without those of nothing."""
    rows = []
    for at, (month, starts, ends) in enumerate(months):
        row: dict[str, Value] = {
            numbered("month", at): month,
            numbered("starts", at): starts,
            numbered("ends", at): ends,
        }
        rows.append(f"({', '.join(f':{name}' for name in row)})")
        values |= row
    found = await db.all(_CountedRow, sql.format(", ".join(rows)), workshop_id=workshop_id, **values)
    return [each for each in map(_sum_of, found) if each.count]


def _sum_of(row: _CountedRow) -> MonthSum:
    count, thousandths = row.counted.split(" ")
    return MonthSum(row.month, row.currency, int(count), int(thousandths))


async def count_waiting(db: Read, workshop_id: str, clock: WallClock) -> Waiting:
    today = clock.today.isoformat()
    found = await db.one(Waiting, _WAITING, workshop_id=workshop_id, today=today, time=clock.time)
    assert found is not None
    return found


_ENTRIES = f"""
    SELECT id, at, source, title, currency, thousandths AS amount, name, estimate_id, order_id FROM (
        SELECT a.id, a.decided_at AS at, 'accepted' AS source, r.name AS title, r.currency,
            r.total_thousandths AS thousandths, r.recipient_name AS name, a.estimate_id,
            (SELECT o.id FROM orders o WHERE o.estimate_id = a.estimate_id
                ORDER BY o.created_at DESC, o.id DESC LIMIT 1) AS order_id
        FROM decisions a JOIN revisions r ON r.estimate_id = a.estimate_id AND r.revision_number = a.revision_number
        WHERE a.workshop_id = :workshop_id AND a.voided_at IS NULL AND a.outcome = 'accepted'
            AND a.decided_at >= :starts AND a.decided_at < :ends AND r.total_thousandths IS NOT NULL
        UNION ALL
        SELECT d.order_id AS id, d.agreed_at AS at, 'entered' AS source, o.title, d.agreed_currency AS currency,
            d.agreed_thousandths AS thousandths, nullif(o.customer_name, '') AS name, o.estimate_id, o.id AS order_id
        FROM order_details d JOIN orders o ON o.id = d.order_id
        WHERE d.workshop_id = :workshop_id AND d.agreed_at >= :starts AND d.agreed_at < :ends AND {_IS_ENTERED}
    ) AS entries WHERE 1 = 1"""


def agreed_in(workshop_id: str, period: Period) -> NewestFirst[AgreedEntry]:
    """The prices that were agreed in the period, the latest first."""
    starts, ends = period.months[0].starts, period.months[-1].ends
    values: dict[str, Value] = {"workshop_id": workshop_id, "starts": starts, "ends": ends}
    return NewestFirst(AgreedEntry, _ENTRIES, values, at="at")


# Verbs


async def get(db: Read, call: Call, workshop_id: str, query: NumbersQuery) -> WorkshopNumbers:
    """Read what is open in a workshop, what it agreed and received by month, and what waits for somebody."""
    settings = await document_settings.find(db, workshop_id)
    clock = wall_clock(call.now, settings.zone)
    wanted = period(query.from_, query.to, clock.today, settings.zone)
    accepted = await list_decided(db, workshop_id, wanted, "accepted")
    declined = await list_decided(db, workshop_id, wanted, "declined")
    agreed = [*accepted, *await list_entered(db, workshop_id, wanted)]
    received = await list_received(db, workshop_id, wanted)
    waiting = await count_waiting(db, workshop_id, clock)
    return WorkshopNumbers(
        from_=wanted.first.isoformat(),
        to=wanted.last.isoformat(),
        open_estimates=counted(await list_open(db, workshop_id, clock.today)),
        decided=Decided(sum(each.count for each in accepted), sum(each.count for each in declined)),
        months=[
            MonthNumbers(each.month, counted(agreed, each.month), counted(received, each.month))
            for each in wanted.months
        ],
        late=waiting.late,
        ready=waiting.ready,
        owed=owed_sums(await balances.list_owed(db, workshop_id)),
    )


async def list_agreed(db: Read, call: Call, workshop_id: str, query: AgreedQuery) -> Page[AgreedEntry]:
    """List the prices that a workshop agreed in a period, the latest first."""
    settings = await document_settings.find(db, workshop_id)
    wanted = period(query.from_, query.to, settings.today(call.now), settings.zone)
    return await agreed_in(workshop_id, wanted).page(db, query)
