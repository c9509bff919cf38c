"""The API's document: valid, complete, and true: whatever is sent, no answer comes that it does not tell of."""

import asyncio
import copy
from collections.abc import AsyncIterator, Callable
from functools import cache
from secrets import randbits
from typing import Any
from zlib import crc32

import httpx
import msgspec
import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

# Comes with Schemathesis, and without types.
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]
from openapi_spec_validator import OpenAPIV31SpecValidator
from schemathesis import GenerationMode
from schemathesis.core.failures import FailureGroup
from schemathesis.specs.openapi import checks as told

from backbench.api.routes import OPERATIONS
from backbench.domain.values.limits import Limit
from backbench.http.openapi.document import document
from backbench.http.operations import Operation
from tests.people import Person, Shop
from tests.support import samples
from tests.support.engines import opened_shop

CHECKS = [
    told.status_code_conformance,
    told.content_type_conformance,
    told.response_schema_conformance,
    told.response_headers_conformance,
]
LONGEST_URL = 60_000
UNLIMITED = Limit(10**9, 900)

every = pytest.mark.parametrize("operation", OPERATIONS, ids=samples.line)


@cache
def served() -> dict[str, Any]:
    """The document as clients get it."""
    described: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(document(OPERATIONS)))
    return described


def told_of(operation: Operation) -> dict[str, Any]:
    described: dict[str, Any] = served()["paths"][operation.path][operation.method.lower()]
    return described


# The document itself


def test_the_openapi_document_is_valid() -> None:
    assert list(OpenAPIV31SpecValidator(served()).iter_errors()) == []


async def test_the_openapi_document_is_public(shop: Shop) -> None:
    answer = await shop.visitor().get("/openapi.json")
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "application/json"
    assert answer.json() == served()


def test_the_openapi_document_has_the_api_version() -> None:
    assert (served()["openapi"][:3], served()["info"]["version"]) == ("3.1", "0.40.0")


def test_the_openapi_document_lists_exactly_the_operations() -> None:
    listed = {(method.upper(), path) for path, methods in served()["paths"].items() for method in methods}
    assert listed == {(operation.method, operation.path) for operation in OPERATIONS}


def test_every_operation_has_a_unique_id_and_is_experimental() -> None:
    described = [told_of(operation) for operation in OPERATIONS]
    assert len({entry["operationId"] for entry in described}) == len(OPERATIONS)
    assert {entry["x-stability"] for entry in described} == {"experimental"}
    assert all(entry["summary"] for entry in described)


@every
def test_the_security_of_every_operation_is_declared(operation: Operation) -> None:
    session: dict[str, list[str]] = {"session": []} if operation.is_safe else {"session": [], "csrf": []}
    expected: list[Any] = [session] if operation.access.needs_session else []
    if operation.access.scope:
        expected.append({"apiKey": []})
    assert told_of(operation)["security"] == expected


@every
def test_error_responses_have_the_schemas_of_the_contract(operation: Operation) -> None:
    for status, answer in told_of(operation)["responses"].items():
        body = answer.get("content", {}).get("application/json", {}).get("schema", {}).get("$ref", "")
        if status in ("401", "403", "404", "304"):
            assert "content" not in answer
        elif status[0] in "45" and not (status == "400" and 400 in operation.errors) and status != "416":
            name = "ValidationError" if status == "400" else "Problem"
            assert (
                "content" not in answer
                if operation.hides_validation_errors and status == "400"
                else body.endswith(f"/{name}")
            )


def test_only_the_lenient_body_declares_additional_properties() -> None:
    for operation in OPERATIONS:
        if operation.body is not None:
            schema = served()["components"]["schemas"][operation.body.__name__]
            is_lenient = samples.line(operation) == "POST /workshops/{workshopId}/orders"
            assert schema.get("additionalProperties", True) is is_lenient, samples.line(operation)


@every
def test_every_sample_body_matches_its_schema(operation: Operation) -> None:
    sample = samples.body_for(operation)
    if sample is not None:
        reference = told_of(operation)["requestBody"]["content"]["application/json"]["schema"]
        validator = Draft202012Validator({**reference, "components": served()["components"]})
        assert list(validator.iter_errors(sample)) == []


# Requests made up from it


@cache
def exact() -> Any:
    """The document for Schemathesis, where no member may be answered that it does not name."""
    closed = copy.deepcopy(served())
    for name, component in closed["components"]["schemas"].items():
        if name not in ("Problem", "ValidationError", "NewOrder"):
            component["additionalProperties"] = False
        for member in component["properties"].values():
            if member.get("format") == "email":
                # To make up text by this pattern takes seconds; by its format, next to nothing.
                del member["pattern"]
    return schemathesis.openapi.from_dict(closed)


@cache
def requests_for(operation: Operation, mode: GenerationMode) -> st.SearchStrategy[Any]:
    strategy: st.SearchStrategy[Any] = exact()[operation.path][operation.method].as_strategy(generation_mode=mode)
    return strategy


def modes(operation: Operation) -> list[GenerationMode]:
    """Right requests, and wrong ones where there is something to be wrong."""
    can_be_wrong = operation.access.needs_session or operation.body or operation.query or operation.form
    return [GenerationMode.POSITIVE, GenerationMode.NEGATIVE] if can_be_wrong else [GenerationMode.POSITIVE]


@pytest.fixture(scope="module")
async def open_shop(new_database_url: Callable[[], str]) -> AsyncIterator[Shop]:
    """A shop that anybody may try to get into as often as they like."""
    limits = {"sign_in_limit": UNLIMITED, "sign_in_ceiling": UNLIMITED}
    async with opened_shop(new_database_url(), **limits) as shop:
        yield shop


@pytest.fixture
async def anna(open_shop: Shop) -> Person:
    return await open_shop.owner("Anna")


async def answered(person: Person, case: Any) -> httpx.Response | None:
    """What the person is answered to the request that was made up; she is herself whatever it says.

    None where its address is longer than this client sends any.
    """
    made = case.as_transport_kwargs(base_url="http://127.0.0.1:8000/api")
    known = {"method", "url", "headers", "params", "json", "data", "files"}
    sent = requests.Request(**{name: value for name, value in made.items() if name in known}).prepare()
    unwanted = ("cookie", "x-csrf-token", "authorization")
    headers = [
        (name.encode(), str(value).encode("latin-1"))
        for name, value in sent.headers.items()
        if name.lower() not in unwanted
    ]
    headers.append((b"x-csrf-token", (person.browser.cookies.get("csrf-token") or "").encode()))
    body = sent.body.encode() if isinstance(sent.body, str) else sent.body
    assert body is None or isinstance(body, bytes)
    if len(str(sent.url)) > LONGEST_URL:
        return None
    return await person.browser.request(str(sent.method), str(sent.url), headers=headers, content=body)


async def must_be_told_of(person: Person, operation: Operation, case: Any, *, of_a_thing: bool) -> None:
    caller = await samples.signed_in_again(person)
    if of_a_thing:
        found: dict[str, str] = {}
        for name in operation.path_names:
            found[name] = await samples.THINGS[name](caller, found)
        case.path_parameters = found
    answer = await answered(caller, case)
    if answer is None or (operation.name == "createHandoff" and answer.status_code == 400):
        # A hand-off's 400 comes with a body and without one, which OpenAPI cannot tell.
        return
    assert answer.status_code < 500 or answer.json()["code"].endswith("_not_configured"), answer.text
    try:
        case.validate_response(answer, checks=CHECKS)
    except FailureGroup as failures:
        # A group would end the loop that all of these tests share.
        raise AssertionError(str(failures)) from None


async def try_out(person: Person, operation: Operation, number: int, *, fixed: bool) -> None:
    """Makes up that many requests, in a thread beside the loop that answers them.

    `fixed`: the same ones each time, other ones on the other engine.
    """
    chance = crc32(f"{person.shop.engine} {samples.line(operation)}".encode()) if fixed else randbits(32)
    loop = asyncio.get_running_loop()
    strategy = st.one_of([requests_for(operation, mode) for mode in modes(operation)])

    @seed(chance)
    @settings(
        max_examples=number,
        deadline=None,
        database=None,
        # What fails is shown as it was made up: to find a shorter one takes minutes.
        phases=[Phase.generate],
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
    )
    @given(case=strategy, of_a_thing=st.booleans())
    def each(case: Any, of_a_thing: bool) -> None:
        asked = must_be_told_of(person, operation, case, of_a_thing=of_a_thing)
        asyncio.run_coroutine_threadsafe(asked, loop).result(30)

    await asyncio.to_thread(each)


@every
async def test_every_response_matches_the_openapi_document(anna: Person, operation: Operation) -> None:
    await try_out(anna, operation, 3, fixed=True)


@pytest.mark.prove
@every
async def test_every_response_matches_the_openapi_document_at_length(anna: Person, operation: Operation) -> None:
    await try_out(anna, operation, 400, fixed=False)
