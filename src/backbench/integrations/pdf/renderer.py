"""PDF renderer: sends documents to render processes, which are killed where they exceed their limits."""

from backbench.documents.certificates import CertificateDocument
from backbench.documents.documents import EstimateDocument
from backbench.documents.invoices import PrintedInvoice
from backbench.documents.receipts import ReceiptDocument
from backbench.documents.slips import SlipDocument
from backbench.integrations.pdf import render_protocol as protocol
from backbench.integrations.processes.pool import LimitExceeded, Limits, PoolUnavailable, ProcessPool, WorkFailed
from backbench.values.errors import Conflict, Unavailable

RETRY_AFTER_SECONDS = 10
# Pictures that are kept, of some 10 KB each: a server has few workshops, and each has one.
_MOST_EMOJI = 100
_MODULE = "backbench.integrations.pdf.render_process"


class RenderError(Conflict):
    """This document cannot be rendered, or exceeds the limits. Another attempt would fail as well."""

    def __init__(self, reason: str) -> None:
        super().__init__("not_drawable", reason)


class RenderUnavailable(Unavailable):
    """No render process works now, or too many documents are queued. The document is not the cause."""

    def __init__(self, reason: str) -> None:
        super().__init__("unavailable", reason, wait=RETRY_AFTER_SECONDS)


class PdfRenderer:
    """Belongs to one event loop. Processes start when they are first needed."""

    def __init__(self, limits: Limits | None = None) -> None:
        self._emoji: dict[str, bytes] = {}
        self._processes = ProcessPool(_MODULE, limits or Limits(), "document")

    @property
    def waiting(self) -> int:
        """The documents that no process works at yet."""
        return self._processes.waiting

    async def render(self, document: EstimateDocument) -> bytes:
        """The PDF; the same document gives the same bytes. Raises RenderError or RenderUnavailable."""
        return await self._queued(protocol.encode_request(document))

    async def render_certificate(self, document: CertificateDocument) -> bytes:
        """The PDF; the same certificate gives the same bytes. Raises RenderError or RenderUnavailable."""
        return await self._queued(protocol.encode_certificate(document))

    async def render_slip(self, document: SlipDocument) -> bytes:
        """The PDF, of one page. Raises RenderError or RenderUnavailable."""
        return await self._queued(protocol.encode_slip(document))

    async def render_receipt(self, document: ReceiptDocument) -> bytes:
        """The PDF, of one page. Raises RenderError or RenderUnavailable."""
        return await self._queued(protocol.encode_receipt(document))

    async def render_invoice(self, printed: PrintedInvoice) -> bytes:
        """The PDF, with its file inside where it has one. Raises RenderError or RenderUnavailable."""
        return await self._queued(protocol.encode_invoice(printed))

    async def draw_emoji(self, emoji: str) -> bytes:
        """The emoji of the font of documents, as PNG. Raises RenderError or RenderUnavailable."""
        found = self._emoji.get(emoji)
        if found is None:
            found = await self._queued(protocol.encode_emoji(emoji))
            if len(self._emoji) >= _MOST_EMOJI:
                self._emoji.pop(next(iter(self._emoji)))
            self._emoji[emoji] = found
        return found

    async def draw_page(self, document: EstimateDocument, number: int, width: int) -> protocol.DrawnPage:
        """A page of the same document as PNG, `width` pixels wide. Raises RenderError or RenderUnavailable."""
        page = protocol.PageRequest(number, width)
        return protocol.decode_page(await self._queued(protocol.encode_request(document, page)))

    async def draw_stored_page(self, pdf: bytes, number: int, width: int) -> protocol.DrawnPage:
        """A page of a PDF that was rendered earlier, as PNG. Raises RenderError or RenderUnavailable."""
        request = protocol.encode_stored_page(pdf, protocol.PageRequest(number, width))
        return protocol.decode_page(await self._queued(request, protocol.MAX_PDF_BYTES))

    async def _queued(self, request: bytes, max_bytes: int = protocol.MAX_REQUEST_BYTES) -> bytes:
        if len(request) > max_bytes:
            raise RenderError("The document is too long")
        try:
            return await self._processes.send(request)
        except LimitExceeded:
            raise RenderError("Rendering the document exceeds the limit of memory or processor time") from None
        except WorkFailed as error:
            raise RenderError(str(error)) from None
        except PoolUnavailable as error:
            raise RenderUnavailable(str(error)) from None

    async def close(self) -> None:
        """Ends every process. Documents that are being rendered or queued raise an error."""
        await self._processes.close()
