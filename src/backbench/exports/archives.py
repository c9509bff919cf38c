"""Data archive: what is in the ZIP file of an account, and the names of its entries."""

import asyncio
import re
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Sequence
from contextlib import aclosing
from typing import Any, TypeVar
from unicodedata import normalize

from msgspec import UNSET, Struct, UnsetType

from backbench.billing.plans import PlanRules
from backbench.customers import customers
from backbench.customers.customers import CustomerFilter
from backbench.engine.database import Database, Read
from backbench.engine.lists import by_keys
from backbench.estimating import document_facts, document_settings, estimates, files, handoffs, pdf_exports
from backbench.estimating.document_facts import DocumentRecord
from backbench.estimating.document_settings import DocumentSettings
from backbench.estimating.file_types import FileRecord
from backbench.exports.exports import export_pieces
from backbench.integrations.blobs import BlobMissing, Blobs
from backbench.integrations.pdf.renderer import RenderError
from backbench.integrations.temporary_files import TemporaryContent
from backbench.integrations.zip_stream import ArchiveEntry, ZipStream
from backbench.orders import invoices, order_details, payments, photos
from backbench.orders.invoices import Invoice, InvoicesQuery
from backbench.orders.order_details import OrderDetails
from backbench.orders.order_notices import NoticeRecord
from backbench.orders.order_questions import QuestionRecord
from backbench.orders.order_signatures import OrderSignature
from backbench.orders.payments import Payment, PaymentsQuery
from backbench.orders.photos import Photo
from backbench.sharing import comments, decisions, links
from backbench.sharing.decisions import StoredDecision
from backbench.sharing.exported_links import exported_link
from backbench.values.calls import Call
from backbench.values.errors import NotFound, Unavailable
from backbench.values.numbers import joined_elements, to_json
from backbench.values.pagination import UNPAGED
from backbench.values.shapes import made_of
from backbench.values.times import Instant
from backbench.workshops import audit, members, workshops
from backbench.workshops.workshops import StoredWorkshop

# The version of the layout described in docs/api/export.md.
FORMAT = 1
# As file systems count: most allow 255 bytes, of which the number behind a repeated name takes some.
_MAX_NAME = 100
_MAX_BYTES = 240
# Control and format characters, which may reverse text, and characters that some file system does not allow.
_UNSAFE = r'[\p{C}\p{Zl}\p{Zp}<>:"/\\|?*]'
# Names of devices on Windows, with any extension.
_RESERVED = re.compile(r"(?i)(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?")


class MissingFile(Struct, frozen=True, rename="camel"):
    """A file that has a record, but whose content was not in the file store."""

    file_id: str
    workshop_id: str
    name: str
    detail: str


class ArchiveManifest(Struct, frozen=True, rename="camel"):
    """The last entry of the archive: all others, and the files that could not be read."""

    format: int
    created_at: Instant
    uid: str
    entries: list[ArchiveEntry]
    missing: list[MissingFile]


class ArchivedFile(FileRecord, frozen=True, kw_only=True):
    """A file's record, and the path of its content in the archive."""

    path: str


class ArchivedPhoto(Photo, frozen=True, kw_only=True):
    """A photo's record, and the path of its image in the archive."""

    path: str


class ArchivedInvoice(Invoice, frozen=True, kw_only=True):
    """An invoice and, of an issued one, the path of its PDF in the archive."""

    path: str | UnsetType = UNSET


class EntryNames:
    """Names that are unique in one folder, also where upper and lower case are the same, and safe on any system."""

    def __init__(self) -> None:
        self._used: set[str] = set()

    def unique(self, wanted: str, default: str) -> str:
        """`wanted` without unsafe characters, with a number where it is used already: `Kitchen (2).pdf`."""
        name = _safe(wanted) or default
        stem, dot, extension = name.rpartition(".")
        if not stem or len(extension) > 5:
            stem, dot, extension = name, "", ""
        candidate, number = name, 1
        while candidate.casefold() in self._used:
            number += 1
            candidate = f"{stem} ({number}){dot}{extension}"
        self._used.add(candidate.casefold())
        return candidate


def _safe(wanted: str) -> str:
    # At first use: the library takes a thirtieth of a start.
    import regex

    name = regex.sub(_UNSAFE, "_", normalize("NFC", wanted)).strip(" .")
    stem, dot, extension = name.rpartition(".")
    if dot and len(extension) <= 5:
        ending = f".{extension}"
        name = _cut(stem, _MAX_NAME - len(ending), _MAX_BYTES - len(ending.encode())) + ending
    name = _cut(name, _MAX_NAME, _MAX_BYTES)
    return f"_{name}" if _RESERVED.fullmatch(name) else name


def _cut(name: str, characters: int, most_bytes: int) -> str:
    """At most so many characters, and bytes in UTF-8, without a part of a character."""
    return name[:characters].encode()[:most_bytes].decode(errors="ignore").strip(" .")


# Verbs


T = TypeVar("T")
# Documents have up to 20 KB of text each.
_RECORDS_AT_ONCE = 20
# Details have up to 3 KB, questions as much.
_ORDERS_AT_ONCE = 100
# The member of the entry, table, row, order, and how many at once: signatures have up to 32 KB.
_OF_ORDERS: tuple[tuple[str, str, type[Struct], tuple[str, ...], int], ...] = (
    ("questions", "order_questions", QuestionRecord, ("order_id", "at", "id"), _ORDERS_AT_ONCE),
    ("notices", "order_notices", NoticeRecord, ("order_id", "at", "id"), _ORDERS_AT_ONCE),
    ("signatures", "order_signatures", OrderSignature, ("order_id",), 10),
)


# Of an invoice that cannot be drawn now, with ten seconds between them.
_ATTEMPTS = 6
# The files of an issued invoice, by the ends of their names: `orders/invoices.py` makes them.
InvoiceFiles = Callable[[str], Awaitable[dict[str, bytes]]]


async def data_archive(
    db: Database, call: Call, blobs: Blobs, plan_rules: PlanRules, invoice_files: InvoiceFiles
) -> AsyncGenerator[bytes, None]:
    """The archive. Its JSON is from one snapshot of the database; files are read, and invoices drawn, while it is sent.

    One at a time: however many there are, one is in memory, and other documents are drawn in between.
    """
    archive = ZipStream(call.now)
    missing: list[MissingFile] = []
    async with TemporaryContent() as content:
        async with db.snapshot() as read:
            contents = await _gather(read, call, content, plan_rules)
        for document in contents.documents:
            async with aclosing(archive.add(document.path, content.read(document.start, document.end))) as pieces:
                async for piece in pieces:
                    yield piece
        for file in (*contents.invoices, *contents.files):
            if await _is_member(db, call, file.workshop_id):
                added = _add(archive, file, blobs, invoice_files, missing)
                async with aclosing(added) as pieces:
                    async for piece in pieces:
                        yield piece
            else:
                detail = "the account has left the workshop"
                missing.append(MissingFile(file.id, file.workshop_id, file.path, detail))
    manifest = to_json(ArchiveManifest(FORMAT, call.now, call.uid, archive.entries, missing))
    async with aclosing(archive.add("manifest.json", _once(manifest))) as pieces:
        async for piece in pieces:
            yield piece
    yield archive.finish()


async def _is_member(db: Database, call: Call, workshop_id: str) -> bool:
    """Asked before each file: a client that reads slowly must not get what a former member may not."""
    async with db.read() as read:
        return await members.lookup_role(read, workshop_id, call.uid) is not None


class _Document(Struct, frozen=True):
    """A JSON entry of the archive, and where its content is."""

    path: str
    start: int
    end: int


class _File(Struct, frozen=True):
    """A stored file or photo, the first `size` bytes of its blob, and the path of its entry."""

    id: str
    workshop_id: str
    size: int
    path: str


class _IssuedInvoice(_File, frozen=True):
    """An issued invoice, which has no blob, and the path of its PDF."""


class _Contents(Struct, frozen=True):
    documents: list[_Document]
    invoices: list[_IssuedInvoice]
    files: list[_File]


async def _gather(db: Read, call: Call, content: TemporaryContent, plan_rules: PlanRules) -> _Contents:
    """Writes every document to `content`, and lists the files."""
    contents = _Contents([], [], [])

    async def add(path: str, pieces: AsyncGenerator[bytes, None]) -> None:
        start = content.size
        async with aclosing(pieces):
            async for piece in pieces:
                await content.write(piece)
        contents.documents.append(_Document(path, start, content.size))

    await add("data-export.json", export_pieces(db, call, plan_rules))
    folders = EntryNames()
    for workshop in await workshops.list_stored(db, call.uid):
        folder = f"workshops/{folders.unique(workshop.name, workshop.id)}"
        settings = await document_settings.find(db, workshop.id)
        await add(f"{folder}/document-settings.json", _once(to_json(settings)))
        await add(f"{folder}/members.json", _once(to_json({"members": await members.list_all(db, workshop.id)})))
        await add(f"{folder}/documents.json", _list("documents", _documents(db, workshop)))
        await add(f"{folder}/hand-offs.json", _by_estimate(db, workshop, b"handoffs", handoffs.of_estimate))
        await add(f"{folder}/pdf-exports.json", _by_estimate(db, workshop, b"pdfExports", pdf_exports.of_estimate))
        await add(f"{folder}/sharing.json", _sharing(db, workshop, call.now))
        kept = _exported(decisions.of_deleted_estimates(workshop.id).pieces(db, UNPAGED), StoredDecision.to_evidence)
        await add(f"{folder}/kept-decisions.json", _list("decisions", kept))
        if await members.lookup_role(db, workshop.id, call.uid) == "owner":
            await add(f"{folder}/audit.json", _list("audit", audit.of_workshop(workshop.id).pieces(db, UNPAGED)))
        await add(f"{folder}/order-details.json", _list("orderDetails", _order_details(db, workshop, settings)))
        for name, table, row, keys, at_once in _OF_ORDERS:
            pages = by_keys(db, row, table, keys, workshop.id, at_once)
            await add(f"{folder}/{table.replace('_', '-')}.json", _list(name, pages))
        await add(f"{folder}/payments.json", _list("payments", _payments(db, workshop)))
        await add(f"{folder}/invoices.json", _list("invoices", _invoices(db, workshop, folder, contents.invoices)))
        await add(f"{folder}/photos.json", _list("photos", _photos(db, workshop, folder, contents.files)))
        of_workshop = customers.of_workshop(workshop.id, CustomerFilter())
        await add(f"{folder}/customers.json", _list("customers", of_workshop.pieces(db, UNPAGED)))
        await add(f"{folder}/files.json", _list("files", _file_records(db, workshop, folder, contents.files)))
    return contents


async def _by_estimate(db: Read, workshop: StoredWorkshop, name: bytes, list_of: Any) -> AsyncGenerator[bytes, None]:
    """`{"estimates": [{"estimateId": …, "handoffs": […]}]}`, without the estimates that have none."""
    yield b'{"estimates":['
    separator = b""
    for estimate_id in await estimates.list_ids(db, workshop.id):
        has_begun = False
        async for piece in joined_elements(list_of(estimate_id).pieces(db, UNPAGED)):
            if not has_begun:
                yield separator + b'{"estimateId":' + to_json(estimate_id) + b',"' + name + b'":['
                separator, has_begun = b",", True
            yield piece
        if has_begun:
            yield b"]}"
    yield b"]}"


async def _sharing(db: Read, workshop: StoredWorkshop, now: Instant) -> AsyncGenerator[bytes, None]:
    """`{"estimates": [{"estimateId": …, "links": […], "decisions": […], "comments": […]}]}`, of the shared ones."""
    yield b'{"estimates":['
    separator = b""
    for estimate_id in await links.list_shared(db, workshop.id):
        yield separator + b'{"estimateId":' + to_json(estimate_id)
        separator = b","
        lists = {
            "links": _exported(
                links.with_documents(estimate_id).pieces(db, UNPAGED), lambda link: exported_link(link, now)
            ),
            "decisions": _exported(decisions.of_estimate(estimate_id).pieces(db, UNPAGED), StoredDecision.to_evidence),
            "comments": comments.of_estimate(estimate_id).pieces(db, UNPAGED),
        }
        for name, pages in lists.items():
            yield b',"%s":[' % name.encode()
            async for piece in joined_elements(pages):
                yield piece
            yield b"]"
        yield b"}"
    yield b"]}"


async def _exported(pieces: AsyncIterator[Sequence[T]], convert: Callable[[T], Struct]) -> AsyncGenerator[Any, None]:
    async for piece in pieces:
        yield [convert(each) for each in piece]


async def _list(name: str, pages: AsyncGenerator[Any, None]) -> AsyncGenerator[bytes, None]:
    """`{"payments": […]}`: an object with the list as its only member."""
    yield b'{"%s":[' % name.encode()
    async for piece in joined_elements(pages):
        yield piece
    yield b"]}"


async def _documents(db: Read, workshop: StoredWorkshop) -> AsyncGenerator[Sequence[DocumentRecord], None]:
    """Of the estimates that have facts or a number."""
    after = ""
    while page := await document_facts.list_all(db, workshop.id, after, _RECORDS_AT_ONCE):
        yield page
        after = page[-1].estimate_id


async def _order_details(
    db: Read, workshop: StoredWorkshop, settings: DocumentSettings
) -> AsyncGenerator[Sequence[OrderDetails], None]:
    """By number."""
    after = 0
    condition = "d.number > :after ORDER BY d.number LIMIT :most"
    while page := await order_details.list_all(db, workshop.id, condition, after=after, most=_ORDERS_AT_ONCE):
        yield [each.to_response(settings) for each in page]
        after = page[-1].facts.number


async def _invoices(
    db: Read, workshop: StoredWorkshop, folder: str, found: list[_IssuedInvoice]
) -> AsyncGenerator[Sequence[ArchivedInvoice], None]:
    """The latest first. Appends the issued ones to `found`."""
    names = EntryNames()
    async for page in invoices.of_workshop(workshop.id, InvoicesQuery()).pieces(db, UNPAGED):
        records = []
        for invoice, shown in zip(page, await invoices.list_shown(db, page), strict=True):
            path: str | UnsetType = UNSET
            if invoice.is_issued:
                path = f"{folder}/invoices/{names.unique(f'{invoices.file_name(invoice)}.pdf', invoice.id)}"
                found.append(_IssuedInvoice(invoice.id, workshop.id, 0, path))
            records.append(made_of(ArchivedInvoice, shown, path=path))
        yield records


async def _payments(db: Read, workshop: StoredWorkshop) -> AsyncGenerator[Sequence[Payment], None]:
    """The latest first, voided ones included."""
    async for page in payments.of_workshop(workshop.id, PaymentsQuery()).pieces(db, UNPAGED):
        yield page


async def _file_records(
    db: Read, workshop: StoredWorkshop, folder: str, found: list[_File]
) -> AsyncGenerator[Sequence[ArchivedFile], None]:
    """Each record with the path of its content. Appends the files to `found`."""
    names = {"files": EntryNames(), "pdfs": EntryNames()}
    async for page in files.of_workshop(workshop.id).pieces(db, UNPAGED):
        records = []
        for file in page:
            kind = "pdfs" if file.category == "estimate_pdf" else "files"
            path = f"{folder}/{kind}/{names[kind].unique(file.download_name, file.id)}"
            found.append(_File(file.id, workshop.id, file.size_bytes, path))
            records.append(made_of(ArchivedFile, file, path=path))
        yield records


async def _photos(
    db: Read, workshop: StoredWorkshop, folder: str, found: list[_File]
) -> AsyncGenerator[Sequence[ArchivedPhoto], None]:
    """Each record with the path of its image. Appends the images to `found`."""
    names = EntryNames()
    after = ""
    while page := await photos.list_after(db, workshop.id, after, _ORDERS_AT_ONCE):
        records = []
        for photo, number in ((each.photo, each.number) for each in page):
            path = f"{folder}/photos/{names.unique(f'{number} {photo.file_name}', photo.id)}"
            found.append(_File(photo.id, workshop.id, photo.size_bytes, path))
            records.append(made_of(ArchivedPhoto, photo, path=path))
        yield records
        after = page[-1].photo.id


def _add(
    archive: ZipStream, file: _File, blobs: Blobs, invoice_files: InvoiceFiles, missing: list[MissingFile]
) -> AsyncGenerator[bytes, None]:
    if isinstance(file, _IssuedInvoice):
        return _add_invoice(archive, invoice_files, file, missing)
    return _add_file(archive, blobs, file, missing)


async def _add_file(
    archive: ZipStream, blobs: Blobs, file: _File, missing: list[MissingFile]
) -> AsyncGenerator[bytes, None]:
    """The entry of a file. One whose content is missing is named in `missing`, and does not end the archive."""

    def note(detail: str) -> None:
        missing.append(MissingFile(file.id, file.workshop_id, file.path, detail))

    async with aclosing(blobs.read(file.id, 0, file.size)) as pieces:
        try:
            first = await anext(pieces, b"")
        except BlobMissing:
            note("the content is missing")
            return
        # Images and PDFs are compressed already.
        async with aclosing(archive.add(file.path, _until_missing(first, pieces, note), compress=False)) as added:
            async for piece in added:
                yield piece


async def _add_invoice(
    archive: ZipStream, invoice_files: InvoiceFiles, invoice: _IssuedInvoice, missing: list[MissingFile]
) -> AsyncGenerator[bytes, None]:
    """The entries of an issued invoice. One that cannot be drawn is named in `missing`."""
    made = await _drawn(invoice_files, invoice.id)
    if isinstance(made, str):
        missing.append(MissingFile(invoice.id, invoice.workshop_id, invoice.path, made))
        return
    for ending, content in made.items():
        path = invoice.path.removesuffix(".pdf") + ending
        async with aclosing(archive.add(path, _once(content), compress=ending != ".pdf")) as pieces:
            async for piece in pieces:
                yield piece


async def _drawn(invoice_files: InvoiceFiles, invoice_id: str) -> dict[str, bytes] | str:
    """The files of an invoice, or why there are none. Where others are drawn at the moment, it waits for them."""
    for _ in range(_ATTEMPTS):
        try:
            return await invoice_files(invoice_id)
        except NotFound:
            return "the invoice was deleted"
        except RenderError:
            return "the PDF cannot be drawn"
        except BlobMissing:
            return "the logo of the PDF is missing"
        except Unavailable as error:
            await asyncio.sleep(error.wait or 0)
    return "the PDF could not be drawn now"


async def _until_missing(first: bytes, pieces: AsyncIterator[bytes], note: Any) -> AsyncGenerator[bytes, None]:
    yield first
    try:
        async for piece in pieces:
            yield piece
    except BlobMissing:
        note("only the beginning of the content is there")


async def _once(content: bytes) -> AsyncGenerator[bytes, None]:
    yield content
