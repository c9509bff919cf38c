"""Data export and archive of an account, and CSV files of a workshop, over HTTP, with limits: all are long reads."""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from functools import partial

from backbench.accounts.rate_limits import Counter, count_all
from backbench.customers import customer_data as stored_data
from backbench.engine.database import Database
from backbench.exports import archives, csv_files, exports
from backbench.exports.csv_files import CsvPeriodQuery, CsvQuery
from backbench.http.requests import Request
from backbench.http.responses import Header, Response, prepended, streamed
from backbench.http.streaming import disposition, while_connected
from backbench.orders import invoices
from backbench.services import EndpointServices
from backbench.values.calls import Call


async def data_export(db: Database, call: Call, request: Request, services: EndpointServices) -> Response:
    """Export the data of the signed-in account, from one snapshot of the database."""
    pieces = _limited(db, call, exports.data_export(db, call, services.plan_rules), services)
    return await _response(request, pieces, b"application/json")


async def data_archive(db: Database, call: Call, request: Request, services: EndpointServices) -> Response:
    """Download everything of the signed-in account as a ZIP file: its data as JSON, its files and its PDFs."""
    invoice_files = partial(invoices.issued_files, db, call, services=services)
    archive = archives.data_archive(db, call, services.blobs, services.plan_rules, invoice_files)
    pieces = _limited(db, call, archive, services)
    attachment = (b"content-disposition", disposition(f"backbench-{call.now[:10]}.zip", inline=False))
    return await _response(request, pieces, b"application/zip", attachment)


async def orders_csv(
    db: Database, call: Call, workshop_id: str, query: CsvQuery, request: Request, services: EndpointServices
) -> Response:
    """Download the orders of a workshop with what was agreed, paid and is due, as CSV."""
    return await _csv(request, call, csv_files.orders(db, call, workshop_id, query), services, "orders")


async def payments_csv(
    db: Database, call: Call, workshop_id: str, query: CsvPeriodQuery, request: Request, services: EndpointServices
) -> Response:
    """Download the payments that a workshop received in a period, as CSV."""
    return await _csv(request, call, csv_files.payments(db, call, workshop_id, query), services, "payments")


async def invoices_csv(
    db: Database, call: Call, workshop_id: str, query: CsvPeriodQuery, request: Request, services: EndpointServices
) -> Response:
    """Download the invoices that a workshop issued in a period, a row for each of their taxes, as CSV."""
    return await _csv(request, call, csv_files.invoices(db, call, workshop_id, query), services, "invoices")


async def numbers_csv(
    db: Database, call: Call, workshop_id: str, query: CsvPeriodQuery, request: Request, services: EndpointServices
) -> Response:
    """Download what a workshop agreed and received by month, as CSV."""
    return await _csv(request, call, csv_files.numbers(db, call, workshop_id, query), services, "numbers")


async def customers_csv(
    db: Database, call: Call, workshop_id: str, query: CsvQuery, request: Request, services: EndpointServices
) -> Response:
    """Download the customers of a workshop as CSV."""
    return await _csv(request, call, csv_files.customers(db, call, workshop_id, query), services, "customers")


async def tiles_csv(
    db: Database, call: Call, workshop_id: str, query: CsvQuery, request: Request, services: EndpointServices
) -> Response:
    """Download the tiles of a workshop, with their prices, as CSV."""
    return await _csv(request, call, csv_files.tiles(db, call, workshop_id, query), services, "tiles")


async def customer_data(
    db: Database, call: Call, customer_id: str, request: Request, services: EndpointServices
) -> Response:
    """Read everything that the workshop stores about a customer."""
    pieces = _in_slot(call, stored_data.read(db, call, customer_id), services)
    return await _response(request, pieces, b"application/json")


async def _csv(
    request: Request, call: Call, pieces: AsyncGenerator[bytes, None], services: EndpointServices, name: str
) -> Response:
    attachment = (b"content-disposition", disposition(f"{name}-{call.now[:10]}.csv", inline=False))
    return await _response(request, _in_slot(call, pieces, services), b"text/csv; charset=utf-8", attachment)


async def _in_slot(
    call: Call, pieces: AsyncGenerator[bytes, None], services: EndpointServices
) -> AsyncGenerator[bytes, None]:
    """The pieces, while the account has a slot. Raises Unavailable."""
    async with aclosing(pieces), services.export_slots.slot(call.uid) as stop_counting:
        async for piece in pieces:
            stop_counting()
            yield piece


async def _limited(
    db: Database, call: Call, pieces: AsyncGenerator[bytes, None], services: EndpointServices
) -> AsyncGenerator[bytes, None]:
    """The pieces, while the account has a slot. Raises Unavailable, RateLimited."""
    async with aclosing(pieces), services.export_slots.slot(call.uid) as stop_counting:
        # Counted once there is a slot: a request that was not served takes no attempt.
        await count_all(db, call, [Counter(f"exports of {call.uid}", services.export_limit, "exports")])
        async for piece in pieces:
            # The database has been read before the first piece: clients that read slowly must not keep others out.
            stop_counting()
            yield piece


async def _response(
    request: Request, pieces: AsyncGenerator[bytes, None], content_type: bytes, *headers: Header
) -> Response:
    """The response once its first piece is made: until then the verb may raise. HEAD does no work, uncounted."""
    if request.method == "HEAD":
        return streamed(None, content_type, *headers)
    connected = while_connected(request, pieces)
    return streamed(prepended(await anext(connected), connected), content_type, *headers)
