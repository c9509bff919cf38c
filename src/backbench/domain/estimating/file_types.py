"""What an uploaded file is, told by its bytes alone: its name and its declared type are the sender's opinion.

A file has to be one thing only. It ends where its format ends, and no other program may find an archive in it.
"""

import re

from msgspec import Struct

from backbench.domain.estimating import images
from backbench.domain.estimating.files import LARGEST_ICON, ContentType, FileCategory
from backbench.domain.estimating.images import Size
from backbench.domain.values.errors import FieldError, TooLarge, UnsupportedMedia, ValidationError

# How much of the beginning tells the kind.
BEGINNING = 16
_READERS = {"image/png": images.png_size, "image/jpeg": images.jpeg_size, "image/webp": images.webp_size}
# Programs that unpack look for this backwards from the end: as far as an archive's comment may be long.
_ARCHIVE_END = b"PK\x05\x06\x00\x00\x00\x00"
_ARCHIVE_TAIL = 65_557
_PDF_BEGINNING = re.compile(rb"%PDF-[12]\.[0-9]")
_PDF_END = re.compile(rb"startxref[ \t\r\n]+([0-9]{1,12})[ \t]*[\r\n]+%%EOF[\r\n]{0,2}\Z")
# A PDF reader takes a document that begins anywhere in here.
_PDF_LATEST_BEGINNING = 1024


def kind_of(beginning: bytes) -> ContentType:
    """The type that the first bytes promise. Raises UnsupportedMedia."""
    if beginning.startswith(images.PNG_BEGINNING):
        return "image/png"
    if beginning.startswith(images.JPEG_BEGINNING):
        return "image/jpeg"
    if beginning[:4] == b"RIFF" and beginning[8:12] == b"WEBP":
        return "image/webp"
    if _PDF_BEGINNING.match(beginning):
        return "application/pdf"
    raise UnsupportedMedia("Neither PNG, JPEG or WebP nor PDF, by its content")


def require_category(category: FileCategory, kind: ContentType) -> None:
    """Raises UnsupportedMedia where the category takes other types."""
    if category == "grid_tile_icon" and kind == "application/pdf":
        raise UnsupportedMedia("An icon is a PNG, a JPEG or a WebP image")
    if category == "estimate_pdf" and kind != "application/pdf":
        raise UnsupportedMedia("An estimate's PDF is a PDF")


def require_icon(kind: ContentType, content: bytes) -> None:
    """Raises TooLarge, UnsupportedMedia, or ValidationError for more pixels than a tile takes."""
    if len(content) > LARGEST_ICON:
        raise TooLarge(LARGEST_ICON)
    size: Size | None = _READERS[kind](content)
    if size is None or b"%PDF-" in content[:_PDF_LATEST_BEGINNING] or _holds_archive(content):
        raise UnsupportedMedia("Not one whole image, or more than an image")
    if size.is_too_large:
        raise ValidationError(FieldError("/file", "too_large", f"Expected at most {images.LARGEST_SIDE} pixels a side"))


class PdfCheck(Struct):
    """Looks at a PDF as it passes by; keeps its tail only."""

    size: int = 0
    tail: bytes = b""

    def see(self, piece: bytes) -> None:
        self.size += len(piece)
        self.tail = (self.tail + piece)[-_ARCHIVE_TAIL:]

    def require_complete(self) -> None:
        """Raises UnsupportedMedia unless the PDF ends here, as a PDF ends."""
        end = _PDF_END.search(self.tail[-1024:])
        if end is None or not 0 < int(end[1]) < self.size or _holds_archive(self.tail):
            raise UnsupportedMedia("Not one whole PDF, or more than a PDF")


def _holds_archive(content: bytes) -> bool:
    return _ARCHIVE_END in content[-_ARCHIVE_TAIL:]
