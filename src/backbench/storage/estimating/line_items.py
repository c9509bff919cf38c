"""Line items as they are stored, a JSON text: adds, changes and removes one without decoding the others.

Decoding and encoding the 30 lines of an estimate takes ten times as long as finding one of them.
"""

from collections.abc import Collection, Mapping
from decimal import Decimal

import msgspec
from msgspec import Raw, Struct

from backbench.domain.estimating.estimates import LineItem
from backbench.domain.values import numbers
from backbench.domain.values.numbers import to_json

# Of each label and unit the unit price as JSON: that of the last line item.
Uses = Mapping[tuple[str, str], str]


class _Id(Struct, frozen=True):
    id: str


class _Use(Struct, frozen=True, rename="camel"):
    """The members by which a line item is counted."""

    label: str
    unit: str
    unit_price: Raw


_read_ids = msgspec.json.Decoder(list[_Id]).decode
_read_uses = msgspec.json.Decoder(list[_Use]).decode
_read_line_item = msgspec.json.Decoder(LineItem, dec_hook=numbers.read, float_hook=Decimal).decode
_read_line_items = msgspec.json.Decoder(list[LineItem], dec_hook=numbers.read, float_hook=Decimal).decode
# A line item begins with its id. Neither of these can be within a text, where quotation marks are escaped, nor across
# the end of one, which is not followed by a letter.
_START = b'{"id":"'
_NEXT = b"},%s" % _START


class LineItems:
    """A list of line items as JSON. It is not changed: each change returns another list."""

    def __init__(self, json: bytes) -> None:
        """`json` as `to_json` writes it."""
        self.json = json

    @classmethod
    def stored(cls, json: bytes, count: int) -> "LineItems":
        """The `count` line items of a column. JSON that has spaces, or members in another order, is written anew."""
        is_ours = json.startswith(b"[" + _START) and json.count(_NEXT) == count - 1
        return cls(json if is_ours or json == b"[]" else to_json(_read_line_items(json)))

    def __len__(self) -> int:
        return len(_read_ids(self.json))

    def __contains__(self, line_id: str) -> bool:
        return self._span(line_id) is not None

    def lookup(self, line_id: str) -> LineItem | None:
        span = self._span(line_id)
        return None if span is None else _read_line_item(self.json[slice(*span)])

    def all(self) -> list[LineItem]:
        return _read_line_items(self.json)

    def added(self, line: LineItem) -> "LineItems":
        """With the line at the end."""
        return LineItems(self.json[:-1] + (b"," if len(self.json) > 2 else b"") + to_json(line) + b"]")

    def replaced(self, line: LineItem) -> "LineItems":
        """With the line in place of the one with its id."""
        start, end = self._required(line.id)
        return LineItems(self.json[:start] + to_json(line) + self.json[end:])

    def removed(self, line_id: str) -> "LineItems":
        start, end = self._required(line_id)
        # With the comma after it, or that before the last one.
        if self.json[end : end + 1] == b",":
            end += 1
        elif start > 1:
            start -= 1
        return LineItems(self.json[:start] + self.json[end:])

    def uses(self, labels: Collection[str] | None = None) -> Uses:
        """Those with these labels; without `labels` all."""
        return {
            (use.label, use.unit): bytes(use.unit_price).decode()
            for use in _read_uses(self.json)
            if labels is None or use.label in labels
        }

    def _span(self, line_id: str) -> tuple[int, int] | None:
        """Where the JSON of the line item starts and ends; None if there is none with the id."""
        start = self.json.find(_START + to_json(line_id)[1:] + b",")
        if start < 0:
            return None
        following = self.json.find(_NEXT, start)
        return start, len(self.json) - 1 if following < 0 else following + 1

    def _required(self, line_id: str) -> tuple[int, int]:
        span = self._span(line_id)
        assert span is not None
        return span
