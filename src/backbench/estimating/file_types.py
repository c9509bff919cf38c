"""File types: what a file is by its content, and which files a workshop may have."""

import re
from typing import Literal

from msgspec import UNSET, Struct, UnsetType

from backbench.estimating import images
from backbench.estimating.images import Size
from backbench.values.errors import FieldError, TooLarge, UnsupportedMedia, ValidationError
from backbench.values.ids import Identifier
from backbench.values.times import Instant

FileCategory = Literal["grid_tile_icon", "estimate_pdf"]
FileScope = Literal["estimate", "workshop"]
ContentType = Literal["image/png", "image/jpeg", "image/webp", "application/pdf"]
MAX_ICON_BYTES = 524_288
EXTENSIONS: dict[ContentType, tuple[str, ...]] = {
    "image/png": (".png",),
    "image/jpeg": (".jpg", ".jpeg"),
    "image/webp": (".webp",),
    "application/pdf": (".pdf",),
}


class FileRecord(Struct, frozen=True, rename="camel"):
    id: str
    scope: FileScope
    scope_id: str
    category: FileCategory
    content_type: str
    size_bytes: int
    uploaded_by_uid: str
    created_at: Instant
    name: str | UnsetType = UNSET
    estimate_id: str | UnsetType = UNSET


class FilesList(Struct, frozen=True):
    files: list[FileRecord]


class StoredFile(Struct, frozen=True):
    """The stored record. `estimate_id` is set for files that belong to an estimate."""

    id: str
    workshop_id: str
    category: FileCategory
    content_type: ContentType
    size_bytes: int
    uploaded_by_uid: str
    created_at: Instant
    name: str | UnsetType = UNSET
    estimate_id: str | UnsetType = UNSET

    @property
    def scope(self) -> FileScope:
        return "workshop" if self.estimate_id is UNSET else "estimate"

    @property
    def scope_id(self) -> str:
        return self.workshop_id if self.estimate_id is UNSET else self.estimate_id

    @property
    def download_name(self) -> str:
        """The name with the extension of the detected type, so that a saved file opens as the type that was checked."""
        name = "file" if self.name is UNSET else self.name
        extensions = EXTENSIONS[self.content_type]
        return name if name.lower().endswith(extensions) else name + extensions[0]


class NewFile(Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """The form fields of an upload. The file belongs to the workshop, or to the estimate and its workshop."""

    category: FileCategory
    workshop_id: Identifier | UnsetType = UNSET
    estimate_id: Identifier | UnsetType = UNSET

    def field_errors(self) -> list[FieldError]:
        if self.workshop_id is UNSET and self.estimate_id is UNSET:
            return [FieldError("/workshopId", "missing", "Expected workshopId or estimateId")]
        if self.workshop_id is not UNSET and self.estimate_id is not UNSET:
            return [FieldError("/estimateId", "one_of", "Expected workshopId or estimateId, not both")]
        return []


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
