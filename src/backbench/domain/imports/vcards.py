"""vCards (RFC 6350, 2426, and 2.1 as old phones write it): contacts as rows of a table with fixed columns."""

import quopri
import re
from collections.abc import Iterator

from backbench.domain.imports.tables import MAX_CELL_LENGTH, MAX_ROWS, Row, Table, UnreadableFile

# The names of the fields of a customer, to which these columns are mapped.
COLUMNS = (
    "name", "company", "phone", "phone2", "phone3", "email", "email2", "email3", "address", "postalCode", "city",
    "notes",
)  # fmt: skip
_REPEATED = {"TEL": ("phone", "phone2", "phone3"), "EMAIL": ("email", "email2", "email3")}
_FOLD = re.compile(r"\n[ \t]")
_ESCAPED = re.compile(r"\\(.)")
_COLON = re.compile(r'((?:[^:"]|"[^"]*")*):(.*)', re.DOTALL)
_PARAMETER = re.compile(r';((?:[^;"]|"[^"]*")*)')


class _Property:
    """A line of a vCard: its name, parameters in capitals, and the value as it is written."""

    def __init__(self, line: str) -> None:
        found = _COLON.fullmatch(line)
        head, self.value = (found[1], found[2]) if found else (line, "")
        self.name = head.partition(";")[0].rpartition(".")[2].strip().upper()
        self.parameters = {each.strip().upper() for each in _PARAMETER.findall(head)}
        if any("QUOTED-PRINTABLE" in each for each in self.parameters):
            self.value = quopri.decodestring(self.value.encode()).decode("utf-8", errors="replace")

    @property
    def text(self) -> str:
        return _unescaped(self.value).strip()

    @property
    def parts(self) -> list[str]:
        """The components of a structured value, separated by semicolons."""
        return [_unescaped(part).strip() for part in re.split(r"(?<!\\);", self.value)]


def table_of(text: str) -> Table:
    """A row for each card. Raises UnreadableFile."""
    rows = []
    for number, card in enumerate(_cards(text), start=1):
        if number > MAX_ROWS:
            raise UnreadableFile("too_many_rows", f"A file can have at most {MAX_ROWS:,} cards")
        found = _values(card)
        rows.append(Row(number, [found.get(name, "")[:MAX_CELL_LENGTH] for name in COLUMNS]))
    if not rows:
        raise UnreadableFile("empty", "The file has no complete card")
    return Table(list(COLUMNS), rows)


def _cards(text: str) -> Iterator[list[_Property]]:
    """The properties of each card that has an end."""
    card: list[_Property] | None = None
    for line in _lines(text):
        mark = line.strip().upper()
        if mark == "BEGIN:VCARD":
            card = []
        elif mark == "END:VCARD" and card is not None:
            yield card
            card = None
        elif card is not None and line.strip():
            card.append(_Property(line))


def _lines(text: str) -> list[str]:
    """Whole lines: folded ones joined, and those of quoted-printable texts."""
    joined = _FOLD.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))
    lines = joined.split("\n")
    if "QUOTED-PRINTABLE" not in joined.upper():
        return lines
    whole: list[str] = []
    for line in lines:
        if whole and whole[-1].endswith("=") and "QUOTED-PRINTABLE" in whole[-1].upper():
            whole[-1] = whole[-1][:-1] + line
        else:
            whole.append(line)
    return whole


def _values(card: list[_Property]) -> dict[str, str]:
    found: dict[str, str] = {}
    for each in card:
        if each.name in _REPEATED:
            free = next((name for name in _REPEATED[each.name] if name not in found), None)
            value = re.sub(r"^(tel|mailto):", "", each.text, flags=re.IGNORECASE)
            if free is not None and value and value not in found.values():
                found[free] = value
        elif each.name == "FN":
            found.setdefault("name", each.text)
        elif each.name == "N":
            found.setdefault("of_parts", _full_name(each.parts))
        elif each.name == "ORG":
            found.setdefault("company", ", ".join(part for part in each.parts if part))
        elif each.name == "NOTE":
            found["notes"] = "\n".join(filter(None, (found.get("notes"), each.text)))
        elif each.name == "ADR" and "address" not in found:
            found |= _address(each.parts)
    found["name"] = found.get("name") or found.get("of_parts", "")
    if found["name"] == found.get("company"):
        found["name"] = ""
    return found


def _full_name(parts: list[str]) -> str:
    """Family name, given name, additional names, prefix, suffix -> as it is spoken."""
    family, given, additional, prefix, suffix = (*parts, *[""] * 5)[:5]
    return " ".join(filter(None, (prefix, given, additional, family, suffix)))


def _address(parts: list[str]) -> dict[str, str]:
    """Box, extended, street, city, region, postal code, country."""
    box, extended, street, city, region, postal_code, _country = (*parts, *[""] * 7)[:7]
    lines = "\n".join(filter(None, (street, extended, box, region)))
    return {"address": lines, "postalCode": postal_code, "city": city}


def _unescaped(value: str) -> str:
    return _ESCAPED.sub(lambda match: "\n" if match[1] in "nN" else match[1], value)
