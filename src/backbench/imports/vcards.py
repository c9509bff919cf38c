"""vCards (RFC 6350, 2426, and 2.1 as old phones write it): contacts as a table."""

import quopri
import re
from collections.abc import Iterator

from backbench.imports.tables import MAX_CELL_LENGTH, MAX_COLUMNS, MAX_ROWS, Row, Table, UnreadableFile

# The names of the fields of a customer, to which these columns are mapped. Other properties have columns of their own.
_REPEATED = {"TEL": "phone", "EMAIL": "email"}
_MOST_REPEATED = 5
_COLUMNS = (
    "name", "company", *(f"{name}{number or ''}" for name in ("phone", "email") for number in (0, 2, 3, 4, 5)),
    "address", "postalCode", "city", "region", "country", "siteAddress", "sitePostalCode", "siteCity", "notes",
)  # fmt: skip
_WITHOUT_TEXT = frozenset(
    ("VERSION", "PRODID", "UID", "REV", "PHOTO", "LOGO", "SOUND", "KEY", "SOURCE", "KIND", "CLIENTPIDMAP")
)
_ESCAPED = re.compile(r"\\(.)")
_COLON = re.compile(r'((?:[^:"]|"[^"]*")*):(.*)', re.DOTALL)
_PARAMETER = re.compile(r';((?:[^;"]|"[^"]*")*)')


class _Property:
    """A line of a vCard: its name, parameters in capitals, and the value as it is written."""

    def __init__(self, line: str) -> None:
        found = _COLON.fullmatch(line)
        head, self.value = (found[1], found[2]) if found else (line, "")
        self.name = head.partition(";")[0].rpartition(".")[2].strip().upper()
        parameters = [each.strip().upper() for each in _PARAMETER.findall(head)]
        if any("QUOTED-PRINTABLE" in each for each in parameters):
            charset = next(
                (each.removeprefix("CHARSET=") for each in parameters if each.startswith("CHARSET=")), "UTF-8"
            )
            content = quopri.decodestring(self.value.encode())
            try:
                self.value = content.decode(charset)
            except (UnicodeDecodeError, LookupError):
                self.value = content.decode("cp1250", errors="replace")

    @property
    def text(self) -> str:
        return _unescaped(self.value).strip()

    @property
    def parts(self) -> list[str]:
        """The components of a structured value, separated by semicolons."""
        return [_unescaped(part).strip() for part in re.split(r"(?<!\\);", self.value)]


def table_of(text: str) -> Table:
    """A row for each card. Raises UnreadableFile."""
    cards: list[dict[str, str]] = []
    for card in _cards(text):
        if len(cards) == MAX_ROWS:
            raise UnreadableFile("too_many_rows", f"A file can have at most {MAX_ROWS:,} cards")
        cards.append(_contact(card))
    if not cards:
        raise UnreadableFile("empty", "The file has no complete card")
    others = sorted({name for card in cards for name in card} - set(_COLUMNS))[: MAX_COLUMNS - len(_COLUMNS)]
    columns = [*(name for name in _COLUMNS if any(name in card for card in cards)), *others]
    rows = [
        Row(at, [card.get(name, "")[:MAX_CELL_LENGTH] for name in columns]) for at, card in enumerate(cards, start=1)
    ]
    return Table(columns, rows, "apple" if re.search(r"^PRODID:.*apple", text, re.IGNORECASE | re.MULTILINE) else None)


def _cards(text: str) -> Iterator[list[_Property]]:
    """The properties of each card that has an end."""
    card: list[_Property] | None = None
    for line in _whole_lines(text):
        mark = line.strip().upper()
        if mark == "BEGIN:VCARD":
            card = []
        elif mark == "END:VCARD" and card is not None:
            yield card
            card = None
        elif card is not None and line.strip():
            card.append(_Property(line))


def _whole_lines(text: str) -> list[str]:
    """Folded lines joined: those that begin with a space, and after a line of quoted-printable that ends with `=`."""
    whole: list[str] = []
    goes_on = False
    for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n"):
        if whole and goes_on:
            whole[-1] = whole[-1][:-1] + line.removeprefix(" ").removeprefix("\t")
        elif whole and line[:1] in (" ", "\t"):
            whole[-1] += line[1:]
        else:
            whole.append(line)
        goes_on = whole[-1].endswith("=") and "QUOTED-PRINTABLE" in whole[-1].partition(":")[0].upper()
    return whole


def _contact(card: list[_Property]) -> dict[str, str]:
    found: dict[str, str] = {}
    repeated: dict[str, list[str]] = {"phone": [], "email": []}
    for each in card:
        if field := _REPEATED.get(each.name):
            value = re.sub(r"^(tel|mailto):", "", each.text, flags=re.IGNORECASE)
            if value and value not in repeated[field]:
                repeated[field].append(value)
        elif each.name == "FN":
            found.setdefault("name", each.text)
        elif each.name == "N":
            found["of_parts"] = _full_name(each.parts)
        elif each.name == "ORG":
            found.setdefault("company", ", ".join(part for part in each.parts if part))
        elif each.name == "NOTE":
            found["notes"] = "\n".join(filter(None, (found.get("notes"), each.text)))
        elif each.name == "ADR" and "siteAddress" not in found:
            found |= _address(each.parts, is_second="address" in found)
        elif each.name not in _WITHOUT_TEXT and each.text.strip(";"):
            found.setdefault(each.name, each.text)
    for field, values in repeated.items():
        for at, value in enumerate(values):
            # More than a customer has are named among the notes.
            name = f"{field}{min(at + 1, _MOST_REPEATED)}".removesuffix("1")
            found[name] = f"{found[name]}; {value}" if name in found else value
    found["name"] = found.get("name") or found.get("of_parts", "")
    found.pop("of_parts", None)
    if found["name"] == found.get("company"):
        found["name"] = ""
    return found


def _full_name(parts: list[str]) -> str:
    """Family name, given name, additional names, prefix, suffix -> as it is spoken."""
    family, given, additional, prefix, suffix = (*parts, *[""] * 5)[:5]
    return " ".join(filter(None, (prefix, given, additional, family, suffix)))


def _address(parts: list[str], *, is_second: bool) -> dict[str, str]:
    """Box, extended, street, city, region, postal code, country."""
    box, extended, street, city, region, postal_code, country = (*parts, *[""] * 7)[:7]
    lines = "\n".join(filter(None, (street, extended, box)))
    if is_second:
        rest = "\n".join(filter(None, (lines, region, country)))
        return {"siteAddress": rest, "sitePostalCode": postal_code, "siteCity": city} if any(parts) else {}
    return {"address": lines, "postalCode": postal_code, "city": city, "region": region, "country": country}


def _unescaped(value: str) -> str:
    return _ESCAPED.sub(lambda match: "\n" if match[1] in "nN" else match[1], value)
