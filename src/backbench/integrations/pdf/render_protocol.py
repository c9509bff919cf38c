"""Render protocol: requests and replies of render processes.

A request is an estimate document as JSON, for its PDF or for a page of it as PNG; the certificate of a decision, a
slip, a receipt or an invoice as JSON, for its PDF; a stored PDF, of which a page is wanted as PNG; or an emoji, for its
picture. A reply is a PDF, a page or a picture.
"""

from decimal import Decimal
from typing import NamedTuple

import msgspec
from msgspec import Struct

from backbench.documents.certificates import CertificateDocument
from backbench.documents.documents import EstimateDocument
from backbench.documents.invoices import PrintedInvoice
from backbench.documents.receipts import ReceiptDocument
from backbench.documents.slips import SlipDocument
from backbench.values import numbers

NUMBER_BYTES = 4
COUNT_BYTES = 2
# A document with 500 lines, labels of 250 characters of four bytes each, a logo of 512 KiB in base64, and every other
# field at its maximum.
MAX_REQUEST_BYTES = 1 << 21
# Such a document with a logo image that takes more as PDF.
MAX_PDF_BYTES = 1 << 25

# The first byte of a request with a stored PDF, a certificate, a slip, a receipt, an invoice or an emoji; JSON starts
# with a brace.
STORED_PDF = b"P"
CERTIFICATE = b"C"
SLIP = b"S"
RECEIPT = b"Q"
INVOICE = b"I"
EMOJI = b"E"


class PageRequest(Struct, frozen=True):
    """A page to draw as PNG: its number, from 1, and its width in pixels."""

    number: int
    width: int


class DrawnPage(NamedTuple):
    """`png` is None beyond the last page."""

    png: bytes | None
    page_count: int


class RenderRequest(Struct, frozen=True):
    """A document to render as PDF, or one page of it as PNG."""

    document: EstimateDocument
    page: PageRequest | None = None


class EmojiRequest(NamedTuple):
    """An emoji that is wanted as PNG."""

    emoji: str


class StoredPage(NamedTuple):
    """A page to draw of a stored PDF."""

    pdf: bytes
    page: PageRequest


_encoder = msgspec.json.Encoder(enc_hook=str, decimal_format="string")
_decoder = msgspec.json.Decoder(RenderRequest)
_certificate_decoder = msgspec.json.Decoder(CertificateDocument)
_slip_decoder = msgspec.json.Decoder(SlipDocument)
_receipt_decoder = msgspec.json.Decoder(ReceiptDocument)
_invoice_decoder = msgspec.json.Decoder(PrintedInvoice, dec_hook=numbers.read, float_hook=Decimal)


def encode_request(document: EstimateDocument, page: PageRequest | None = None) -> bytes:
    return _encoder.encode(RenderRequest(document, page))


def encode_certificate(document: CertificateDocument) -> bytes:
    return CERTIFICATE + _encoder.encode(document)


def encode_slip(document: SlipDocument) -> bytes:
    return SLIP + _encoder.encode(document)


def encode_receipt(document: ReceiptDocument) -> bytes:
    return RECEIPT + _encoder.encode(document)


def encode_invoice(printed: PrintedInvoice) -> bytes:
    return INVOICE + msgspec.json.encode(printed, enc_hook=numbers.write)


def encode_emoji(emoji: str) -> bytes:
    return EMOJI + emoji.encode()


def encode_stored_page(pdf: bytes, page: PageRequest) -> bytes:
    return STORED_PDF + _encoded(page.number) + _encoded(page.width) + pdf


Request = (
    RenderRequest | CertificateDocument | SlipDocument | ReceiptDocument | PrintedInvoice | EmojiRequest | StoredPage
)


def decode_request(request: bytes) -> Request:
    if request[:1] == EMOJI:
        return EmojiRequest(request[1:].decode())
    if request[:1] == CERTIFICATE:
        return _certificate_decoder.decode(request[1:])
    if request[:1] == SLIP:
        return _slip_decoder.decode(request[1:])
    if request[:1] == RECEIPT:
        return _receipt_decoder.decode(request[1:])
    if request[:1] == INVOICE:
        return _invoice_decoder.decode(request[1:])
    if request[:1] != STORED_PDF:
        return _decoder.decode(request)
    number, width, pdf = request[1:5], request[5:9], request[9:]
    return StoredPage(pdf, PageRequest(int.from_bytes(number, "big"), int.from_bytes(width, "big")))


def _encoded(number: int) -> bytes:
    return number.to_bytes(NUMBER_BYTES, "big")


def encode_page(page: DrawnPage) -> bytes:
    return page.page_count.to_bytes(COUNT_BYTES, "big") + (page.png or b"")


def decode_page(body: bytes) -> DrawnPage:
    return DrawnPage(body[COUNT_BYTES:] or None, int.from_bytes(body[:COUNT_BYTES], "big"))
