"""Files: icons for the tiles of a grid, and the PDFs that a workshop keeps or hands out."""

from typing import Literal

import regex
from msgspec import UNSET, Struct, UnsetType

from backbench.domain.estimating.estimates import Identifier
from backbench.domain.values.errors import Conflict, FieldError
from backbench.domain.values.times import Instant

FileCategory = Literal["grid_tile_icon", "estimate_pdf"]
FileScope = Literal["estimate", "workshop"]
ContentType = Literal["image/png", "image/jpeg", "image/webp", "application/pdf"]

LARGEST_ICON = 524_288
LONGEST_NAME = 250
ENDINGS: dict[ContentType, tuple[str, ...]] = {
    "image/png": (".png",),
    "image/jpeg": (".jpg", ".jpeg"),
    "image/webp": (".webp",),
    "application/pdf": (".pdf",),
}
# Control, format (they turn text around) and what no system allows in a name.
_UNSAFE = regex.compile(r'[\p{C}\p{Zl}\p{Zp}<>:"/\\|?*]')


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
    """The record as it stands in the database. `estimate_id` is set for what was made of an estimate."""

    id: str
    workshop_id: str
    category: FileCategory
    content_type: ContentType
    size_bytes: int
    uploaded_by_uid: str
    created_at: Instant
    name: str | UnsetType = UNSET
    estimate_id: str | UnsetType = UNSET

    def to_response(self) -> FileRecord:
        return FileRecord(
            id=self.id,
            scope="workshop" if self.estimate_id is UNSET else "estimate",
            scope_id=self.workshop_id if self.estimate_id is UNSET else self.estimate_id,
            category=self.category,
            content_type=self.content_type,
            size_bytes=self.size_bytes,
            uploaded_by_uid=self.uploaded_by_uid,
            created_at=self.created_at,
            name=self.name,
            estimate_id=self.estimate_id,
        )

    @property
    def download_name(self) -> str:
        """With the ending of what it is, whatever it was called: a saved file opens as what was checked."""
        name = "file" if self.name is UNSET else self.name
        endings = ENDINGS[self.content_type]
        return name if name.lower().endswith(endings) else name + endings[0]


class NewFile(Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """The fields beside the bytes. The file goes to the workshop, or to the workshop of the estimate."""

    category: FileCategory
    workshop_id: Identifier | UnsetType = UNSET
    estimate_id: Identifier | UnsetType = UNSET

    def field_errors(self) -> list[FieldError]:
        if self.workshop_id is UNSET and self.estimate_id is UNSET:
            return [FieldError("/workshopId", "missing", "Expected workshopId or estimateId")]
        if self.workshop_id is not UNSET and self.estimate_id is not UNSET:
            return [FieldError("/estimateId", "one_of", "Expected workshopId or estimateId, not both")]
        return []


class StorageQuota(Struct, frozen=True):
    """What the plan gives a workshop for its files, and what of it is taken, in bytes."""

    limit: int
    taken: int

    def require(self, size: int) -> None:
        """Raises Conflict `plan_limit` unless `size` bytes more fit in."""
        if self.taken + size > self.limit:
            raise Conflict("plan_limit", "The plan has no room for it", limit=self.limit, current=self.taken)


def tidy_name(sent: str) -> str | UnsetType:
    """The name a file was sent with, without folders and without what no system allows in a name."""
    last = sent.replace("\\", "/").rpartition("/")[2]
    name = _UNSAFE.sub("", last).strip(" .")[:LONGEST_NAME]
    return name or UNSET
