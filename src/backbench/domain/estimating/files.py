"""Files: icons of grid buttons, and uploaded and generated PDFs."""

from typing import Literal

from msgspec import UNSET, Struct, UnsetType

from backbench.domain.estimating.estimates import Identifier
from backbench.domain.values.errors import Conflict, FieldError
from backbench.domain.values.times import Instant

FileCategory = Literal["grid_tile_icon", "estimate_pdf"]
FileScope = Literal["estimate", "workshop"]
ContentType = Literal["image/png", "image/jpeg", "image/webp", "application/pdf"]

MAX_ICON_BYTES = 524_288
MAX_NAME_LENGTH = 250
EXTENSIONS: dict[ContentType, tuple[str, ...]] = {
    "image/png": (".png",),
    "image/jpeg": (".jpg", ".jpeg"),
    "image/webp": (".webp",),
    "application/pdf": (".pdf",),
}
# Control and format characters (which may reverse text), and characters that file systems do not allow.
_UNSAFE = r'[\p{C}\p{Zl}\p{Zp}<>:"/\\|?*]'


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


class StorageQuota(Struct, frozen=True):
    """The storage limit of a workshop's plan and the bytes in use."""

    limit: int
    used: int

    def require(self, size: int) -> None:
        """Raises Conflict `plan_limit` unless another `size` bytes fit."""
        if self.used + size > self.limit:
            raise Conflict(
                "plan_limit", "The file exceeds the storage limit of your plan", limit=self.limit, current=self.used
            )


def document_name(kind: str, number: str, name: str, end: str) -> str | UnsetType:
    """The name of the file of a document, such as `Wycena 12-2026 Stół dębowy v2.pdf` with the end ` v2.pdf`."""
    # A slash in a name would be taken for a folder.
    numbered = f"{kind} {number}".rstrip().replace("/", "-")
    return safe_name(f"{numbered} {name.replace('/', '-')}"[: 240 - len(end)] + end)


def safe_name(file_name: str) -> str | UnsetType:
    """The name of an uploaded file without folders and without unsafe characters; UNSET if nothing is left."""
    # At first use: the library takes a thirtieth of a start.
    import regex

    last = file_name.replace("\\", "/").rpartition("/")[2]
    name = regex.sub(_UNSAFE, "", last).strip(" .")[:MAX_NAME_LENGTH]
    return name or UNSET
