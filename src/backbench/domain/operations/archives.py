"""Data archive: what is in the ZIP file of an account, and the names of its entries."""

import re
from unicodedata import normalize

from msgspec import Struct

from backbench.domain.estimating.files import FileRecord
from backbench.domain.orders.photos import Photo
from backbench.domain.values.times import Instant

# The version of the layout described in docs/api/export.md.
FORMAT = 1
# As file systems count: most allow 255 bytes, of which the number behind a repeated name takes some.
_MAX_NAME = 100
_MAX_BYTES = 240
# Control and format characters, which may reverse text, and characters that some file system does not allow.
_UNSAFE = r'[\p{C}\p{Zl}\p{Zp}<>:"/\\|?*]'
# Names of devices on Windows, with any extension.
_RESERVED = re.compile(r"(?i)(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?")


class ArchiveEntry(Struct, frozen=True):
    """An entry of the archive: its size and SHA-256 before compression."""

    path: str
    bytes: int
    sha256: str


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
