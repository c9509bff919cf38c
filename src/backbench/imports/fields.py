"""Fields: what columns can be, by kind of import; how a file's columns are recognized, asked about and read."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date
from decimal import ROUND_HALF_UP, Decimal
from functools import cache, partial
from hashlib import sha256
from importlib.resources import files as resources
from typing import Any, Literal, get_args

from msgspec import UNSET, Meta, Struct, UnsetType

from backbench.domain.customers.customers import CustomerKind
from backbench.domain.customers.phones import dialled
from backbench.domain.estimating.estimates import Label
from backbench.domain.orders.order_details import Description, Phone, Place, Serial
from backbench.domain.values.currencies import MINOR_DIGITS, minor_digits
from backbench.domain.values.enums import DocumentLocale, PricesEntered, UserLocale
from backbench.domain.values.scalars import MAX_EMAIL_LENGTH, REVERSING, LongText, Name, OptionalName, is_email
from backbench.domain.values.times import Instant
from backbench.domain.workshops.orders import CustomerName, Notes, Title
from backbench.imports import cells
from backbench.imports.cells import Broken, Cell, CellError, Notation, folded, shown
from backbench.imports.files import Row, Table

ImportKind = Literal["tiles", "customers", "orders"]
Mapping = dict[str, int | None]
# As many as a person reads. `rowsWithErrors` counts them all.
MOST_ERRORS = 100
MOST_PRICE = 10**9
# So many cells tell what a column is.
_JUDGED_ROWS = 200
_SAMPLES = 2
_REPEATED = 5
# The score of a column without a known heading, whose cells alone tell what it is.
_BY_LOOK = 1.0


class Context(Struct, frozen=True):
    """What a file leaves open: how the workshop writes phones, prices and days, and the language of the caller.

    `tax_percent` is None where prices have no tax that could be added or taken off. Without `has_customers` nobody of a
    file is a customer already.
    """

    country: str | None
    locale: UserLocale
    zone: str
    now: Instant
    currency: str
    prices_entered: PricesEntered
    tax_percent: Decimal | None
    has_customers: bool = True


class RowError(Struct, frozen=True):
    """`row` is that of the file, `column` the index of its column."""

    row: int
    column: int | None
    field: str
    code: str
    detail: str


class Sample(Struct, frozen=True):
    """A cell, and what it would be: a number or a date as in JSON."""

    cell: str
    value: str


class Option(Struct, frozen=True):
    value: str
    text: str
    samples: list[Sample]


class Question(Struct, frozen=True, omit_defaults=True):
    """What can be read in two ways. `id` is its kind and the field, such as `decimals:unitPrice`.

    Until it is answered `proposed` holds.
    """

    id: str
    text: str
    options: list[Option]
    proposed: str
    column: int | UnsetType = UNSET
    answer: str | UnsetType = UNSET

    @property
    def value(self) -> str:
        return self.answer or self.proposed


class Reading(Struct, frozen=True):
    """How the cells of one column are read. `factor`: what its prices are multiplied by."""

    context: Context
    notation: Notation = Notation()
    factor: Decimal | None = None


class ReadRow(Struct, frozen=True):
    """The values of a row by field, without empty ones. Where there are errors the row is left out."""

    number: int
    values: dict[str, Any]
    errors: list[RowError]
    notes: list[RowError]


class _Field(Struct, frozen=True):
    """`words`: the entry of the headings. `looks`: what its cells may look like. Without `is_optional` a cell that
    cannot be read costs its row."""

    read: Callable[[Cell, Reading], Any]
    words: str
    looks: frozenset[str] = frozenset()
    is_optional: bool = True


# Reading a cell


def _limit(type_: Any) -> int:
    """The most characters of a constrained text."""
    return next(each.max_length for each in get_args(type_) if isinstance(each, Meta) and each.max_length)


_PHONE_LIMIT = _limit(Phone)


def _line(cell: Cell, _: Reading, *, limit: int) -> str:
    """One line: line breaks become spaces."""
    return _within(" ".join(_printable(shown(cell), " ").split()), limit)


def _lines(cell: Cell, _: Reading, *, limit: int) -> str:
    lines = shown(cell).replace("\r\n", "\n").split("\n")
    return _within("\n".join(_printable(line, " ").rstrip() for line in lines).strip(), limit)


def _printable(text: str, instead: str) -> str:
    """Without characters that no text of ours has: controls, and those that reverse its order."""
    if text.isprintable():
        return text
    plain = REVERSING.sub("", text)
    return "".join(instead if ord(each) < 32 or 127 <= ord(each) < 160 else each for each in plain)


def _within(text: str, limit: int) -> str:
    if len(text) > limit:
        raise CellError("too_long", f"At most {limit:,} characters")
    return text


def _phones(cell: Cell, _: Reading) -> list[str]:
    """Each as it is written. Of a text with several numbers every one."""
    whole = " ".join(_printable(shown(cell), " ").split())
    found = [" ".join(_printable(part, " ").split()) for part in cells.several(shown(cell))]
    numbers = [each for each in found if dialled(each).digits] if len(found) > 1 else []
    # Words beside a number belong to it: "601 000 411, mama".
    if len(numbers) < 2:
        numbers = [whole]
    return [_within(dialled(each).digits if len(each) > _PHONE_LIMIT else each, _PHONE_LIMIT) for each in numbers]


def _emails(cell: Cell, _: Reading) -> list[str]:
    found = [part.strip("<>,") for each in cells.several(shown(cell)) for part in each.removeprefix("mailto:").split()]
    addresses = [each for each in found if len(each) <= MAX_EMAIL_LENGTH and is_email(each)]
    # "Jan Kos <jan@example.com>" has words beside the address.
    if not addresses or any("@" in each and each not in addresses for each in found):
        raise CellError("not_an_email", "Expected an email address")
    return addresses


def _price(cell: Cell, reading: Reading) -> Decimal:
    if (named := cells.currencies_in(cell)) and named[0] in MINOR_DIGITS and reading.context.currency not in named:
        raise CellError("other_currency", f"The workshop's prices are in {reading.context.currency}")
    number = cells.read_number(cell, reading.notation)
    if reading.factor is not None:
        number = (number * reading.factor).quantize(
            Decimal(1).scaleb(-minor_digits(reading.context.currency)), ROUND_HALF_UP
        )
    if not 0 <= number <= MOST_PRICE:
        raise CellError("out_of_range", f"Expected a number from 0 to {MOST_PRICE:,}")
    return number


def _currency(cell: Cell, reading: Reading) -> None:
    """Nothing is imported of it: it tells whether the prices are those of the workshop."""
    named = cells.currencies_in(cell) or (shown(cell).upper(),)
    if reading.context.currency not in named:
        raise CellError("other_currency", f"The workshop's prices are in {reading.context.currency}")


def _pieces(cell: Cell, reading: Reading) -> int:
    number = cells.read_number(cell, reading.notation)
    if number != int(number) or not 1 <= number <= 99:
        raise CellError("out_of_range", "Expected a whole number from 1 to 99")
    return int(number)


_WORDS: dict[CustomerKind, str] = {
    "company": "company business firma instytucja organization organisation unternehmen",
    "person": "person individual private osoba osobafizyczna prywatny indywidualny privat",
}
_KINDS = {word: kind for kind, words in _WORDS.items() for word in words.split()}
_LANGUAGES: dict[str, DocumentLocale] = {
    **dict.fromkeys(("pl", "polski", "polish", "polnisch", "polonais"), "pl"),
    **dict.fromkeys(("en", "angielski", "english", "englisch", "anglais"), "en"),
}  # fmt: skip


def _kind(cell: Cell, _: Reading) -> CustomerKind:
    if found := _KINDS.get(folded(shown(cell))):
        return found
    raise CellError("unknown_kind", "Expected person or company")


def _language(cell: Cell, _: Reading) -> DocumentLocale:
    """Documents are in Polish or English."""
    if found := _LANGUAGES.get(folded(shown(cell).partition("-")[0].partition("_")[0])):
        return found
    raise CellError("unknown_language", "Expected Polish or English")


def _country(cell: Cell, reading: Reading) -> str | None:
    """None for the country of the workshop, which addresses there do not name."""
    text = _line(cell, reading, limit=250)
    home = reading.context.country or ""
    names = {folded(name) for name in (home, *_headings()["countries"].get(home, ()))}
    return None if folded(text) in names else text


def _text(type_: Any, words: str, *looks: str, is_optional: bool = True) -> _Field:
    return _Field(partial(_line, limit=_limit(type_)), words, frozenset(looks), is_optional)


def _texts(type_: Any, words: str) -> _Field:
    return _Field(partial(_lines, limit=_limit(type_)), words, frozenset(("any",)))


_NUMBER, _DAY = frozenset(("number", "day")), frozenset(("day",))
_PHONE, _EMAIL = (
    _Field(_phones, "phone", frozenset(("phone", "number"))),
    _Field(_emails, "email", frozenset(("email",))),
)
# The order is that of the mapping. One of REQUIRED is needed; any of several makes a name.
FIELDS: dict[ImportKind, dict[str, _Field]] = {
    "tiles": {
        "label": _text(Label, "label", "number", is_optional=False),
        "unitPrice": _Field(_price, "unitPrice", _NUMBER, is_optional=False),
        "unit": _text(OptionalName, "unit"),
        "grid": _text(OptionalName, "grid", "number"),
        "emoji": _text(OptionalName, "emoji", "emoji"),
        "currency": _Field(_currency, "currency", is_optional=False),
    },
    "customers": {
        **{
            name: _text(Name, name, is_optional=False)
            for name in ("name", "firstName", "middleName", "lastName", "company")
        },
        **{f"phone{number or ''}": _PHONE for number in (0, *range(2, _REPEATED + 1))},
        **{f"email{number or ''}": _EMAIL for number in (0, *range(2, _REPEATED + 1))},
        "address": _texts(LongText, "address"),
        "addressLine": _text(OptionalName, "addressLine", "number"),
        "houseNumber": _text(OptionalName, "houseNumber", "number"),
        "postalCode": _text(OptionalName, "postalCode", "number", "phone"),
        "city": _text(OptionalName, "city"),
        "region": _text(OptionalName, "region"),
        "country": _Field(_country, "country"),
        "siteAddress": _texts(LongText, "siteAddress"),
        "sitePostalCode": _text(OptionalName, "sitePostalCode", "number", "phone"),
        "siteCity": _text(OptionalName, "siteCity"),
        "taxId": _text(OptionalName, "taxId", "number", "phone"),
        "notes": _texts(Notes, "notes"),
        "kind": _Field(_kind, "kind"),
        "locale": _Field(_language, "locale"),
    },
    "orders": {
        "title": _text(Title, "title", "number", is_optional=False),
        "customerName": _text(CustomerName, "customerName"),
        "phone": _PHONE,
        "email": _EMAIL,
        "status": _Field(lambda cell, _: cells.read_status(shown(cell)), "status"),
        "dueOn": _Field(lambda cell, reading: cells.read_day(cell, reading.notation), "dueOn", _DAY),
        "dueTime": _Field(lambda cell, _: cells.read_time(cell), "dueTime", frozenset(("time", "number"))),
        "item": _texts(Description, "item"),
        "serial": _text(Serial, "serial", "number", "phone"),
        "pieces": _Field(_pieces, "pieces", _NUMBER),
        "place": _text(Place, "place", "number"),
        "priceLimit": _Field(_price, "priceLimit", _NUMBER),
        "notes": _texts(Notes, "notes"),
        "createdAt": _Field(lambda cell, reading: cells.read_day(cell, reading.notation), "createdAt", _DAY),
        "readyOn": _Field(lambda cell, reading: cells.read_day(cell, reading.notation), "readyOn", _DAY),
        "collectedOn": _Field(lambda cell, reading: cells.read_day(cell, reading.notation), "collectedOn", _DAY),
    },
}
REQUIRED: dict[ImportKind, tuple[str, ...]] = {
    "tiles": ("label",),
    "customers": ("name", "firstName", "middleName", "lastName", "company", *(
        name for name in FIELDS["customers"] if name.startswith(("phone", "email"))
    )),
    "orders": ("title",),
}  # fmt: skip
_NUMBERS, _DAYS = ("unitPrice", "pieces", "priceLimit"), ("dueOn", "createdAt", "readyOn", "collectedOn")


def _has_name(kind: ImportKind, mapping: Mapping) -> bool:
    return any(mapping.get(field) is not None for field in REQUIRED[kind] if not field.startswith(("phone", "email")))


def has_required(kind: ImportKind, mapping: Mapping) -> bool:
    return any(mapping.get(field) is not None for field in REQUIRED[kind])


# Headings


class _Heading(Struct, frozen=True):
    """A heading as it is compared, also without what is in brackets; and its number, such as 2 of "Phone 2 - Value"."""

    keys: tuple[str, ...]
    words: tuple[str, ...]
    outside: tuple[str, ...]
    number: int | None


@cache
def _heading(text: str) -> _Heading:
    words = _words(text)
    plain = tuple(word for word in words if not word.isdecimal())
    number = next((int(word) for word in words if word.isdecimal() and len(word) < 3), None)
    outside = tuple(word for word in _words(_without_brackets(text)) if not word.isdecimal())
    return _Heading(("".join(plain), "".join(outside)) if outside else ("".join(plain),), plain, outside, number)


def _words(text: str) -> list[str]:
    """The words of a heading, folded: `E-mail 1 - Value`, `unitPrice`, `Szt.`"""
    spaced = "".join(
        f" {each}" if each.isupper() and before.islower() else each
        for before, each in zip(f" {text}", text, strict=False)
    )
    for sign in "-_/.()[]{}:,;#'’|*%":
        spaced = spaced.replace(sign, " ")
    # A digit at the end of a word is a number of its own: Telefon2.
    return [each for word in spaced.split() for each in _split_number(folded(word)) if each]


def _split_number(word: str) -> tuple[str, str]:
    letters = word.rstrip("0123456789")
    return (letters, word[len(letters) :]) if letters else ("", word)


def _without_brackets(text: str) -> str:
    depth, kept = 0, []
    for each in text:
        depth += each in "([{"
        if not depth:
            kept.append(each)
        depth -= each in ")]}" and depth > 0
    return "".join(kept)


@cache
def _headings() -> dict[str, Any]:
    # No start needs it.
    import tomllib

    return tomllib.loads(resources("backbench.imports").joinpath("headings.toml").read_text("utf-8"))


@cache
def _left_out() -> frozenset[str]:
    return frozenset(_heading(text).keys[0] for text in _headings()["left_out"]["headings"])


@cache
def known_headings(kind: ImportKind) -> dict[str, list[_Heading]]:
    """The headings of each entry of the kind, the best first. The name of a field is one of its headings."""
    found = {words: [_heading(text) for text in (*texts, words)] for words, texts in _headings()[kind].items()}
    if kind == "tiles":
        found |= {basis: [_heading(text) for text in texts] for basis, texts in _headings()["prices"].items()}
    return found


def is_known(kind: ImportKind, text: str) -> bool:
    """Whether a cell is a heading of a field, or one that is known to be of none."""
    found = _heading(text)
    basis, price = basis_of(found) if kind == "tiles" else (None, found)
    if basis is not None and price.keys[0] in ("", *_all_headings(kind)):
        return True
    return bool(found.keys[0]) and any(key in _left_out() or key in _all_headings(kind) for key in found.keys)


@cache
def _all_headings(kind: ImportKind) -> frozenset[str]:
    return frozenset(each.keys[0] for headings in known_headings(kind).values() for each in headings)


_BASES: dict[PricesEntered, frozenset[str]] = {
    "net": frozenset(("net", "netto", "ht")),
    "gross": frozenset(("gross", "brutto", "ttc")),
}


def basis_of(heading: _Heading) -> tuple[PricesEntered | None, _Heading]:
    """Whether a heading says that its prices are with tax or without, and the heading without the word that does."""
    for basis, words in _BASES.items():
        if words & {*heading.words}:
            left, outside = ([word for word in some if word not in words] for some in (heading.words, heading.outside))
            return basis, _Heading(("".join(left), "".join(outside)), tuple(outside), tuple(outside), heading.number)
        if (_by_heading(heading, known_headings("tiles")[basis]) or 0) >= 100:
            return basis, _heading("")
    return None, heading


def _by_heading(heading: _Heading, known: Sequence[_Heading], *, is_repeated: bool = False) -> float | None:
    """How well a heading is one of those: above 100 where it is one, below where it begins or ends like one."""
    for rank, each in enumerate(known):
        is_same = each.number == heading.number or (each.number is None and (is_repeated or heading.number == 1))
        if is_same and each.keys[0] in heading.keys:
            return 200 - rank
    if any(key in _left_out() for key in heading.keys):
        return None
    best = None
    for rank, each in enumerate(known):
        length = len(each.words)
        if (
            0 < length < len(heading.words)
            and len(each.keys[0]) >= 4
            and each.words in (heading.words[:length], heading.words[-length:])
        ):
            best = max(best or 0, 100 * length / len(heading.words) - rank / 100)
    return best


# Proposing a mapping


class _Column(Struct, frozen=True):
    """`looks`: what more than half of its cells look like."""

    heading: _Heading
    looks: set[str]
    is_empty: bool


# A digit right after a letter: a code, such as P7.
_CODE = re.compile(r"[^\W\d]\d")
# A day or what was to be one.
_DATE = re.compile(r"\d{1,4}([./-])\d{1,2}\1\d{1,4}.*")


def _looks(cell: Cell) -> Iterator[str]:
    if isinstance(cell, float):
        yield "number"
        return
    text = shown(cell)
    digits = sum(each.isdecimal() for each in text)
    if "@" in text and " " not in text:
        yield "email"
    if _DATE.fullmatch(text):
        yield "day"
    elif 7 <= digits <= 15 and all(each.isdecimal() or each in "+-/(). \u00a0\u202a\u202c\u200b" for each in text):
        yield "phone"
    if digits > 0 and not _CODE.search(text) and cells.digits_of(text) is not None:
        yield "number"
    if digits and not _DATE.fullmatch(text) and _is(cells.read_day, cell, Notation()):
        yield "day"
    if ":" in text and _is(cells.read_time, cell):
        yield "time"
    if text and len(text) < 9 and not any(each.isalnum() for each in text):
        yield "emoji"
    if sum(each.isalpha() for each in text) * 2 > len(text):
        yield "words"


def _is(read: Callable[..., Any], *arguments: Any) -> bool:
    try:
        read(*arguments)
    except CellError:
        return False
    return True


def _columns(table: Table) -> list[_Column]:
    found = []
    for at, text in enumerate(table.columns):
        judged = [row.cells[at] for row in table.rows[:_JUDGED_ROWS] if row.cells[at] != ""]
        counts = Counter(look for cell in judged for look in _looks(cell))
        looks = {look for look, count in counts.items() if count * 2 > len(judged)}
        found.append(_Column(_heading(text), looks, not judged))
    return found


def proposed(kind: ImportKind, table: Table, context: Context) -> Mapping:
    """A column for each field, each once: all pairs by how well heading and cells fit, the best first."""
    columns = _columns(table)
    mapping: Mapping = dict.fromkeys(FIELDS[kind])
    pairs = [
        (score, -order, -at, field)
        for order, field in enumerate(mapping)
        for at, column in enumerate(columns)
        if (score := _score(kind, field, column, context)) is not None
    ]
    used: set[int] = set()
    for field, heading in _of_program(kind, table).items():
        mapping[field] = table.columns.index(heading)
        used.add(table.columns.index(heading))
    for score, _, at, field in sorted(pairs, reverse=True):
        if mapping[field] is None and -at not in used and (score > _BY_LOOK or not _has_name(kind, mapping)):
            mapping[field] = -at
            used.add(-at)
    return mapping


def _score(kind: ImportKind, field: str, column: _Column, context: Context) -> float | None:
    """None where the column is not the field."""
    spec = FIELDS[kind][field]
    # Words are no sign of another field: an address may be a word. A heading that says so is believed.
    is_words = column.looks <= {"words"}
    if not is_words and not spec.looks & {"any", *column.looks}:
        return None
    is_repeated = spec.words in ("phone", "email")
    by_heading = _by_heading(column.heading, known_headings(kind)[spec.words], is_repeated=is_repeated)
    if by_heading and field.startswith("site") and _is_main(field, column):
        # "Home street" is the address, and the second one only where there is another.
        by_heading -= 100
    if field == "unitPrice":
        by_heading = _price_score(column, by_heading, context)
    if is_words and column.looks and spec.looks - {"any", "number", "emoji", "phone"} and (by_heading or 0) < 100:
        return None
    if by_heading is not None and (by_heading >= 100 or is_repeated or column.heading.number in (None, 1)):
        return by_heading - (150 if column.is_empty else 0)
    if column.is_empty or any(key in _left_out() for key in column.heading.keys):
        return None
    # No heading tells: what the cells look like, for the fields that cells tell.
    if field in ("email", "phone") and field in column.looks:
        return _BY_LOOK + 1
    is_name = field in ("name", "title", "label") and column.looks == {"words"}
    return _BY_LOOK if is_name and not _is_named(kind, column) else None


def _is_main(field: str, column: _Column) -> bool:
    main = {"siteAddress": "address", "sitePostalCode": "postalCode", "siteCity": "city"}[field]
    return (_by_heading(column.heading, known_headings("customers")[main]) or 0) >= 100


def _is_named(kind: ImportKind, column: _Column) -> bool:
    return any((_by_heading(column.heading, known) or 0) >= 100 for known in known_headings(kind).values())


def _price_score(column: _Column, neutral: float | None, context: Context) -> float | None:
    """The price that the workshop enters before the other; one of which nothing is said is either."""
    basis, price = basis_of(column.heading)
    is_price = not price.keys[0] or (_by_heading(price, known_headings("tiles")["unitPrice"]) or 0) >= 100
    if basis is None or not is_price or any(key in _left_out() for key in column.heading.keys):
        return neutral
    return 300.0 if basis == context.prices_entered else 100.0


def _of_program(kind: ImportKind, table: Table) -> dict[str, str]:
    """The columns that a known program names otherwise than others do."""
    found = _program(kind, table)
    return {
        field: heading for field, heading in (found or {}).items() if field in FIELDS[kind] and heading in table.columns
    }


def _program(kind: ImportKind, table: Table) -> dict[str, Any] | None:
    names = set(table.columns)
    return next(
        (each for each in _headings()["programs"] if each["kind"] == kind and names.issuperset(each["has"])), None
    )


def program_of(kind: ImportKind, table: Table) -> str | None:
    """The program that wrote the file, by its headings."""
    found = _program(kind, table)
    return table.program or (found["id"] if found else None)


class RememberedMapping(Struct, frozen=True):
    """The mapping of a file that was imported: `headings`, folded, by field; `signature` of all of its headings."""

    signature: str
    headings: dict[str, str]

    def mapping_of(self, kind: ImportKind, columns: list[str]) -> Mapping:
        """The mapping in which each field has the column of its heading; of repeated headings each its own."""
        left = [folded(column) for column in columns]
        mapping: Mapping = dict.fromkeys(FIELDS[kind])
        for field in mapping:
            if (heading := self.headings.get(field)) in left:
                mapping[field] = left.index(heading)
                left[left.index(heading)] = "\0"
        return mapping


def remembered(columns: list[str], mapping: Mapping) -> RememberedMapping:
    headings = {field: folded(columns[at]) for field, at in mapping.items() if at is not None}
    return RememberedMapping(signature(columns), headings)


def signature(columns: list[str]) -> str:
    """What tells a kind of file: its headings, in any order."""
    return sha256("\n".join(sorted(set(map(folded, columns)))).encode()).hexdigest()


# Questions


def questions_of(
    kind: ImportKind, table: Table, mapping: Mapping, answers: dict[str, str], context: Context
) -> list[Question]:
    """What can be read in two ways, with the answers that were given."""
    found: list[Question] = []
    for field, at in mapping.items():
        if at is None:
            continue
        column = [row.cells[at] for row in table.rows]
        if field in _NUMBERS:
            found += _decimals(field, at, column, context)
        if field in _DAYS:
            found += _day_first(field, at, column, context)
        if field == "unitPrice":
            found += _which_price(table, at, context)
            found += _with_tax(table, at, column, answers, context)
    # Which column it is, the mapping says.
    return [each if each.answer else _answered(each, answers.get(each.id)) for each in found]


def _answered(question: Question, answer: str | None) -> Question:
    if answer not in {option.value for option in question.options}:
        return question
    return Question(question.id, question.text, question.options, question.proposed, question.column, answer)


def _samples(texts: Iterable[Cell], read: Callable[[Cell], Any]) -> list[Sample]:
    """The first two that can be read so, as they would be read."""
    found: list[Sample] = []
    for text in dict.fromkeys(texts):
        try:
            value = read(text)
        except CellError:
            continue
        found.append(
            Sample(shown(text)[:50], value.isoformat() if isinstance(value, date) else f"{value.normalize():f}")
        )
        if len(found) == _SAMPLES:
            break
    return found


def _decimals(field: str, at: int, column: Sequence[Cell], context: Context) -> Iterator[Question]:
    marks, unclear = cells.decimal_marks(column)
    if not unclear or len(marks) == 1:
        return
    options = [
        Option(
            mark, f"{name} begins the decimals", _samples(unclear, partial(cells.read_number, notation=Notation(mark)))
        )
        for mark, name in ((",", "A comma"), (".", "A dot"))
    ]
    text = "Do three digits after the comma or dot stand for thousands or for decimals?"
    yield Question(f"decimals:{field}", text, options, "," if context.locale == "pl" else ".", at)


def _day_first(field: str, at: int, column: Sequence[Cell], context: Context) -> Iterator[Question]:
    orders, unclear = cells.day_orders(column)
    if not unclear or len(orders) == 1:
        return
    options = [
        Option(value, text, _samples(unclear, partial(cells.read_day, notation=Notation(is_day_first=value == "day"))))
        for value, text in (("day", "The day comes first"), ("month", "The month comes first"))
    ]
    proposed_ = "month" if context.country == "US" else "day"
    yield Question(f"days:{field}", "Does the day or the month come first?", options, proposed_, at)


def _which_price(table: Table, at: int, context: Context) -> Iterator[Question]:
    """Where another column fits the price as well."""
    if _of_program("tiles", table).get("unitPrice") is not None:
        return
    columns = _columns(table)
    scores = {
        at: _score("tiles", "unitPrice", column, context) for at, column in enumerate(columns) if not column.is_empty
    }
    best = max((score for score in scores.values() if score is not None), default=0)
    # The ranks of headings do not tell which price of a list is meant.
    tied = [
        each for each, score in scores.items() if score is not None and score >= 100 and score // 100 == best // 100
    ]
    if len(tied) < 2 or at not in tied or best < 100:
        return
    options = [
        Option(
            str(each),
            table.columns[each],
            [Sample(shown(row.cells[0])[:50], shown(row.cells[each])[:50]) for row in table.rows[:_SAMPLES]],
        )
        for each in tied
    ]
    yield Question("column:unitPrice", "Which of these columns is the price?", options, str(at), answer=str(at))


def _with_tax(
    table: Table, at: int, column: Sequence[Cell], answers: dict[str, str], context: Context
) -> Iterator[Question]:
    """Where the file has prices with tax and the workshop enters them without, or the other way."""
    basis, _ = basis_of(_heading(table.columns[at]))
    if context.tax_percent is None or basis in (None, context.prices_entered):
        return
    notation = _notation("unitPrice", column, answers, context)
    percent = f"{context.tax_percent.normalize():f} %"
    words = {"net": ("without tax", f"Add {percent}"), "gross": ("with tax", f"Take {percent} off")}[str(basis)]
    options = [
        Option(
            "convert",
            words[1],
            _samples(column, lambda cell: _price(cell, Reading(context, notation, _factor(context)))),
        ),
        Option(
            "keep",
            "Keep the numbers as they are",
            _samples(column, lambda cell: _price(cell, Reading(context, notation))),
        ),
    ]
    text = f"The prices of the file are {words[0]}, and the workshop enters them the other way."
    yield Question("tax:unitPrice", text, options, "convert", at)


def _factor(context: Context) -> Decimal:
    """From prices of the other kind to those that the workshop enters."""
    with_tax = 1 + (context.tax_percent or Decimal(0)) / 100
    return with_tax if context.prices_entered == "gross" else 1 / with_tax


def _notation(field: str, column: Sequence[Cell], answers: dict[str, str], context: Context) -> Notation:
    """As the column shows for certain, else as was answered, else as usual in the language."""
    if field in _DAYS:
        orders, _ = cells.day_orders(column)
        is_first = next(iter(orders)) if len(orders) == 1 else answers.get(f"days:{field}", "") != "month"
        return Notation(is_day_first=is_first)
    marks, _ = cells.decimal_marks(column)
    usual = answers.get(f"decimals:{field}") or ("," if context.locale == "pl" else ".")
    return Notation(next(iter(marks)) if len(marks) == 1 else usual)


# Reading rows


def read_rows(
    kind: ImportKind, table: Table, mapping: Mapping, questions: Sequence[Question], context: Context
) -> Iterator[ReadRow]:
    """Every row that has anything in a mapped column."""
    answers = {each.id: each.value for each in questions}
    columns = {field: at for field, at in mapping.items() if at is not None}
    readings = {}
    for field, at in columns.items():
        column = [row.cells[at] for row in table.rows] if field in (*_NUMBERS, *_DAYS) else []
        is_converted = field == "unitPrice" and answers.get("tax:unitPrice") == "convert"
        readings[field] = Reading(
            context, _notation(field, column, answers, context), _factor(context) if is_converted else None
        )
    sums = _sum_words()
    for row in table.rows:
        found = _values(kind, row, columns, readings)
        if not found.values and not found.errors and not found.notes:
            continue
        if (
            kind == "tiles"
            and row is table.rows[-1]
            and any(isinstance(cell, str) and folded(cell) in sums for cell in row.cells)
        ):
            error = RowError(row.number, mapping["label"], "label", "sum", "This row is a sum")
            yield ReadRow(row.number, {}, [error], [])
            continue
        found.errors.extend(_missing(kind, row, mapping, found))
        if found.errors:
            # A row that is left out tells everything that is wrong with it.
            found.errors.extend(found.notes)
        yield found


@cache
def _sum_words() -> frozenset[str]:
    return frozenset(map(folded, _headings()["sums"]["words"]))


def _values(kind: ImportKind, row: Row, columns: dict[str, int], readings: dict[str, Reading]) -> ReadRow:
    values: dict[str, Any] = {}
    errors: list[RowError] = []
    notes: list[RowError] = []
    several: dict[str, list[str]] = {"phone": [], "email": []}
    for field, at in columns.items():
        cell, spec = row.cells[at], FIELDS[kind][field]
        if cell == "":
            continue
        try:
            if isinstance(cell, Broken):
                raise CellError("no_value", "The cell has no value in the file")
            value = spec.read(cell, readings[field])
        except CellError as error:
            (notes if spec.is_optional else errors).append(RowError(row.number, at, field, error.code, error.detail))
            continue
        if isinstance(value, list):
            known, most = several[spec.words], _REPEATED if kind == "customers" else 1
            known += [each for each in value if each not in known]
            if len(known) > most:
                notes.append(RowError(row.number, at, field, "too_many", f"There is room for {most} of these"))
                del known[most:]
            if known:
                values[spec.words] = known
        elif value not in ("", None):
            values[field] = value
    return ReadRow(row.number, values, errors, notes)


def _missing(kind: ImportKind, row: Row, mapping: Mapping, found: ReadRow) -> Iterator[RowError]:
    """What the row needs and does not have. A tile without a price would be one that costs nothing."""
    named = {*found.values, *(error.field for error in found.errors)}
    field = next((field for field in REQUIRED[kind] if mapping.get(field) is not None), REQUIRED[kind][0])
    if not has_required(kind, mapping):
        yield RowError(row.number, None, field, "unmapped", "No column is chosen for this")
    elif not named.intersection(REQUIRED[kind]):
        yield RowError(row.number, mapping[field], field, "missing", "This row has none")
    elif kind == "tiles" and mapping["unitPrice"] is not None and "unitPrice" not in named:
        yield RowError(row.number, mapping["unitPrice"], "unitPrice", "missing", "This row has none")
