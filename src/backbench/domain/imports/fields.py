"""Fields: what columns can be mapped to, by kind of import, and the headings under which files have them."""

from collections.abc import Callable, Iterable
from hashlib import sha256
from typing import Literal

from msgspec import Struct

from backbench.domain.imports.tables import folded

ImportKind = Literal["tiles", "customers", "orders"]
Mapping = dict[str, int | None]

# The words of each field as headings, separated by bars: in English, then in Polish. The order of the fields is that of
# the mapping, and of who takes a column first.
_HEADINGS: dict[ImportKind, dict[str, str]] = {
    "tiles": {
        "label": "label|name|item|product|service|description|title|nazwa|pozycja|towar|usługa|produkt|opis|asortyment",
        "unitPrice": "unit price|price|net price|price net|rate|cost|amount|cena|cena netto|cena jednostkowa"
        "|cena jednostkowa netto|cena jedn|stawka|kwota|wartość|netto",
        "unit": "unit|uom|unit of measure|measure|jednostka|jm|j m|jedn|jednostka miary|miara",
        "emoji": "emoji|icon|symbol|ikona",
    },
    "customers": {
        "name": "name|full name|customer|customer name|client|client name|contact|contact name|display name|fn"
        "|nazwa|klient|nazwa klienta|imię i nazwisko|nazwisko i imię|kontrahent|nazwa kontrahenta|odbiorca",
        "firstName": "first name|given name|forename|imię|imie",
        "lastName": "last name|surname|family name|nazwisko",
        "company": "company|company name|organization|organisation|organization name|firma|nazwa firmy|organizacja|org",
        "phone": "phone|phone number|telephone|mobile|mobile phone|tel|cell|phone 1 value|primary phone|telefon"
        "|nr telefonu|numer telefonu|komórka|tel kom|telefon komórkowy|telefon 1|kom",
        "phone2": "phone 2|second phone|other phone|home phone|work phone|business phone|phone 2 value|telefon 2"
        "|telefon dodatkowy|telefon stacjonarny|drugi telefon|telefon domowy|telefon służbowy",
        "phone3": "phone 3|phone 3 value|telefon 3",
        "email": "email|e mail|email address|e mail address|mail|e mail 1 value|email 1|adres email|adres e mail"
        "|poczta|poczta elektroniczna",
        "email2": "email 2|e mail 2|e mail 2 value|e mail 2 address|drugi email|email dodatkowy|adres e mail 2",
        "email3": "email 3|e mail 3|e mail 3 value|adres e mail 3",
        "address": "address|street|street address|home street|address 1 street|billing address|adres|ulica"
        "|ulica i numer|adres zamieszkania|adres siedziby|adres klienta",
        "postalCode": "postal code|postcode|zip|zip code|home postal code|address 1 postal code|kod|kod pocztowy",
        "city": "city|town|home city|address 1 city|miasto|miejscowość|miejscowosc",
        "siteAddress": "site address|place of work|delivery address|adres realizacji|adres montażu|adres budowy"
        "|adres dostawy",
        "taxId": "tax id|vat|vat id|vat number|vat no|tax number|nip|nip klienta|numer nip",
        "notes": "notes|note|comment|comments|remarks|notatki|uwagi|notatka|komentarz|opis",
        "kind": "kind|type|customer type|rodzaj|typ|typ klienta",
        "locale": "language|locale|język|jezyk",
    },
    "orders": {
        "title": "title|order title|name|subject|job|description of work|work|task|tytuł|tytuł zlecenia|nazwa|zlecenie"
        "|zadanie|temat|praca|usługa|co",
        "customerName": "customer|customer name|client|client name|klient|nazwa klienta|zleceniodawca|imię i nazwisko"
        "|odbiorca|kontrahent|kto",
        "phone": "phone|phone number|customer phone|mobile|telephone|tel|telefon|nr telefonu|numer telefonu"
        "|telefon klienta",
        "email": "email|e mail|email address|customer email|mail|adres email|adres e mail|email klienta",
        "status": "status|state|stage|etap|stan",
        "dueOn": "due|due on|due date|deadline|promised|termin|termin realizacji|data odbioru|do kiedy|na kiedy",
        "dueTime": "due time|time|godzina|godz|godzina odbioru",
        "item": "item|object|product|thing|device|przedmiot|rzecz|sprzęt|urządzenie|produkt",
        "serial": "serial|serial number|serial no|frame number|numer seryjny|nr seryjny|numer ramy",
        "pieces": "pieces|quantity|qty|count|sztuk|ilość|liczba sztuk|szt",
        "place": "place|shelf|location|miejsce|półka|regał|gdzie",
        "priceLimit": "price limit|limit|not more than|budget|limit ceny|do kwoty|budżet|limit kwoty",
        "notes": "notes|note|comment|comments|remarks|description|details|notatki|uwagi|notatka|komentarz|opis",
        "createdAt": "created|created at|created on|date|order date|received|received on|data|data przyjęcia"
        "|data zlecenia|utworzono|przyjęto|data utworzenia",
    },
}  # fmt: skip
# A field's own name comes first.
_FOLDED: dict[ImportKind, dict[str, list[str]]] = {
    kind: {field: [folded(word) for word in (field, *words.split("|"))] for field, words in fields.items()}
    for kind, fields in _HEADINGS.items()
}
# One of these is needed. Any of several makes a name.
REQUIRED: dict[ImportKind, tuple[str, ...]] = {
    "tiles": ("label",),
    "customers": ("name", "firstName", "lastName", "company"),
    "orders": ("title",),
}
_SHORTEST_PART = 4


def fields_of(kind: ImportKind) -> list[str]:
    return list(_HEADINGS[kind])


def known_headings(kind: ImportKind) -> frozenset[str]:
    """Every heading of the kind, folded."""
    return frozenset().union(*_FOLDED[kind].values())


def proposed(kind: ImportKind, columns: list[str], samples: list[list[str]]) -> Mapping:
    """A column for each field, each once: by its heading, then by a part of it, then by what the first cells look like.

    `samples`: the cells of some rows.
    """
    headings = [folded(column) for column in columns]
    mapping: Mapping = dict.fromkeys(_HEADINGS[kind])

    def take(field: str, places: Iterable[int]) -> None:
        if mapping[field] is None:
            used = set(mapping.values())
            mapping[field] = next((at for at in places if at not in used), None)

    for field, words in _FOLDED[kind].items():
        take(field, [at for word in words for at, heading in enumerate(headings) if heading == word])
    for field, words in _FOLDED[kind].items():
        parts = tuple(word for word in words if len(word) >= _SHORTEST_PART)
        take(field, [at for at, heading in enumerate(headings) if heading.startswith(parts)])
    for field, looks in _LOOKS.items():
        if field in mapping and (field != REQUIRED[kind][0] or not has_required(kind, mapping)):
            take(field, [at for at in range(len(columns)) if _most(looks, [row[at] for row in samples if row[at]])])
    return mapping


def has_required(kind: ImportKind, mapping: Mapping) -> bool:
    return any(mapping.get(field) is not None for field in REQUIRED[kind])


class RememberedMapping(Struct, frozen=True):
    """The mapping of a file that was imported: `headings`, folded, by field; `signature` of all of its headings."""

    signature: str
    headings: dict[str, str]

    def mapping_of(self, kind: ImportKind, columns: list[str]) -> Mapping:
        """The mapping in which each field has the column of its heading."""
        places = {folded(column): at for at, column in reversed(list(enumerate(columns)))}
        return {field: places.get(self.headings.get(field, "")) for field in _HEADINGS[kind]}


def remembered(columns: list[str], mapping: Mapping) -> RememberedMapping:
    headings = {field: folded(columns[at]) for field, at in mapping.items() if at is not None}
    return RememberedMapping(signature(columns), headings)


def signature(columns: list[str]) -> str:
    """What tells a kind of file: the set of its headings, in any order."""
    return sha256("\n".join(sorted(set(map(folded, columns)))).encode()).hexdigest()


def _most(looks: Callable[[str], bool], cells: list[str]) -> bool:
    return bool(cells) and sum(map(looks, cells)) * 2 > len(cells)


def _looks_like_email(cell: str) -> bool:
    return "@" in cell and " " not in cell


def _looks_like_phone(cell: str) -> bool:
    digits = sum(each.isdecimal() for each in cell)
    return 7 <= digits <= 15 and all(each.isdecimal() or each in "+-/(). \u00a0" for each in cell)


def _looks_like_name(cell: str) -> bool:
    return sum(each.isalpha() for each in cell) * 2 > len(cell)


# What tells a field whose column has another heading, or none.
_LOOKS: dict[str, Callable[[str], bool]] = {
    "email": _looks_like_email,
    "phone": _looks_like_phone,
    "name": _looks_like_name,
    "title": _looks_like_name,
    "label": _looks_like_name,
}
