"""multipart/form-data bodies: a few short fields and one file, which is streamed.

Fields may come before or after the file. At most 64 KiB and one ASGI message of the file are in memory at a time.
"""

import hashlib
from collections.abc import AsyncIterator, Callable
from typing import TypeVar

import msgspec
from python_multipart.exceptions import FormParserError
from python_multipart.multipart import MultipartParser, parse_options_header

from backbench.http.bodies import typed
from backbench.http.checks import shape_of
from backbench.http.requests import Request
from backbench.values.errors import FieldError, UnsupportedMedia, ValidationError

T = TypeVar("T")

FILE = "file"
_MAX_FIELDS = 16
_MAX_FIELD_SIZE = 1024
_MAX_BOUNDARY_LENGTH = 200
_PIECE_BYTES = 64 * 1024


class Form:
    """Read in this order: `to_file`, `pieces`, `fields_as`."""

    def __init__(self, request: Request) -> None:
        """Raises UnsupportedMedia, and ValidationError where the Content-Type has no boundary."""
        self._incoming = request.pieces()
        # The library types its callbacks as a TypedDict; this dictionary is built elsewhere.
        self._parser = MultipartParser(_boundary(request), self._callbacks())  # type: ignore[arg-type]
        self._fields: dict[str, str] = {}
        self._duplicates: list[str] = []
        self._header = bytearray()
        self._value = bytearray()
        self._disposition = ""
        self._name = ""
        self._content = bytearray()
        self._in_file = False
        self._file_pieces: list[bytes] = []
        self._waiting_bytes = 0
        self._has_ended = False
        # Hashed only where a repeated request has to be compared with this one.
        self._hash = hashlib.sha256() if b"idempotency-key" in request.headers else None
        request.digest = self.digest
        self.has_file = False
        self.file_name = ""

    async def to_file(self) -> bool:
        """Reads until the file begins; False where the body has none."""
        while not self.has_file and await self._more():
            pass
        return self.has_file

    async def pieces(self) -> AsyncIterator[bytes]:
        """The content of the file, in pieces of at least 64 KiB, except the last.

        Each piece is checked and written to disk, so a client that sends single bytes must not cause one for each.
        """
        while True:
            while self._in_file and self._waiting_bytes < _PIECE_BYTES:
                await self._more()
            if not self._waiting_bytes:
                return
            piece = b"".join(self._file_pieces)
            self._file_pieces.clear()
            self._waiting_bytes = 0
            yield piece

    async def fields_as(self, type_: type[T]) -> T:
        """The fields as their Struct, after reading the rest of the body. Raises ValidationError with every error."""
        while await self._more():
            pass
        shape = shape_of(type_)
        values = {
            name: typed(shape, name, text) if name in shape.names else text for name, text in self._fields.items()
        }
        found = [FieldError(f"/{name}", "duplicate", "Duplicate field") for name in self._duplicates]
        found += shape.field_errors(dict(values), "")
        if not self.has_file:
            found.append(FieldError(f"/{FILE}", "missing", "Required"))
        if found:
            raise ValidationError(*found)
        return msgspec.convert(values, type_)

    def digest(self) -> str:
        """The fingerprint of the whole form once it is read: of its fields and its file, for any boundary."""
        content = b"" if self._hash is None else self._hash.digest()
        return hashlib.sha256(msgspec.json.encode([sorted(self._fields.items()), self.file_name, content])).hexdigest()

    async def digest_within(self, limit: int) -> str | None:
        """The fingerprint of a form whose file has at most `limit` bytes, else None. Nothing is stored."""
        size = 0
        if await self.to_file():
            async for piece in self.pieces():
                size += len(piece)
                if size > limit:
                    return None
        while await self._more():
            pass
        return self.digest()

    async def _more(self) -> bool:
        """Parses the next piece of the body; False at its end. Raises ValidationError for a malformed body."""
        piece = await anext(self._incoming, None)
        if piece is None:
            if not self._has_ended:
                raise _malformed("The body is incomplete")
            return False
        try:
            self._parser.write(piece)
        except FormParserError as error:
            raise _malformed(str(error)) from None
        return True

    def _callbacks(self) -> dict[str, Callable[..., None]]:
        return {
            "on_part_begin": self._begin_part,
            "on_header_field": lambda piece, start, end: self._header.extend(piece[start:end]),
            "on_header_value": lambda piece, start, end: self._value.extend(piece[start:end]),
            "on_header_end": self._end_header,
            "on_headers_finished": self._begin_content,
            "on_part_data": self._add_content,
            "on_part_end": self._end_part,
            "on_end": self._end,
        }

    def _begin_part(self) -> None:
        self._disposition = ""
        if len(self._fields) + len(self._duplicates) >= _MAX_FIELDS:
            raise FormParserError("The body has too many parts")

    def _end_header(self) -> None:
        if self._header.lower() == b"content-disposition":
            self._disposition = self._value.decode("latin-1")
        self._header.clear()
        self._value.clear()

    def _begin_content(self) -> None:
        kind, options = parse_options_header(self._disposition)
        if kind != b"form-data" or b"name" not in options:
            raise FormParserError("A part has no field name")
        self._name = _text(options[b"name"])
        self._content.clear()
        self._in_file = self._name == FILE and not self.has_file
        if self._in_file:
            self.has_file = True
            self.file_name = _text(options.get(b"filename", b""))

    def _add_content(self, piece: bytes, start: int, end: int) -> None:
        if self._in_file:
            self._file_pieces.append(piece[start:end])
            self._waiting_bytes += end - start
            if self._hash is not None:
                self._hash.update(memoryview(piece)[start:end])
            return
        self._content += piece[start:end]
        if len(self._content) > _MAX_FIELD_SIZE:
            raise FormParserError(f"A field is longer than {_MAX_FIELD_SIZE} bytes")

    def _end_part(self) -> None:
        if self._in_file:
            self._in_file = False
        elif self._name in self._fields or self._name == FILE:
            self._duplicates.append(self._name)
        else:
            self._fields[self._name] = _text(self._content)

    def _end(self) -> None:
        self._has_ended = True


def _boundary(request: Request) -> bytes:
    if b"content-encoding" in request.headers:
        raise UnsupportedMedia("Send the body without Content-Encoding")
    kind, options = parse_options_header(request.header(b"content-type"))
    if kind != b"multipart/form-data":
        raise UnsupportedMedia("Send the body as multipart/form-data")
    boundary = options.get(b"boundary", b"")
    if not 1 <= len(boundary) <= _MAX_BOUNDARY_LENGTH:
        raise _malformed("The Content-Type has no boundary")
    return boundary


def _text(sent: bytes | bytearray) -> str:
    try:
        return sent.decode("utf-8")
    except UnicodeDecodeError:
        raise FormParserError("A field or its name is not UTF-8") from None


def _malformed(detail: str) -> ValidationError:
    return ValidationError(FieldError("", "malformed", detail))
