"""Malformed request bodies: every operation rejects them quickly, with a precise error, and changes nothing."""

import json
import time
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple

import httpx
import pytest
from msgspec import Struct

from backbench.http.bodies import Body
from backbench.http.operations import Operation
from backbench.http.requests import MAX_JSON_SIZE, MAX_PUBLIC_JSON_SIZE
from backbench.routes import OPERATIONS
from backbench.values.errors import FieldError, ValidationError
from tests.people import App, Person, pointers
from tests.support import operation_samples
from tests.support.databases import running_app
from tests.support.run.engines import runs_all
from tests.support.violations import all_of, violations_or_changes

# Processor time: elapsed time depends on the other load of the machine.
LONGEST_SECONDS = 5.0
DEEP = 100_000
# The maximum size of a body, less room for the sample around it.
HEAVY = MAX_JSON_SIZE - 2_000


class Bad(NamedTuple):
    """A malformed request. `of` makes its body from a valid one."""

    name: str
    of: Callable[[bytes], bytes]
    status: int = 400
    headers: Mapping[str, str] = MappingProxyType({})


def whole_body(text: bytes) -> Callable[[bytes], bytes]:
    return lambda sample: text


def as_value(text: bytes) -> Callable[[bytes], bytes]:
    """The sample with `text` as the value of its first member."""

    def put(sample: bytes) -> bytes:
        members = json.loads(sample)
        first = next(iter(members))
        rest = {name: value for name, value in members.items() if name != first}
        return b"{%s:%s%s" % (json.dumps(first).encode(), text, b"," + json.dumps(rest).encode()[1:] if rest else b"}")

    return put


def with_member(text: bytes) -> Callable[[bytes], bytes]:
    """The sample with one more member. Even an ignored member must contain valid JSON."""
    return lambda sample: sample[:-1] + b"," + text + b"}"


def first_twice(sample: bytes) -> bytes:
    first = json.dumps(json.loads(sample), ensure_ascii=False).encode()
    name, value = next(iter(json.loads(sample).items()))
    return b"{%s:%s,%s" % (json.dumps(name).encode(), json.dumps(value).encode(), first[1:])


CORPUS = [
    Bad("empty", whole_body(b"")),
    Bad("spaces", whole_body(b" \n ")),
    Bad("not JSON", whole_body(b"title=Oak+table")),
    Bad("single quotes", whole_body(b"{'title': 'Oak table'}")),
    Bad("a bare name", whole_body(b'{title: "Oak table"}')),
    Bad("a comment", lambda sample: b"/* new */" + sample),
    Bad("an array", lambda sample: b"[" + sample + b"]"),
    Bad("null", whole_body(b"null")),
    Bad("a string", whole_body(b'"Oak table"')),
    Bad("a number", whole_body(b"12")),
    Bad("true", whole_body(b"true")),
    Bad("cut off", lambda sample: sample[:-1]),
    Bad("a comma too many", lambda sample: sample[:-1] + b",}"),
    Bad("two objects", lambda sample: sample + sample),
    Bad("text after the object", lambda sample: sample + b" x"),
    Bad("NUL after the object", lambda sample: sample + b"\x00"),
    Bad("a byte order mark", lambda sample: b"\xef\xbb\xbf" + sample),
    Bad("UTF-16", lambda sample: sample.decode().encode("utf-16")),
    Bad("UTF-32", lambda sample: sample.decode().encode("utf-32-le")),
    Bad("a duplicate member", first_twice),
    Bad("a duplicate member, nested", with_member(b'"zzz":{"a":1,"a":1}')),
    Bad("a duplicate member, escaped", with_member(b'"zzz":{"a":1,"\\u0061":1}')),
    Bad("NaN", with_member(b'"zzz":NaN')),
    Bad("Infinity", with_member(b'"zzz":Infinity')),
    Bad("-Infinity", with_member(b'"zzz":[-Infinity]')),
    Bad("NaN as a value", as_value(b"NaN")),
    Bad("1e400", as_value(b"1e400")),
    Bad("-1e400", as_value(b"-1e400")),
    Bad("a huge exponent", as_value(b"1e99999999999999999999")),
    Bad("a huge negative exponent", as_value(b"1e-99999999999999999999")),
    Bad("an exponent that decimals overflow at", as_value(b"1e1000000")),
    Bad("a huge integer", as_value(b"9" * 30)),
    Bad("an integer of 5,000 digits", as_value(b"-" + b"9" * 5_000)),
    Bad("an integer as long as a body may be", as_value(b"9" * HEAVY)),
    Bad("decimals as long as a body may be", as_value(b"0." + b"1" * HEAVY)),
    Bad("a leading zero", as_value(b"012")),
    Bad("a hexadecimal number", as_value(b"0x12")),
    Bad("half a surrogate pair", as_value(b'"\\ud83d"')),
    Bad("a reversed surrogate pair", as_value(b'"\\ude9a\\ud83d"')),
    Bad("half a surrogate pair in an ignored member", with_member(b'"zzz":["\\ud83d"]')),
    Bad("half a surrogate pair as a name", with_member(b'"\\ud83d":1')),
    Bad("half a surrogate pair as a name, nested", with_member(b'"zzz":{"\\ud83d":1}')),
    Bad("U+0000", as_value(b'"a\\u0000b"')),
    Bad("U+0000 in an ignored member", with_member(b'"zzz":"\\u0000"')),
    Bad("U+0000 in a name", with_member(b'"z\\u0000":1')),
    Bad("a raw NUL", as_value(b'"a\x00b"')),
    Bad("a raw line feed in a string", as_value(b'"a\nb"')),
    Bad("a raw control character in an ignored member", with_member(b'"zzz":"\x01"')),
    Bad("not UTF-8", as_value(b'"\xff"')),
    Bad("UTF-8 of a surrogate", as_value(b'"\xed\xa0\xbd"')),
    Bad("overlong UTF-8", as_value(b'"\xc0\xaf"')),
    Bad("not UTF-8 in an ignored member", with_member(b'"zzz":"\xff"')),
    Bad("an invalid escape", as_value(b'"\\x41"')),
    Bad("an incomplete escape", as_value(b'"\\u00"')),
    Bad("arrays 100,000 deep", as_value(b"[" * DEEP + b"]" * DEEP)),
    Bad("objects 40,000 deep", as_value(b'{"a":' * 40_000 + b"1" + b"}" * 40_000)),
    Bad("arrays 33 deep in an ignored member", with_member(b'"zzz":' + b"[" * 32 + b"]" * 32)),
    Bad("arrays 100,000 deep in an ignored member", with_member(b'"zzz":' + b"[" * DEEP + b"]" * DEEP)),
    Bad("brackets that never close", whole_body(b"[" * HEAVY)),
    Bad("objects that never close", whole_body(b'{"a":' * (HEAVY // 5))),
    Bad("brackets that never opened", whole_body(b"]}" * (HEAVY // 2))),
    Bad("quotes that never close", whole_body(b'\\"' * (HEAVY // 2))),
    Bad("quotes only", whole_body(b'"' * HEAVY)),
    Bad("one string that never closes", whole_body(b'{"' + b"a" * HEAVY)),
    Bad("a member 30,000 times", whole_body(b"{" + b'"a":0,' * 30_000 + b'"a":0}')),
    Bad(
        "20,000 unknown members and a duplicate",
        whole_body(b"{" + b",".join(b'"%d":0' % n for n in [*range(20_000), 1]) + b"}"),
    ),
    Bad("text as long as a body may be", as_value(b'"' + b"a" * HEAVY + b'"')),
    Bad("an address as long as a body may be", as_value(b'"a@' + b"a." * (HEAVY // 2) + b'"')),
    Bad("too large", lambda sample: sample + b" " * MAX_JSON_SIZE, 413),
    Bad("too large and not JSON", whole_body(b"x" * (MAX_JSON_SIZE + 1)), 413),
    Bad("plain text", lambda sample: sample, 415, {"content-type": "text/plain"}),
    Bad("a form", lambda sample: sample, 415, {"content-type": "application/x-www-form-urlencoded"}),
    Bad("a multipart form", lambda sample: sample, 415, {"content-type": "multipart/form-data; boundary=x"}),
    Bad("nearly JSON", lambda sample: sample, 415, {"content-type": "application/jsonp"}),
    Bad("another JSON type", lambda sample: sample, 415, {"content-type": "application/merge-patch+json"}),
    Bad("no content type", lambda sample: sample, 415, {"content-type": ""}),
    Bad("compressed", lambda sample: sample, 415, {"content-encoding": "gzip"}),
    Bad("content-encoding identity", lambda sample: sample, 415, {"content-encoding": "identity"}),
    Bad("too large and of another type", whole_body(b"x" * (MAX_JSON_SIZE + 1)), 415, {"content-type": "text/plain"}),
]

BODIES = [operation for operation in OPERATIONS if operation.body is not None]
LARGE = 50_000
EVERY, EVERY_LARGE = (1, 4) if runs_all() else (3, 12)


@pytest.fixture(scope="module")
async def anna(new_database_url: Callable[[], str]) -> AsyncIterator[Person]:
    async with running_app(new_database_url(), workshops_per_account=1000, default_plan="free") as app:
        yield await app.owner("Anna")


@pytest.fixture(scope="module")
def objects(anna: Person) -> operation_samples.SharedObjects:
    """Objects of Anna for requests that change none of them."""
    return operation_samples.SharedObjects(anna)


async def test_a_bad_body_is_rejected_quickly_and_changes_nothing(
    anna: Person, objects: operation_samples.SharedObjects
) -> None:
    # Each operation has a client of its own: the answers of one link are limited.
    callers = [await operation_samples.caller_for(operation, anna) for operation in BODIES]
    paths = [await objects.path_for(operation) for operation in BODIES]
    async with violations_or_changes(anna.app.db) as case:
        for operation, caller, path in zip(BODIES, callers, paths, strict=True):
            with case(operation_samples.line(operation)):
                await send_bad_bodies(operation, caller, path)


async def send_bad_bodies(operation: Operation, allowed: Person, path: str) -> None:
    """Sends bad bodies made from the sample of the operation; each must be rejected quickly."""
    sample = json.dumps(operation_samples.body_for(operation)).encode()
    # A body is rejected before the database is used: the second engine gets every fifth.
    corpus = CORPUS if allowed.app.engine == "sqlite" else CORPUS[::5]
    turn = BODIES.index(operation)
    for number, bad in enumerate(corpus):
        # Sign-in attempts are limited per address, so each one comes from another address.
        caller = allowed if operation.access.needs_session else allowed.app.anonymous(f"192.0.2.{number}")
        body = bad.of(sample)
        # The code that reads bodies is one for all operations: each is sent to every third, and to all of them with
        # TEST_ENGINES=all; a large one, of which a few cost most of the time, to every twelfth or fourth.
        if (turn + number) % (EVERY_LARGE if len(body) > LARGE else EVERY):
            continue
        if bad.status == 400 and len(body) > operation.max_json_size:
            bad = bad._replace(status=413)
        started = time.process_time()
        response = await caller.send(operation.method, path, body, bad.headers)
        assert time.process_time() - started < LONGEST_SECONDS, bad.name
        must_reject(response, operation, bad)


def must_reject(response: httpx.Response, operation: Operation, bad: Bad) -> None:
    assert response.status_code == bad.status, (bad.name, response.text[:200])
    if bad.status == 400 and operation.hides_validation_errors:
        assert response.content == b"", bad.name
        return
    assert response.headers["content-type"] == "application/json"
    problem = response.json()
    assert {"type", "title", "status", "detail", "code"} <= set(problem), bad.name
    assert problem["status"] == bad.status
    if bad.status == 400:
        assert problem["code"] == "validation_error"
        assert 1 <= len(problem["errors"]) <= 100, bad.name
        assert all(set(error) == {"pointer", "code", "detail"} for error in problem["errors"])
        # "invalid" is the code of an error without a specific description.
        assert "invalid" not in {error["code"] for error in problem["errors"]}, bad.name


# All but the messages of agents, which have a body of another protocol.
BODYLESS = [
    each
    for each in OPERATIONS
    if each.body is None and each.form is None and not each.is_safe and each.name != "callTools"
]


@all_of("operation", BODYLESS, ids=operation_samples.line)
async def test_an_operation_without_a_body_ignores_one(anna: Person, operation: Operation) -> None:
    again = await operation_samples.signed_in_again(anna)
    again.workshop = (await anna.post("/workshops", {"name": "Oak & Ash"})).json()["id"]
    path = await operation_samples.create_path_for(operation, again)
    caller = await operation_samples.caller_for(operation, again)
    response = await caller.send(operation.method, path, b"[" * 1000, {"content-type": "text/plain"})
    assert response.status_code == operation_samples.STATUSES.get(operation_samples.line(operation), operation.status)


@pytest.mark.parametrize(("number", "detail"), [(99, "(and 98 more)"), (100, "(and 99 more)"), (101, "first 100")])
async def test_at_most_100_validation_errors_are_listed(app: App, number: int, detail: str) -> None:
    anna = await app.owner("Anna")
    body = {"name": "Kitchen", **{f"unknown{each}": 0 for each in range(number)}}
    problem = (await anna.post(f"/workshops/{anna.workshop}/estimates", body)).json()
    assert len(problem["errors"]) == min(number, 100)
    assert detail in problem["detail"]


class Counted(Struct):
    """Never valid; counts how often it is validated."""

    number = 0

    def field_errors(self) -> Iterator[FieldError]:
        Counted.number += 1
        yield FieldError("", "never_valid", "Never valid")


class Many(Struct):
    entries: list[Counted]


def test_validation_stops_after_the_listed_errors() -> None:
    """Otherwise a client without an account could occupy the processor with one body."""
    with pytest.raises(ValidationError) as raised:
        Body(Many).read(b'{"entries":[' + b",".join([b"{}"] * 5_000) + b"]}")
    assert len(raised.value.field_errors) == 101
    # The first is found once more: that there is any error is found before they are listed.
    assert Counted.number == 102


async def test_a_client_without_an_account_may_send_8_kib(app: App) -> None:
    body = b'{"token":"x"}'
    for size, status in ((MAX_PUBLIC_JSON_SIZE, 400), (MAX_PUBLIC_JSON_SIZE + 1, 413)):
        response = await app.anonymous().post("/accounts/verify", body + b" " * (size - len(body)))
        assert response.status_code == status


async def test_a_body_of_the_maximum_size_is_accepted(app: App) -> None:
    anna = await app.owner("Anna")
    body = b'{"title":"Oak table"}'
    response = await anna.post(f"/workshops/{anna.workshop}/orders", body + b" " * (MAX_JSON_SIZE - len(body)))
    assert response.status_code == 201


async def test_an_ignored_member_may_nest_to_a_depth_of_32(app: App) -> None:
    anna = await app.owner("Anna")
    body = b'{"title":"Oak table","zzz":' + b"[" * 31 + b"]" * 31 + b"}"
    assert (await anna.post(f"/workshops/{anna.workshop}/orders", body)).status_code == 201


async def test_an_ignored_member_may_contain_any_number(app: App) -> None:
    anna = await app.owner("Anna")
    body = b'{"title":"Oak table","zzz":[1e400,-1e99999999999999999999,%s]}' % (b"9" * 5000)
    assert (await anna.post(f"/workshops/{anna.workshop}/orders", body)).status_code == 201


async def test_text_may_contain_json_syntax(app: App) -> None:
    anna = await app.owner("Anna")
    title = '{"title": ["\\u0000", NaN]}: ' + "[" * 40 + "\\"
    assert (await anna.order(title=title))["title"] == title


@pytest.mark.parametrize(
    "content_type", ["application/json; charset=utf-8", "Application/JSON", "application/json ;a=b"]
)
async def test_the_json_content_type_may_have_parameters(app: App, content_type: str) -> None:
    anna = await app.owner("Anna")
    path = f"/workshops/{anna.workshop}/orders"
    response = await anna.post(path, {"title": "Oak table"}, content_type=content_type)
    assert response.status_code == 201


@pytest.mark.parametrize(
    ("path", "body", "pointer"),
    [
        ("/workshops/{w}/orders", {"title": "Oak table\n"}, "/title"),
        ("/workshops/{w}/orders", {"title": "x", "customerName": "Łucja\n"}, "/customerName"),
        ("/workshops/{w}/estimates", {"name": "Kitchen\n"}, "/name"),
        ("/workshops", {"name": "Oak\n"}, "/name"),
        ("/workshops", {"name": "Oak", "accentColor": "#102030\n"}, "/accentColor"),
        ("/me/api-keys", {"name": "Window\n", "scopes": ["orders:read"]}, "/name"),
    ],
)
async def test_a_trailing_line_feed_is_part_of_the_value(
    app: App, path: str, body: dict[str, object], pointer: str
) -> None:
    anna = await app.owner("Anna")
    assert pointers(await anna.post(path.replace("{w}", anna.workshop), body)) == [pointer]


async def test_a_field_error_has_the_json_pointer_of_its_value(app: App) -> None:
    anna = await app.owner("Anna")
    line = {"label": "Oak", "unit": "sqm", "unitPrice": 1, "quantity": 1}
    wrong = [line, line | {"quantity": -1}, {"label": "", "unit": "mile", "unitPrice": "1", "a/b~c": 1}]
    response = await anna.post(f"/workshops/{anna.workshop}/estimates", {"name": "Kitchen", "lineItems": wrong})
    assert sorted(pointers(response)) == [
        "/lineItems/1/quantity",
        "/lineItems/2/a~1b~0c",
        "/lineItems/2/label",
        "/lineItems/2/quantity",
        "/lineItems/2/unit",
        "/lineItems/2/unitPrice",
    ]


async def test_query_parameters_are_validated_against_their_schema(app: App) -> None:
    anna = await app.owner("Anna")
    path = f"/workshops/{anna.workshop}/orders"
    assert pointers(await anna.get(f"{path}?limit=0&status=lost&cursor=%00")) == ["/limit", "/status", "/cursor"]
    for query in (
        "limit=501",
        "limit=-1",
        "limit=1.0",
        "limit=",
        "limit=x",
        "limit=1%0A",
        "limit=٣",
        "limit=" + "9" * 500,
    ):
        assert pointers(await anna.get(f"{path}?{query}")) == ["/limit"], query
    for query in ("cursor=x", "cursor=%FF", "cursor=", "cursor=" + "A" * 300, "cursor=YSBiIGM", "cursor=YQBiIGM"):
        assert pointers(await anna.get(f"{path}?{query}")) == ["/cursor"], query
    for query in ("q=%00", "q=%ED%A0%80", "q=%FF", "q=" + "a" * 251):
        assert pointers(await anna.get(f"{path}?{query}")) == ["/q"], query
