"""CSV files of a workshop for spreadsheets and accountants: no cell is taken for a formula."""

import csv
import io
import re
from collections.abc import AsyncGenerator, Iterable, Sequence
from datetime import date
from decimal import Decimal

from msgspec import UNSET, Struct, UnsetType

from backbench.accounts import accounts
from backbench.customers import customers as stored_customers
from backbench.customers.customers import Customer, CustomerFilter
from backbench.documents.invoices import sums_of
from backbench.engine.database import Database, Read
from backbench.estimating import document_settings, grids
from backbench.estimating.document_settings import DocumentSettings
from backbench.estimating.grids import Grid
from backbench.integrations.temporary_files import TemporaryContent
from backbench.orders import invoices as stored_invoices
from backbench.orders import numbers as orders_numbers
from backbench.orders import order_summaries
from backbench.orders import payments as stored_payments
from backbench.orders.balances import AgreedFigures, BookedOrder, list_booked
from backbench.orders.invoices import InvoicesQuery, StoredInvoice
from backbench.orders.numbers import CountedSums, MonthNumbers, NumbersQuery
from backbench.orders.order_summaries import SummaryRow
from backbench.orders.payments import ListedPayment
from backbench.values.calls import Call
from backbench.values.currencies import minor_digits
from backbench.values.enums import DocumentLocale
from backbench.values.locales import percent
from backbench.values.money import TaxAmount, of_thousandths
from backbench.values.pagination import UNPAGED
from backbench.values.scalars import Day
from backbench.values.times import Instant, local_date
from backbench.words import words

# A spreadsheet runs what begins so, also after white space that it ignores; and so do parts of a text in a program that
# splits at the delimiter of the other language.
_FORMULA = re.compile(r'(?:^|(?<=[,;\t\r\n])"*)(?=[=+\-@\t\r\n])')
# The mark by which spreadsheets know that the file is in UTF-8.
BYTE_ORDER_MARK = "\ufeff"


class Amount(str):
    """The text of a number: no formula begins it, though a minus sign may."""

    __slots__ = ()


Cell = str | int | date | None


class CsvQuery(Struct, frozen=True):
    """The caller's language unless another is named."""

    locale: DocumentLocale | UnsetType = UNSET


class CsvPeriodQuery(Struct, frozen=True, rename={"from_": "from"}):
    from_: Day | None = None
    to: Day | None = None
    locale: DocumentLocale | UnsetType = UNSET


def lines(rows: Iterable[Sequence[Cell]], locale: DocumentLocale) -> bytes:
    """The rows as lines (RFC 4180), each cell escaped."""
    written = io.StringIO()
    csv.writer(written, delimiter=words(locale).formats.csv_delimiter).writerows(
        [_text(cell) for cell in row] for row in rows
    )
    return written.getvalue().encode()


def amount(value: Decimal | UnsetType | None, currency: str, locale: DocumentLocale) -> Amount:
    """An amount with the decimals of its currency, without a sign for thousands."""
    if value is None or value is UNSET:
        return Amount()
    text = f"{value:.{minor_digits(currency)}f}"
    return Amount(text.replace(".", words(locale).formats.decimal))


def price(value: Decimal, currency: str, locale: DocumentLocale) -> Amount:
    """A price with all of its decimals, and at least those of its currency.

    Never with three unless the currency has them: "1,125" could be read as thousands.
    """
    places = -int(value.normalize().as_tuple().exponent)
    places = max(minor_digits(currency), 4 if places == 3 else places)
    text = f"{value:.{places}f}"
    return Amount(text.replace(".", words(locale).formats.decimal))


def _text(cell: Cell) -> str:
    """With an apostrophe before what would be a formula."""
    if cell is None:
        return ""
    if isinstance(cell, Amount) or not isinstance(cell, str):
        return str(cell)
    return _FORMULA.sub(lambda found: f"{found[0]}'", cell)


# Verbs


# Their sums take some 20 ms: other requests wait no longer.
_ROWS_AT_ONCE = 100
_ORDERS = ("number", "title", "customer", "stage", "due_on", "ready", "collected")
# For sessions and keys with `payments:read`.
_MONEY = ("agreed_net", "agreed_tax", "agreed", "paid", "due", "currency", "estimate", "accepted_on", "tax_id")
_PAYMENTS = (
    "payment_number", "received", "number", "title", "customer", "tax_id", "kind", "net", "tax", "amount",
    "voided_amount", "currency", "method", "note", "recorded", "by", "voided", "voided_by", "reason", "id",
)  # fmt: skip
_INVOICES = (
    "invoice_number", "kind", "issued_on", "sold_on", "payable_on", "corrects", "buyer", "tax_id", "country", "rate",
    "net", "tax", "amount", "currency", "invoice_paid", "invoice_due", "id",
)  # fmt: skip
_NUMBERS = ("month", "currency", "agreed_count", "agreed", "received_count", "received_sum")


async def orders(db: Database, call: Call, workshop_id: str, query: CsvQuery) -> AsyncGenerator[bytes, None]:
    """Every order by its number, with what was agreed, paid and is due. Raises NotFound, Forbidden.

    Net and tax are known where a revision of the estimate states the price. For a key without `payments:read` there are
    no columns of amounts.

    Sent as it is read, since many orders take long: each order is as it was when its piece was read.
    """
    async with db.read() as read:
        settings, locale = await begin(read, call, workshop_id, query.locale)
    has_money = call.caller.may("payments:read")
    piece, after = headings((*_ORDERS, *(_MONEY if has_money else ()), "id"), locale), 0
    while True:
        async with db.read() as read:
            page = await order_summaries.list_after(read, workshop_id, after, _ROWS_AT_ONCE)
            booked = await list_booked(read, [row.id for row in page] if has_money else [], settings)
        yield piece + lines((_order(row, booked.get(row.id), settings, locale) for row in page), locale)
        if len(page) < _ROWS_AT_ONCE:
            return
        piece, after = b"", page[-1].facts.number


async def payments(db: Database, call: Call, workshop_id: str, query: CsvPeriodQuery) -> AsyncGenerator[bytes, None]:
    """Every payment of the period, the latest first, voided ones included. Raises NotFound, Forbidden.

    Amounts add up: those of refunds are negative, that of a voided payment is 0 and stands in a column of its own. Net
    and tax are in proportion to those of the revision that states the price.
    """
    async with TemporaryContent() as content:
        async with db.snapshot() as read:
            settings, locale = await begin(read, call, workshop_id, query.locale)
            await content.write(headings(_PAYMENTS, locale))
            listed = stored_payments.listed(workshop_id, query.from_ or None, query.to or None)
            async for page in listed.pieces(read, UNPAGED):
                booked = await list_booked(read, sorted({row.order_id for row in page}), settings)
                rows = (_payment(row, booked[row.order_id], settings, locale) for row in page)
                await content.write(lines(rows, locale))
        async for piece in content.read():
            yield piece


async def invoices(db: Database, call: Call, workshop_id: str, query: CsvPeriodQuery) -> AsyncGenerator[bytes, None]:
    """Every issued invoice of the period, the latest first, a row for each of its taxes. Raises NotFound, Forbidden.

    Rows add up: those of a correction are what it adds to the invoice that it corrects.
    """
    async with TemporaryContent() as content:
        async with db.snapshot() as read:
            _, locale = await begin(read, call, workshop_id, query.locale)
            await content.write(headings(_INVOICES, locale))
            wanted = InvoicesQuery(from_=query.from_ or None, to=query.to or None, state="issued")
            async for page in stored_invoices.of_workshop(workshop_id, wanted).pieces(read, UNPAGED):
                await content.write(lines((row for invoice in page for row in _invoice(invoice, locale)), locale))
        async for piece in content.read():
            yield piece


def _invoice(invoice: StoredInvoice, locale: DocumentLocale) -> list[list[Cell]]:
    content, values = invoice.content, words(locale).csv_values
    sums = sums_of(content.figures) if content.corrects is None else content.corrects.difference
    paid, left = invoice.paid_thousandths, invoice.left_thousandths
    parts: Sequence[TaxAmount | None] = sums.taxes or [None]
    rows: list[list[Cell]] = []
    for at, part in enumerate(parts):
        net, tax = (sums.net, sums.tax) if part is None else (part.net, part.amount)
        rate = "" if part is None else (part.kind and values[part.kind]) or percent(part.percent or Decimal(0), locale)
        rows.append(
            [
                invoice.number,
                values[invoice.kind],
                invoice.issue_date,
                invoice.facts.sale_date or None,
                invoice.due_date,
                None if content.corrects is None else content.corrects.number,
                content.buyer.name,
                content.buyer.tax_id or None,
                content.buyer.country or None,
                rate,
                amount(net, invoice.currency, locale),
                amount(tax, invoice.currency, locale),
                amount(net + tax, invoice.currency, locale),
                invoice.currency,
                *(() if at else (amount(of_thousandths(paid), invoice.currency, locale),)),
                *(() if at else (amount(of_thousandths(left), invoice.currency, locale),)),
                *((None, None) if at else ()),
                invoice.id,
            ]
        )
    return rows


async def numbers(db: Database, call: Call, workshop_id: str, query: CsvPeriodQuery) -> AsyncGenerator[bytes, None]:
    """A line for each month and currency. Raises NotFound, Forbidden."""
    async with db.snapshot() as read:
        _, locale = await begin(read, call, workshop_id, query.locale)
        found = await orders_numbers.get(read, call, workshop_id, NumbersQuery(query.from_, query.to))
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
    return (BYTE_ORDER_MARK.encode()) + lines([[words(locale).csv[name] for name in names]], locale)


def _order(
    row: SummaryRow, booked: BookedOrder | None, settings: DocumentSettings, locale: DocumentLocale
) -> list[Cell]:
    details, order = row.to_response(settings), row.order
    return [
        details.number,
        order.title,
        order.customer_name,
        words(locale).csv_values[details.stage],
        details.due_on or None,
        _day(details.ready_at, settings),
        _day(details.collected_at, settings),
        *(() if booked is None else _money(row, booked, settings, locale)),
        order.id,
    ]


def _money(row: SummaryRow, booked: BookedOrder, settings: DocumentSettings, locale: DocumentLocale) -> list[Cell]:
    balance, agreed = row.money(settings).balance(), booked.agreed
    net, tax = (None, None) if agreed is None else (agreed.net, agreed.tax)
    amounts = (net, tax, balance.agreed, balance.paid, balance.due)
    return [
        *(amount(each, balance.currency, locale) for each in amounts),
        balance.currency,
        None if agreed is None else agreed.estimate_number,
        None if agreed is None else _day(agreed.accepted_at or UNSET, settings),
        booked.tax_id,
    ]


def _payment(row: ListedPayment, booked: BookedOrder, settings: DocumentSettings, locale: DocumentLocale) -> list[Cell]:
    values, added = words(locale).csv_values, Decimal(0) if row.is_void else row.added
    net, tax = _net_and_tax(row, booked.agreed, added)
    return [
        row.number or None,
        row.received_on,
        row.order_number,
        row.title,
        row.customer_name,
        booked.tax_id,
        values[row.kind],
        amount(net, row.currency, locale),
        amount(tax, row.currency, locale),
        amount(added, row.currency, locale),
        amount(row.added if row.is_void else None, row.currency, locale),
        row.currency,
        values[row.method],
        row.note or None,
        _day(row.created_at, settings),
        row.recorded_by,
        _day(row.voided_at, settings),
        row.voided_by_name,
        row.reason or None,
        row.id,
    ]


def _net_and_tax(
    row: ListedPayment, agreed: AgreedFigures | None, added: Decimal
) -> tuple[Decimal | None, Decimal | None]:
    """Of what is left after each payment, so that those of all payments add up to those of the price."""
    if agreed is None or agreed.currency != row.currency:
        return None, None
    after = of_thousandths(row.paid_thousandths) + 0
    net = agreed.net_of(after) - agreed.net_of(after - added)
    return net, None if agreed.tax is None else added - net


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


_CUSTOMERS = (
    "name", "customer_kind", "phone", "other_phones", "email", "other_emails", "address", "site_address", "tax_id",
    "locale", "note", "id",
)  # fmt: skip
_TILES = ("grid", "emoji", "label", "unit", "price", "currency", "id")


async def customers(db: Database, call: Call, workshop_id: str, query: CsvQuery) -> AsyncGenerator[bytes, None]:
    """Every customer by name. Raises NotFound, Forbidden."""
    async with TemporaryContent() as content:
        async with db.snapshot() as read:
            _, locale = await begin(read, call, workshop_id, query.locale)
            await content.write(headings(_CUSTOMERS, locale))
            listed = stored_customers.of_workshop(workshop_id, CustomerFilter())
            async for page in listed.pieces(read, UNPAGED):
                await content.write(lines((_customer(customer, locale) for customer in page), locale))
        async for piece in content.read():
            yield piece


async def tiles(db: Database, call: Call, workshop_id: str, query: CsvQuery) -> AsyncGenerator[bytes, None]:
    """Every tile, in the order of the grids. A workshop has few enough for one piece. Raises NotFound, Forbidden."""
    async with db.snapshot() as read:
        settings, locale = await begin(read, call, workshop_id, query.locale)
        found = await grids.list_stored(read, workshop_id)
    rows = [row for grid in found for row in _tiles(grid, settings.currency, locale)]
    yield headings(_TILES, locale) + lines(rows, locale)


def _customer(customer: Customer, locale: DocumentLocale) -> list[Cell]:
    phones = [phone.number for phone in customer.phones]
    return [
        customer.name,
        words(locale).csv_values[customer.kind],
        *_first_and_others(phones),
        *_first_and_others(customer.emails),
        customer.address or None,
        customer.site_address or None,
        customer.tax_id or None,
        customer.locale or None,
        customer.notes,
        customer.id,
    ]


def _first_and_others(texts: list[str]) -> tuple[str, str]:
    return (texts[0], "; ".join(texts[1:])) if texts else ("", "")


def _tiles(grid: Grid, currency: str, locale: DocumentLocale) -> list[list[Cell]]:
    return [
        [
            grid.name,
            button.emoji,
            button.label,
            words(locale).csv_units[button.unit],
            price(button.unit_price, currency, locale),
            currency,
            button.id,
        ]
        for button in grid.buttons
    ]
