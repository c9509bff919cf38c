"""File types: detection from the content alone, never from the name or the declared type.

A file must have exactly one type: it ends where its format ends, and it contains no ZIP archive.
"""

import re

from msgspec import Struct

from backbench.domain.estimating import images
from backbench.domain.estimating.files import MAX_ICON_BYTES, ContentType, FileCategory
from backbench.domain.estimating.images import Size
from backbench.domain.values.errors import FieldError, TooLarge, UnsupportedMedia, ValidationError

# The number of first bytes that `content_type_of` needs.
SIGNATURE_BYTES = 16
_READERS = {"image/png": images.png_size, "image/jpeg": images.jpeg_size, "image/webp": images.webp_size}
# ZIP programs search backwards from the end for this record, as far as the longest comment of an archive.
_ARCHIVE_END = b"PK\x05\x06\x00\x00\x00\x00"
_ARCHIVE_TAIL = 65_557
_PDF_HEADER = re.compile(rb"%PDF-[12]\.[0-9]")
_PDF_TRAILER = re.compile(rb"startxref[ \t\r\n]+([0-9]{1,12})[ \t]*[\r\n]+%%EOF[\r\n]{0,2}\Z")
# PDF readers accept a document whose header is within the first 1024 bytes.
_PDF_HEADER_RANGE = 1024


def content_type_of(beginning: bytes) -> ContentType:
    """The type by the signature in the first bytes. Raises UnsupportedMedia."""
    if beginning.startswith(images.PNG_SIGNATURE):
        return "image/png"
    if beginning.startswith(images.JPEG_SIGNATURE):
        return "image/jpeg"
    if beginning[:4] == b"RIFF" and beginning[8:12] == b"WEBP":
        return "image/webp"
    if _PDF_HEADER.match(beginning):
        return "application/pdf"
    raise UnsupportedMedia("The content is not a PNG, JPEG, WebP or PDF file")


def require_category(category: FileCategory, kind: ContentType) -> None:
    """Raises UnsupportedMedia if the category does not accept the type."""
    if category == "grid_tile_icon" and kind == "application/pdf":
        raise UnsupportedMedia("An icon must be a PNG, JPEG or WebP image")
    if category == "estimate_pdf" and kind != "application/pdf":
        raise UnsupportedMedia("An estimate_pdf must be a PDF")


def require_icon(kind: ContentType, content: bytes) -> None:
    """Raises TooLarge, UnsupportedMedia, or ValidationError if a side has too many pixels."""
    if len(content) > MAX_ICON_BYTES:
        raise TooLarge(MAX_ICON_BYTES)
    size: Size | None = _READERS[kind](content)
    if size is None or b"%PDF-" in content[:_PDF_HEADER_RANGE] or _contains_archive(content):
        raise UnsupportedMedia("The image is incomplete or damaged, or contains other data")
    if size.is_too_large:
        raise ValidationError(FieldError("/file", "too_large", f"Expected at most {images.MAX_SIDE} pixels a side"))


class PdfCheck(Struct):
    """Checks a PDF while it is streamed; holds only its tail in memory."""

    size: int = 0
    tail: bytes = b""

    def feed(self, piece: bytes) -> None:
        self.size += len(piece)
        self.tail = (self.tail + piece)[-_ARCHIVE_TAIL:]

    def require_complete(self) -> None:
        """Raises UnsupportedMedia unless the content ends with the trailer of a PDF."""
        end = _PDF_TRAILER.search(self.tail[-1024:])
        if end is None or not 0 < int(end[1]) < self.size or _contains_archive(self.tail):
            raise UnsupportedMedia("The PDF is incomplete, or contains other data")


def _contains_archive(content: bytes) -> bool:
    return _ARCHIVE_END in content[-_ARCHIVE_TAIL:]
