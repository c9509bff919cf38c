"""Numbers of a workshop in the database. Each statement reads indexes alone (0091_sums_by_currency.sql)."""

from collections.abc import Iterable
from datetime import date, timedelta

from msgspec import Struct, UnsetType

from backbench.domain.orders.balances import PriceSource
from backbench.domain.orders.due import WallClock
from backbench.domain.orders.payments import of_thousandths
from backbench.domain.orders.workshop_numbers import AgreedEntry, MonthSum, Period
from backbench.domain.values.enums import DecisionOutcome
from backbench.domain.values.times import Instant
from backbench.storage.engine.database import Read, Value
from backbench.storage.engine.lists import NewestFirst
from backbench.storage.engine.parameters import numbered
from backbench.storage.orders.order_summaries import HAS_PASSED

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


class StoredAgreement(Struct, frozen=True):
    id: str
    at: Instant
    source: PriceSource
    title: str
    currency: str
    thousandths: int
    name: str | UnsetType
    estimate_id: str | UnsetType
    order_id: str | UnsetType

    def to_response(self) -> AgreedEntry:
        return AgreedEntry(
            id=self.id,
            at=self.at,
            source=self.source,
            title=self.title,
            currency=self.currency,
            amount=of_thousandths(self.thousandths),
            name=self.name,
            estimate_id=self.estimate_id,
            order_id=self.order_id,
        )


_ENTRIES = f"""
    SELECT id, at, source, title, currency, thousandths, name, estimate_id, order_id FROM (
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


def agreed_in(workshop_id: str, period: Period) -> NewestFirst[StoredAgreement]:
    """The prices that were agreed in the period, the latest first."""
    starts, ends = period.months[0].starts, period.months[-1].ends
    values: dict[str, Value] = {"workshop_id": workshop_id, "starts": starts, "ends": ends}
    return NewestFirst(StoredAgreement, _ENTRIES, values, at="at")
