"""Render protocol: length-prefixed messages over two pipes between the service and a render process.

A render request is an estimate document as JSON, for its PDF or for a page of it as PNG. A reply is one byte with its
kind, followed by its body. A process sends READY once. To each request it replies ACCEPTED, and then RENDERED,
RENDERED_LAST or FAILED.
"""

from typing import NamedTuple

import msgspec
from msgspec import Struct

from backbench.domain.documents.documents import EstimateDocument

LENGTH_BYTES = 4
COUNT_BYTES = 2
# A document with 500 lines, labels of 250 characters of four bytes each, a logo of 512 KiB in base64, and every other
# field at its maximum.
MAX_REQUEST_BYTES = 1 << 21

READY = b"R"
# The request has arrived. If the process ends after this, the document is the cause.
ACCEPTED = b"T"
RENDERED = b"D"
# Rendered, and the process exits now: it uses too much memory to be reused.
RENDERED_LAST = b"L"
# The document cannot be rendered: the body is the error message.
FAILED = b"F"


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


_encoder = msgspec.json.Encoder(enc_hook=str, decimal_format="string")
_decoder = msgspec.json.Decoder(RenderRequest)


def encode_request(document: EstimateDocument, page: PageRequest | None = None) -> bytes:
    return _encoder.encode(RenderRequest(document, page))


def decode_request(request: bytes) -> RenderRequest:
    return _decoder.decode(request)


def encode_page(page: DrawnPage) -> bytes:
    return page.page_count.to_bytes(COUNT_BYTES, "big") + (page.png or b"")


def decode_page(body: bytes) -> DrawnPage:
    return DrawnPage(body[COUNT_BYTES:] or None, int.from_bytes(body[:COUNT_BYTES], "big"))
