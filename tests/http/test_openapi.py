"""OpenAPI document: valid and complete, and every response matches it."""

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

# Installed with Schemathesis; it has no types.
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]
from openapi_spec_validator import OpenAPIV31SpecValidator
from schemathesis import GenerationMode
from schemathesis.core.failures import FailureGroup
from schemathesis.specs.openapi import checks

from backbench.api.routes import OPERATIONS
from backbench.domain.values.limits import Limit
from backbench.http.openapi.document import document
from backbench.http.operations import Operation
from tests.people import Person, Shop
from tests.support import samples
from tests.support.engines import opened_shop

CHECKS = [
    checks.status_code_conformance,
    checks.content_type_conformance,
    checks.response_schema_conformance,
    checks.response_headers_conformance,
]
LONGEST_URL = 60_000
UNLIMITED = Limit(10**9, 900)

every = pytest.mark.parametrize("operation", OPERATIONS, ids=samples.line)


@cache
def served_document() -> dict[str, Any]:
    """The document as clients receive it."""
    described: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(document(OPERATIONS)))
    return described


def declared(operation: Operation) -> dict[str, Any]:
    described: dict[str, Any] = served_document()["paths"][operation.path][operation.method.lower()]
    return described


# The document itself


def test_the_openapi_document_is_valid() -> None:
    assert list(OpenAPIV31SpecValidator(served_document()).iter_errors()) == []


async def test_the_openapi_document_is_public(shop: Shop) -> None:
    response = await shop.visitor().get("/openapi.json")
    assert response.status_code == 200
    assert response.headers["content-type"] == "application/json"
    assert response.json() == served_document()


def test_the_openapi_document_has_the_api_version() -> None:
    assert (served_document()["openapi"][:3], served_document()["info"]["version"]) == ("3.1", "0.40.0")


def test_the_openapi_document_lists_exactly_the_operations() -> None:
    listed = {(method.upper(), path) for path, methods in served_document()["paths"].items() for method in methods}
    assert listed == {(operation.method, operation.path) for operation in OPERATIONS}


def test_every_operation_has_a_unique_id_and_is_experimental() -> None:
    described = [declared(operation) for operation in OPERATIONS]
    assert len({entry["operationId"] for entry in described}) == len(OPERATIONS)
    assert {entry["x-stability"] for entry in described} == {"experimental"}
    assert all(entry["summary"] for entry in described)


@every
def test_the_security_of_every_operation_is_declared(operation: Operation) -> None:
    session: dict[str, list[str]] = {"session": []} if operation.is_safe else {"session": [], "csrf": []}
    expected: list[Any] = [session] if operation.access.needs_session else []
    if operation.access.scope:
        expected.append({"apiKey": []})
    assert declared(operation)["security"] == expected


@every
def test_error_responses_have_the_schemas_of_the_contract(operation: Operation) -> None:
    for status, response in declared(operation)["responses"].items():
        body = response.get("content", {}).get("application/json", {}).get("schema", {}).get("$ref", "")
        if status in ("401", "403", "404", "304"):
            assert "content" not in response
        elif status[0] in "45" and not (status == "400" and 400 in operation.errors) and status != "416":
            name = "ValidationError" if status == "400" else "Problem"
            assert (
                "content" not in response
                if operation.hides_validation_errors and status == "400"
                else body.endswith(f"/{name}")
            )


def test_only_the_lenient_body_declares_additional_properties() -> None:
    for operation in OPERATIONS:
        if operation.body is not None:
            schema = served_document()["components"]["schemas"][operation.body.__name__]
            is_lenient = samples.line(operation) == "POST /workshops/{workshopId}/orders"
            assert schema.get("additionalProperties", True) is is_lenient, samples.line(operation)


@every
def test_every_sample_body_matches_its_schema(operation: Operation) -> None:
    sample = samples.body_for(operation)
    if sample is not None:
        reference = declared(operation)["requestBody"]["content"]["application/json"]["schema"]
        validator = Draft202012Validator({**reference, "components": served_document()["components"]})
        assert list(validator.iter_errors(sample)) == []


# Generated requests


@cache
def exact() -> Any:
    """The document for Schemathesis, in which a response may have no undeclared member."""
    closed = copy.deepcopy(served_document())
    for name, component in closed["components"]["schemas"].items():
        if name not in ("Problem", "ValidationError", "NewOrder"):
            component["additionalProperties"] = False
        for member in component["properties"].values():
            if member.get("format") == "email":
                # Generating text by this pattern takes seconds; by its format, almost no time.
                del member["pattern"]
    return schemathesis.openapi.from_dict(closed)


@cache
def requests_for(operation: Operation, mode: GenerationMode) -> st.SearchStrategy[Any]:
    strategy: st.SearchStrategy[Any] = exact()[operation.path][operation.method].as_strategy(generation_mode=mode)
    return strategy


def modes(operation: Operation) -> list[GenerationMode]:
    """Valid requests, and invalid ones if anything can be invalid."""
    can_be_invalid = operation.access.needs_session or operation.body or operation.query or operation.form
    return [GenerationMode.POSITIVE, GenerationMode.NEGATIVE] if can_be_invalid else [GenerationMode.POSITIVE]


@pytest.fixture(scope="module")
async def unlimited_app(new_database_url: Callable[[], str]) -> AsyncIterator[Shop]:
    """An app without limits on sign-in attempts."""
    limits = {"sign_in_limit": UNLIMITED, "sign_in_ceiling": UNLIMITED}
    async with opened_shop(new_database_url(), **limits) as shop:
        yield shop


@pytest.fixture
async def anna(unlimited_app: Shop) -> Person:
    return await unlimited_app.owner("Anna")


async def send(person: Person, case: Any) -> httpx.Response | None:
    """The response to the generated request, sent with the person's own credentials.

    None if its URL is longer than this client sends.
    """
    arguments = case.as_transport_kwargs(base_url="http://127.0.0.1:8000/api")
    known = {"method", "url", "headers", "params", "json", "data", "files"}
    sent = requests.Request(**{name: value for name, value in arguments.items() if name in known}).prepare()
    own = ("cookie", "x-csrf-token", "authorization")
    headers = [
        (name.encode(), str(value).encode("latin-1")) for name, value in sent.headers.items() if name.lower() not in own
    ]
    headers.append((b"x-csrf-token", (person.browser.cookies.get("csrf-token") or "").encode()))
    body = sent.body.encode() if isinstance(sent.body, str) else sent.body
    assert body is None or isinstance(body, bytes)
    if len(str(sent.url)) > LONGEST_URL:
        return None
    return await person.browser.request(str(sent.method), str(sent.url), headers=headers, content=body)


async def must_match_the_document(person: Person, operation: Operation, case: Any, *, with_existing_ids: bool) -> None:
    caller = await samples.signed_in_again(person)
    if with_existing_ids:
        found: dict[str, str] = {}
        for name in operation.path_names:
            found[name] = await samples.THINGS[name](caller, found)
        case.path_parameters = found
    response = await send(caller, case)
    if response is None or (operation.name == "createHandoff" and response.status_code == 400):
        # A hand-off's 400 comes with a body and without one, which OpenAPI cannot express.
        return
    assert response.status_code < 500 or response.json()["code"].endswith("_not_configured"), response.text
    try:
        case.validate_response(response, checks=CHECKS)
    except FailureGroup as failures:
        # An exception group would end the event loop that these tests share.
        raise AssertionError(str(failures)) from None


async def check_examples(person: Person, operation: Operation, number: int, *, fixed: bool) -> None:
    """Generates and checks that many requests, in a thread other than that of the event loop.

    `fixed`: the same requests in every run, others on the other engine.
    """
    chance = crc32(f"{person.shop.engine} {samples.line(operation)}".encode()) if fixed else randbits(32)
    loop = asyncio.get_running_loop()
    strategy = st.one_of([requests_for(operation, mode) for mode in modes(operation)])

    @seed(chance)
    @settings(
        max_examples=number,
        deadline=None,
        database=None,
        # No shrinking of a failing request: it would take minutes.
        phases=[Phase.generate],
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
    )
    @given(case=strategy, with_existing_ids=st.booleans())
    def each(case: Any, with_existing_ids: bool) -> None:
        check = must_match_the_document(person, operation, case, with_existing_ids=with_existing_ids)
        asyncio.run_coroutine_threadsafe(check, loop).result(30)

    await asyncio.to_thread(each)


@every
async def test_every_response_matches_the_openapi_document(anna: Person, operation: Operation) -> None:
    await check_examples(anna, operation, 3, fixed=True)


@pytest.mark.prove
@every
async def test_every_response_matches_the_openapi_document_at_length(anna: Person, operation: Operation) -> None:
    await check_examples(anna, operation, 400, fixed=False)
