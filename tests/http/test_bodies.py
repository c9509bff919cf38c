"""Request bodies: fast decoding and full validation must accept the same bodies.

Decoding into the type accepts nearly every body; only suspicious ones are validated member by member. A body that one
of them accepts and the other rejects would let invalid data in.
"""

import json
import math
import time
from collections.abc import Callable, Iterator
from typing import Annotated, Any

import pytest
from hypothesis import Phase, example, given, settings
from hypothesis import strategies as st
from msgspec import UNSET, Meta, Struct, UnsetType, field

from backbench.accounts import sessions
from backbench.accounts.sessions import LockedLookup
from backbench.estimating.estimates import EstimateEdit
from backbench.http.bodies import Body, NotStrictJson, parse
from backbench.http.checks import shape_of
from backbench.http.operations import Operation
from backbench.orders.orders import NewOrder, OrderEdit
from backbench.routes import OPERATIONS
from backbench.values.errors import FieldError, ValidationError
from tests.people import App
from tests.support import operation_samples
from tests.support.run.engines import runs_all
from tests.support.violations import all_of, violations

operations = [operation for operation in OPERATIONS if operation.body is not None]

COLONS = [b":", b": ", b" :", b"\n:\t", b"\r :"]


class Raw(bytes):
    """A piece of JSON text, valid or not."""


class Pairs(list[tuple[str, Any]]):
    """The members of an object in order, duplicates included, and what is written between a name and its value."""

    colon = b":"


JUNK = [
    Raw(text)
    for text in b"""
        null true false 0 -0 -1 1 1.0 1.5 1e2 1e400 -1e400 1e-400 1e1000000 1e99999999999999999999
        1e-99999999999999999999 0.12345 12.10 359 360 1000000001 0.00000000000000000000000000000000001
        1.00000000000000000000000000000000001 NaN Infinity 01 +1 .5 1. tru
        "" "a" "a:b" ":" "a\\":b" "a\\u0000" "\\u0000" "\\ud83d" "\\ude9a" "a\\n" "\\u0085" "\\n" "#102030" "#102030\\n"
        "todo" "pl" "orders:read" "solid" "gradient" "1" "1.5" "NaN" "\\x41" \xff
        {} [] [[]] [{}] [1] ["orders:read"] ["orders:read","orders:read"] {"a":1} {"a":1,"a":1}
        {"kind":"solid"} {"kind":1} {"kind":[]} {"kind":"solid","color":"#102030"}
        {"kind":"solid","kind":"solid","color":"#102030"} {"kind":"solid","color":"#102030","x":1}
    """.split()
] + [
    Raw(b"9" * 30),
    Raw(b"9" * 5000),
    Raw(b'"' + "🪚".encode() + b'"'),
    Raw(b'"' + b"a" * 251 + b'"'),
    Raw(b'"' + b"a" * 5001 + b'"'),
    Raw(b'"' + "🪚".encode() * 2001 + b'"'),
    Raw(b"[" * 33 + b"]" * 33),
    Raw(b'" "'),
    Raw(b'"a\xe2\x80\xaeb"'),
    Raw(b'"a\x00"'),
    Raw(b'"\xed\xa0\xbd"'),
]


def written(value: Any) -> bytes:
    """JSON as a client might send it, mistakes included."""
    if isinstance(value, Raw):
        return value
    if isinstance(value, Pairs):
        return b"{" + b",".join(_name(name) + value.colon + written(member) for name, member in value) + b"}"
    if isinstance(value, list):
        return b"[" + b",".join(map(written, value)) + b"]"
    return json.dumps(value, ensure_ascii=False).encode()


def _name(name: str) -> bytes:
    return json.dumps(name).encode()


def pairs(value: Any) -> Any:
    if isinstance(value, dict):
        return Pairs((name, pairs(member)) for name, member in value.items())
    return [pairs(member) for member in value] if isinstance(value, list) else value


def objects_in(value: Any) -> Iterator[Pairs]:
    if isinstance(value, Pairs):
        yield value
        value = [member for _, member in value]
    if isinstance(value, list):
        for member in value:
            yield from objects_in(member)


def full_sample(operation: Operation) -> Any:
    """The sample with every member of the body's type; members that the sample lacks are null."""
    sample = operation_samples.body_for(operation) or {}
    return sample | {name: None for name in shape_of(operation.body).names if name not in sample}


@st.composite
def bodies(draw: st.DrawFn, operation: Operation) -> bytes:
    """A valid body with up to three random mistakes, and white space anywhere around its colons."""
    body = pairs(draw(st.sampled_from([operation_samples.body_for(operation), full_sample(operation)])))
    for each in objects_in(body):
        each.colon = draw(st.sampled_from(COLONS))
    for _ in range(draw(st.integers(0, 3))):
        target = draw(st.sampled_from(list(objects_in(body))))
        draw(st.sampled_from([_replace, _drop, _double, _add]))(draw, target)
    return written(body)


def _replace(draw: st.DrawFn, target: Pairs) -> None:
    if target:
        at = draw(st.integers(0, len(target) - 1))
        target[at] = (target[at][0], draw(st.sampled_from(JUNK)))


def _drop(draw: st.DrawFn, target: Pairs) -> None:
    if target:
        del target[draw(st.integers(0, len(target) - 1))]


def _double(draw: st.DrawFn, target: Pairs) -> None:
    if target:
        target.append(draw(st.sampled_from(target)))


def _add(draw: st.DrawFn, target: Pairs) -> None:
    name = draw(st.sampled_from(["zzz", "a/b~c", "", "\x00", "\ud83d", "id", "x:y"]))
    target.append((name, draw(st.sampled_from(JUNK))))


def read_body(body: Body[Any], raw: bytes) -> tuple[Any, list[FieldError]]:
    """The value, or the field errors. Nothing but ValidationError is raised."""
    try:
        return body.read(raw), []
    except ValidationError as error:
        return None, list(error.field_errors)


def validated(type_: Any, raw: bytes) -> list[FieldError]:
    try:
        parsed = parse(raw)
    except NotStrictJson as error:
        return [error.field_error]
    if not isinstance(parsed, dict):
        return [FieldError("", "not_an_object", "")]
    return list(shape_of(type_).field_errors(parsed, ""))


def is_forbidden(raw: bytes) -> bool:
    """Whether the contract forbids this body, decided without the code under test."""

    def no_duplicates(members: list[tuple[str, Any]]) -> dict[str, Any]:
        if len({name for name, _ in members}) != len(members):
            raise ValueError
        return dict(members)

    def no_constant(_: str) -> None:
        raise ValueError

    try:
        value = json.loads(
            raw.decode(), object_pairs_hook=no_duplicates, parse_constant=no_constant, parse_int=str, parse_float=str
        )
    except (ValueError, RecursionError):
        return True
    return _depth(value) > 32 or _has_unstorable_text(value)


def _depth(value: Any) -> int:
    if isinstance(value, dict):
        value = list(value.values())
    return 1 + max(map(_depth, value), default=0) if isinstance(value, list) else 0


def _has_unstorable_text(value: Any) -> bool:
    if isinstance(value, dict):
        value = [*value, *value.values()]
    if isinstance(value, list):
        return any(map(_has_unstorable_text, value))
    return isinstance(value, str) and any(c == "\x00" or "\ud800" <= c <= "\udfff" for c in value)


def must_agree(type_: Any, raw: bytes) -> None:
    value, field_errors = read_body(Body(type_), raw)
    expected = validated(type_, raw)
    assert (value is None) == bool(expected), (raw, field_errors, expected)
    assert field_errors == expected or [error.pointer for error in expected] == [""], raw
    assert value is None or not is_forbidden(raw), raw
    for error in field_errors:
        assert error.code != "invalid", raw
        assert error.pointer == "" or error.pointer.startswith("/")
        json.dumps(error.pointer, ensure_ascii=False).encode()


@all_of("operation", operations, operation_samples.line)
def test_decoding_and_validation_accept_the_same_bodies(operation: Operation) -> None:
    # What finds a shorter one takes longer than all of these. Each has its own mistakes: a third of them by default.
    number = 15 if runs_all() else 5

    @settings(max_examples=number, derandomize=True, deadline=None, database=None, phases=[Phase.generate])
    @given(raw=bodies(operation))
    def compare(raw: bytes) -> None:
        must_agree(operation.body, raw)

    compare()


@pytest.mark.prove
@pytest.mark.parametrize("operation", operations, ids=operation_samples.line)
def test_decoding_and_validation_accept_the_same_bodies_at_length(operation: Operation) -> None:
    @settings(max_examples=1_000, deadline=None, database=None)
    @given(raw=bodies(operation))
    def compare(raw: bytes) -> None:
        must_agree(operation.body, raw)

    compare()


def test_every_sample_body_is_accepted() -> None:
    with violations() as case:
        for operation in operations:
            with case(operation_samples.line(operation)):
                raw = written(operation_samples.body_for(operation))
                assert read_body(Body(operation.body), raw)[1] == []


@settings(max_examples=100, derandomize=True, deadline=None, database=None)
@given(raw=st.binary(max_size=60) | st.text(alphabet='{}[]":,\\u0d81aeE+-.title\x00', max_size=60).map(str.encode))
@example(raw=b"\\" * 10)
@example(raw=b'"')
def test_any_bytes_are_accepted_or_rejected_by_both(raw: bytes) -> None:
    must_agree(NewOrder, raw)
    must_agree(OrderEdit, raw)


@settings(max_examples=100, derandomize=True, deadline=None, database=None)
@given(
    value=st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
        max_leaves=8,
    )
)
def test_an_unknown_member_of_a_new_order_is_ignored(value: Any) -> None:
    raw = json.dumps({"title": "Oak table", "zzz": value}).encode()
    if not is_forbidden(raw):
        assert read_body(Body(NewOrder), raw) == (NewOrder("Oak table"), [])


class _Inner(Struct, forbid_unknown_fields=True):
    a: int = 1


class _Optional(Struct, forbid_unknown_fields=True):
    """Every way in which a member may be optional."""

    always: int
    fixed: int = 7
    listed: list[int] = field(default_factory=list)
    absent: int | UnsetType = UNSET
    nullable: int | None = None
    inner: _Inner | None = None
    inners: list[_Inner] | UnsetType = UNSET


@all_of("name", ["always", "fixed", "listed", "absent", "nullable", "inner", "inners"])
@all_of(
    "rest", [b'"always":1', b'"always":7,"fixed":7', b'"always":1,"listed":[],"absent":1,"nullable":null,"inners":[{}]']
)
def test_a_duplicate_member_is_rejected_with_any_default(name: str, rest: bytes) -> None:
    value = {"listed": b"[]", "inner": b"{}", "inners": b"[{},{}]"}.get(name, b"7")
    member = b'"%s":%s' % (name.encode(), value)
    raw = b"{%s,%s,%s}" % (member, member, rest)
    assert f"/{name}" in [error.pointer for error in read_body(Body(_Optional), raw)[1] if error.code == "duplicate"]


@all_of("colon", COLONS)
@all_of("text", [b"a", b"10:30", b":", b'a\\":b', b"a :b"])
def test_a_duplicate_member_is_rejected_with_any_colon_in_text(colon: bytes, text: bytes) -> None:
    raw = b'{"title"%s"%s","title":"b"}' % (colon, text)
    assert [error.pointer for error in read_body(Body(OrderEdit), raw)[1]] == ["/title"]


@all_of("text", ["10:30", "https://example.com", ":", 'a": b', "a : b"])
def test_a_text_may_contain_colons(text: str) -> None:
    assert read_body(Body(NewOrder), json.dumps({"title": text}).encode()) == (NewOrder(text), [])


def test_a_duplicate_member_of_a_nested_object_is_rejected() -> None:
    raw = b'{"always":1,"inners":[{"a":2},{"a":2,"a":2}]}'
    assert [error.pointer for error in read_body(Body(_Optional), raw)[1]] == ["/inners/1/a"]


@all_of(
    ("number", "shortest"),
    [
        ("12.10", "12.1"),
        ("1E2", "100"),
        ("-0", "0"),
        ("0.0000", "0"),
        ("1" + "0" * 2 + "." + "0" * 60, "100"),
        ("7", "7"),
    ],
)
def test_a_number_keeps_its_exact_value(number: str, shortest: str) -> None:
    value, field_errors = read_body(Body(EstimateEdit), b'{"markupPercent":%s}' % number.encode())
    assert (field_errors, value.markup_percent.shortest()) == ([], shortest)


@all_of(
    ("number", "code"),
    [
        ("0.00001", "too_precise"),
        ("1000.0001", "too_large"),
        ("-1", "too_small"),
        ("-0.0001", "too_small"),
        ("1." + "0" * 40 + "1", "too_precise"),
        ("1e-400", "too_precise"),
        ("1e400", "too_large"),
        ("9" * 5000, "too_large"),
        ("1e9999999999999999999", "too_large"),
        ("-1e9999999999999999999", "too_small"),
    ],
)
def test_a_number_out_of_bounds_or_too_precise_is_rejected(number: str, code: str) -> None:
    _, field_errors = read_body(Body(EstimateEdit), b'{"markupPercent":%s}' % number.encode())
    assert [(error.pointer, error.code) for error in field_errors] == [("/markupPercent", code)]


class _WithInteger(Struct, forbid_unknown_fields=True):
    angle: Annotated[int, Meta(ge=0, le=359)]


@all_of(
    ("number", "code"),
    [
        ("1.0", "type"),
        ("1e2", "type"),
        ("-1", "too_small"),
        ("360", "too_large"),
        ("9" * 5000, "too_large"),
        ("true", "type"),
    ],
)
def test_an_integer_has_no_fraction_or_exponent(number: str, code: str) -> None:
    _, field_errors = read_body(Body(_WithInteger), b'{"angle":%s}' % number.encode())
    assert [(error.pointer, error.code) for error in field_errors] == [("/angle", code)]


@pytest.mark.parametrize(
    "hostile",
    [
        lambda size: b'\\"' * (size // 2),
        lambda size: b'"' * size,
        lambda size: b"[" * size,
        lambda size: b"]" * size,
        lambda size: b"[]" * (size // 2),
        lambda size: b"{" + b",".join(b'"%x":0' % (number // 2) for number in range(size // 9)) + b"}",
        lambda size: b'{"title":"' + b"\\u0000" * (size // 6) + b'"}',
        lambda size: b'{"title":' + b"9" * size + b"}",
        lambda size: b'{"title":1e' + b"9" * size + b"}",
        lambda size: b'{"zzz":[' + b"9" * 3999 + (b"," + b"9" * 3999) * (size // 4000) + b"]}",
    ],
)
def test_reading_a_body_takes_linear_time(hostile: Callable[[int], bytes]) -> None:
    """Eight times the size takes about eight times as long; quadratic work would take sixty-four times."""
    payloads = [hostile(size) for size in (25_000, 200_000)]
    best = [math.inf, math.inf]
    # Other load makes single runs slower, and none faster.
    for _ in range(30):
        best = [min(seconds, _seconds(raw)) for seconds, raw in zip(best, payloads, strict=True)]
        if best[1] < max(24 * best[0], 0.05):
            break
    assert best[1] < max(24 * best[0], 0.05)


def _seconds(raw: bytes) -> float:
    """Processor time of one reading."""
    started = time.process_time()
    read_body(Body(NewOrder), raw)
    return time.process_time() - started


async def test_credentials_that_ended_are_judged_before_the_body(app: App) -> None:
    """Those of a caller who wrote lately are checked with the object, once its body has arrived."""
    anna = await app.owner()
    path = f"/orders/{(await anna.order())['id']}/status"
    assert (await anna.patch(path, {"status": "done"})).status_code == 200
    assert (await anna.patch(path, {"status": "lost"})).status_code == 400
    await app.db.write(lambda db: sessions.delete_all(db, anna.uid))
    for body in ({"status": "lost"}, {"status": "todo"}):
        assert (await anna.patch(path, body)).status_code == 401, body


async def test_credentials_that_ended_begin_one_transaction_at_most(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    """From then on they are judged before anything of the request is read."""
    anna = await app.owner()
    path = f"/orders/{(await anna.order())['id']}/status"
    await anna.patch(path, {"status": "done"})
    await app.db.write(lambda db: sessions.delete_all(db, anna.uid))
    lookups: list[LockedLookup] = []
    active = LockedLookup.active

    async def recorded(lookup: LockedLookup, *arguments: Any) -> Any:
        lookups.append(lookup)
        return await active(lookup, *arguments)

    monkeypatch.setattr(LockedLookup, "active", recorded)
    for _ in range(3):
        assert (await anna.patch(path, {"status": "todo"})).status_code == 401
    assert len(lookups) == 1
