"""Bodies of multipart/form-data: a few short fields, and one file that passes through piece by piece.

Fields may come before the file or after it. However large the file is, no more of it than one message of the server
is held here.
"""

import hashlib
from collections import deque
from collections.abc import AsyncIterator, Callable
from typing import TypeVar

import msgspec
from python_multipart.exceptions import FormParserError
from python_multipart.multipart import MultipartParser, parse_options_header

from backbench.domain.values.errors import FieldError, UnsupportedMedia, ValidationError
from backbench.http.requests import Request
from backbench.http.validation import shape_of

T = TypeVar("T")

FILE = "file"
_MOST_FIELDS = 16
_LONGEST_FIELD = 1024
_LONGEST_BOUNDARY = 200
# What is still read of a body that is refused, so that a client that sends first and listens then hears why.
_DRAINED = 4 * 1024 * 1024


class Form:
    """Read from the front: `to_file`, then `pieces`, then `fields_as`."""

    def __init__(self, request: Request) -> None:
        """Raises UnsupportedMedia, and ValidationError where the type names no boundary."""
        self._arriving = request.pieces()
        # The library types its callbacks as a closed dictionary, which no dictionary made elsewhere is.
        self._parser = MultipartParser(_boundary(request), self._callbacks())  # type: ignore[arg-type]
        self._fields: dict[str, str] = {}
        self._duplicates: list[str] = []
        self._header = bytearray()
        self._value = bytearray()
        self._disposition = ""
        self._name = ""
        self._content = bytearray()
        self._in_file = False
        self._of_file: deque[bytes] = deque()
        self._has_ended = False
        # Only who may send it again has it told apart from another.
        self._hash = hashlib.sha256() if b"idempotency-key" in request.headers else None
        request.digest = self.digest
        self.has_file = False
        self.file_name = ""

    async def to_file(self) -> bool:
        """Reads until the file begins; False when the body has ended and there was none."""
        while not self.has_file and await self._more():
            pass
        return self.has_file

    async def pieces(self) -> AsyncIterator[bytes]:
        """The bytes of the file, as they arrive."""
        while True:
            while self._of_file:
                yield self._of_file.popleft()
            if not self._in_file or not await self._more():
                return

    async def fields_as(self, type_: type[T]) -> T:
        """The fields as their Struct, once all of the body is read. Raises ValidationError with every fault."""
        while await self._more():
            pass
        found = [FieldError(f"/{name}", "duplicate", "The field came more than once") for name in self._duplicates]
        found += shape_of(type_).field_errors(dict(self._fields), "")
        if not self.has_file:
            found.append(FieldError(f"/{FILE}", "missing", "Required"))
        if found:
            raise ValidationError(*found)
        return msgspec.convert(self._fields, type_)

    def digest(self) -> str:
        """What all of it comes to once it is read: the same for the same fields and file, whatever stood between."""
        content = b"" if self._hash is None else self._hash.digest()
        return hashlib.sha256(msgspec.json.encode([sorted(self._fields.items()), self.file_name, content])).hexdigest()

    async def digest_within(self, largest: int) -> str | None:
        """The digest of a form whose file has no more bytes; None as soon as it has. Nothing of it is kept."""
        size = 0
        if await self.to_file():
            async for piece in self.pieces():
                size += len(piece)
                if size > largest:
                    return None
        while await self._more():
            pass
        return self.digest()

    async def drain(self) -> None:
        """Reads on for a while without looking."""
        rest = _DRAINED
        async for piece in self._arriving:
            rest -= len(piece)
            if rest < 0:
                return

    async def _more(self) -> bool:
        """Takes the next part of the body apart; False when there is none. Raises ValidationError for a broken body."""
        piece = await anext(self._arriving, None)
        if piece is None:
            if not self._has_ended:
                raise _broken("The body breaks off")
            return False
        try:
            self._parser.write(piece)
        except FormParserError as error:
            raise _broken(str(error)) from None
        return True

    def _callbacks(self) -> dict[str, Callable[..., None]]:
        return {
            "on_part_begin": self._begin_part,
            "on_header_field": lambda piece, start, end: self._header.extend(piece[start:end]),
            "on_header_value": lambda piece, start, end: self._value.extend(piece[start:end]),
            "on_header_end": self._end_header,
            "on_headers_finished": self._begin_content,
            "on_part_data": self._see_content,
            "on_part_end": self._end_part,
            "on_end": self._end,
        }

    def _begin_part(self) -> None:
        self._disposition = ""
        if len(self._fields) + len(self._duplicates) >= _MOST_FIELDS:
            raise FormParserError("The body has too many parts")

    def _end_header(self) -> None:
        if self._header.lower() == b"content-disposition":
            self._disposition = self._value.decode("latin-1")
        self._header.clear()
        self._value.clear()

    def _begin_content(self) -> None:
        kind, options = parse_options_header(self._disposition)
        if kind != b"form-data" or b"name" not in options:
            raise FormParserError("A part does not say which field it is")
        self._name = _text(options[b"name"])
        self._content.clear()
        self._in_file = self._name == FILE and not self.has_file
        if self._in_file:
            self.has_file = True
            self.file_name = _text(options.get(b"filename", b""))

    def _see_content(self, piece: bytes, start: int, end: int) -> None:
        if self._in_file:
            self._of_file.append(piece[start:end])
            if self._hash is not None:
                self._hash.update(memoryview(piece)[start:end])
            return
        self._content += piece[start:end]
        if len(self._content) > _LONGEST_FIELD:
            raise FormParserError(f"A field is longer than {_LONGEST_FIELD} bytes")

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
    if not 1 <= len(boundary) <= _LONGEST_BOUNDARY:
        raise _broken("The content type names no boundary")
    return boundary


def _text(sent: bytes | bytearray) -> str:
    try:
        return sent.decode("utf-8")
    except UnicodeDecodeError:
        raise FormParserError("A name or a field is not UTF-8") from None


def _broken(detail: str) -> ValidationError:
    return ValidationError(FieldError("", "malformed", detail))
