"""CSV files of a workshop: its orders, payments and numbers, for a spreadsheet or an accountant."""

from collections.abc import AsyncGenerator, Sequence
from datetime import date

from msgspec import UNSET, UnsetType

from backbench.actions.orders import workshop_numbers
from backbench.domain.accounts.calls import Call
from backbench.domain.estimating.document_settings import DocumentSettings
from backbench.domain.operations.csv_files import BYTE_ORDER_MARK, Cell, CsvPeriodQuery, CsvQuery, amount, lines
from backbench.domain.operations.csv_words import HEADINGS, WORDS
from backbench.domain.orders.workshop_numbers import CountedSums, MonthNumbers, NumbersQuery
from backbench.domain.values.enums import DocumentLocale
from backbench.domain.values.pagination import UNPAGED
from backbench.domain.values.times import Instant, local_date
from backbench.integrations.temporary_files import TemporaryContent
from backbench.storage.accounts import accounts
from backbench.storage.engine.database import Database, Read
from backbench.storage.estimating import document_settings
from backbench.storage.orders import order_summaries
from backbench.storage.orders import payments as stored_payments
from backbench.storage.orders.order_summaries import SummaryRow
from backbench.storage.orders.payments import ListedPayment

# Their sums take some 20 ms: other requests wait no longer.
_ROWS_AT_ONCE = 100
_ORDERS = ("number", "title", "customer", "stage", "due_on", "ready", "collected")
# For sessions and keys with `payments:read`.
_MONEY = ("agreed", "paid", "due", "currency")
_PAYMENTS = (
    "received", "number", "title", "customer", "kind", "amount", "currency", "method", "note", "recorded", "by",
    "voided", "voided_by", "reason", "id",
)  # fmt: skip
_NUMBERS = ("month", "currency", "agreed_count", "agreed", "received_count", "received_sum")


async def orders(db: Database, call: Call, workshop_id: str, query: CsvQuery) -> AsyncGenerator[bytes, None]:
    """Every order by its number, with what was agreed, paid and is due. Raises NotFound, Forbidden.

    For a key without `payments:read` there are no columns of amounts.

    Sent as it is read, since many orders take long: each order is as it was when its piece was read.
    """
    async with db.read() as read:
        settings, locale = await begin(read, call, workshop_id, query.locale)
    has_money = call.caller.may("payments:read")
    piece, after = headings((*_ORDERS, *(_MONEY if has_money else ()), "id"), locale), 0
    while True:
        async with db.read() as read:
            page = await order_summaries.list_after(read, workshop_id, after, _ROWS_AT_ONCE)
        yield piece + lines((_order(row, settings, locale, has_money=has_money) for row in page), locale)
        if len(page) < _ROWS_AT_ONCE:
            return
        piece, after = b"", page[-1].facts.number


async def payments(db: Database, call: Call, workshop_id: str, query: CsvPeriodQuery) -> AsyncGenerator[bytes, None]:
    """Every payment of the period, the latest first, voided ones included. Raises NotFound, Forbidden."""
    async with TemporaryContent() as content:
        async with db.snapshot() as read:
            settings, locale = await begin(read, call, workshop_id, query.locale)
            await content.write(headings(_PAYMENTS, locale))
            listed = stored_payments.listed(workshop_id, query.from_ or None, query.to or None)
            async for page in listed.pieces(read, UNPAGED):
                await content.write(lines((_payment(row, settings, locale) for row in page), locale))
        async for piece in content.read():
            yield piece


async def numbers(db: Database, call: Call, workshop_id: str, query: CsvPeriodQuery) -> AsyncGenerator[bytes, None]:
    """A line for each month and currency. Raises NotFound, Forbidden."""
    async with db.snapshot() as read:
        _, locale = await begin(read, call, workshop_id, query.locale)
        found = await workshop_numbers.get(read, call, workshop_id, NumbersQuery(query.from_, query.to))
    rows = [row for month in found.months for row in _month(month, locale)]
    yield headings(_NUMBERS, locale) + lines(rows, locale)


async def begin(
    db: Read, call: Call, workshop_id: str, locale: DocumentLocale | UnsetType
) -> tuple[DocumentSettings, DocumentLocale]:
    """The settings of the workshop, and the language of the file."""
    if locale is UNSET:
        locale = (await accounts.find(db, call.uid)).locale
    return await document_settings.find(db, workshop_id), locale


def headings(names: Sequence[str], locale: DocumentLocale) -> bytes:
    return (BYTE_ORDER_MARK.encode()) + lines([[HEADINGS[locale][name] for name in names]], locale)


def _order(row: SummaryRow, settings: DocumentSettings, locale: DocumentLocale, *, has_money: bool) -> list[Cell]:
    details, order = row.to_response(settings), row.order
    return [
        details.number,
        order.title,
        order.customer_name,
        WORDS[locale][details.stage],
        details.due_on or None,
        _day(details.ready_at, settings),
        _day(details.collected_at, settings),
        *(_money(row, settings, locale) if has_money else ()),
        order.id,
    ]


def _money(row: SummaryRow, settings: DocumentSettings, locale: DocumentLocale) -> list[Cell]:
    balance = row.money(settings).balance()
    amounts = (balance.agreed, balance.paid, balance.due)
    return [*(amount(each, balance.currency, locale) for each in amounts), balance.currency]


def _payment(row: ListedPayment, settings: DocumentSettings, locale: DocumentLocale) -> list[Cell]:
    words = WORDS[locale]
    return [
        row.received_on,
        row.number,
        row.title,
        row.customer_name,
        words[row.kind],
        amount(row.amount, row.currency, locale),
        row.currency,
        words[row.method],
        row.note or None,
        _day(row.created_at, settings),
        row.recorded_by,
        _day(row.voided_at, settings),
        row.voided_by_name,
        row.reason or None,
        row.id,
    ]


def _month(month: MonthNumbers, locale: DocumentLocale) -> list[list[Cell]]:
    """Counts are of the month, in the line of its first currency."""
    currencies = sorted({each.currency for sums in (month.agreed, month.received) for each in sums.sums}) or [""]

    def sum_in(counted: CountedSums, currency: str) -> str:
        found = next((each.amount for each in counted.sums if each.currency == currency), None)
        return amount(found, currency, locale)

    return [
        [
            month.month,
            currency,
            None if at else month.agreed.count,
            sum_in(month.agreed, currency),
            None if at else month.received.count,
            sum_in(month.received, currency),
        ]
        for at, currency in enumerate(currencies)
    ]


def _day(instant: Instant | UnsetType, settings: DocumentSettings) -> date | None:
    """The day in the time zone of the workshop."""
    return local_date(instant, settings.zone) if instant else None
