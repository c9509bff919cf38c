"""OpenAPI document: valid, complete, with texts and examples, and correct: no response that it does not describe."""

import asyncio
import copy
import json
import os
import re
import subprocess
from collections.abc import AsyncIterator, Callable, Iterator
from decimal import Decimal
from functools import cache
from http import HTTPStatus
from pathlib import Path
from secrets import randbits
from sysconfig import get_path
from typing import TYPE_CHECKING, Any
from zlib import crc32

import httpx
import msgspec
import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

# Comes with Schemathesis, and without types.
from jsonschema import Draft202012Validator, FormatChecker  # type: ignore[import-untyped]
from msgspec import UNSET
from tools import api_build, examples

from backbench.http.checks import check_for
from backbench.http.openapi.document import document
from backbench.http.openapi.pages import docs_page
from backbench.http.openapi.reference import read, read_parameters, read_properties
from backbench.http.operations import Operation
from backbench.integrations import ai
from backbench.integrations.prompts import Prompt, material_as_json
from backbench.reference import reference, scopes
from backbench.routes import OPERATIONS
from backbench.values.limits import Limit
from backbench.values.scalars import EMAIL_PATTERN
from tests.people import App, Person
from tests.support import operation_samples
from tests.support.databases import running_app
from tests.support.providers.ai_server import ModelRequest, good_response
from tests.support.run.engines import runs_all
from tests.support.violations import all_of

if TYPE_CHECKING:
    from schemathesis import GenerationMode

LONGEST_URL = 60_000
UNLIMITED = Limit(10**9, 900)

ROOT = Path(__file__).parents[2]
CODE = ROOT / "src" / "backbench"
PYTHON_WORDS = re.compile(r"\b(Raises|NotFound|RateLimited|TooLarge|Conflict `|\w+Error)|\w\(\)|[{}]")

for_every = all_of("operation", OPERATIONS, operation_samples.line)


@cache
def served() -> dict[str, Any]:
    """The document as clients get it."""
    made = document(OPERATIONS, reference(), scopes.described(scopes.scope_rows(OPERATIONS)))
    described: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(made))
    return described


def entry_of(operation: Operation) -> dict[str, Any]:
    entry: dict[str, Any] = served()["paths"][operation.path][operation.method.lower()]
    return entry


def json_of(described: dict[str, Any]) -> dict[str, Any]:
    """The JSON content of a request body or a response."""
    content: dict[str, Any] = described["content"]["application/json"]
    return content


def schema_errors(schema: dict[str, Any], value: Any) -> list[Any]:
    """The errors of a value by a schema of the document, formats included."""
    validator = Draft202012Validator({**schema, "components": served()["components"]}, format_checker=FormatChecker())
    return list(validator.iter_errors(value))


def exact_numbers(value: Any) -> Any:
    return msgspec.json.Decoder(float_hook=Decimal).decode(msgspec.json.encode(value))


# The document itself


def openapi_errors(described: dict[str, Any]) -> list[str]:
    from openapi_spec_validator import OpenAPIV31SpecValidator

    return [error.message for error in OpenAPIV31SpecValidator(described).iter_errors()]


def test_the_document_is_valid_openapi() -> None:
    assert openapi_errors(served()) == []


def test_an_invalid_schema_of_the_document_is_found() -> None:
    broken = {**served(), "paths": {}, "components": {"schemas": {"NewPayment": {"minimum": "0"}}}}
    assert openapi_errors(broken) == ["'0' is not of type 'number'"]


def test_the_build_number_rises_with_each_change_of_the_document() -> None:
    build = api_build.stored()
    assert build.digest == api_build.digest_of(served()), "run `python -m tools.api_build`"
    assert served()["info"]["x-build"] == build.build
    assert f"build {build.build}." in (ROOT / "CHANGELOG.md").read_text("utf-8"), "name the changes in CHANGELOG.md"


def test_no_number_has_two_least_values() -> None:
    def both(part: Any) -> Iterator[Any]:
        if isinstance(part, dict):
            if {"minimum", "exclusiveMinimum"} <= part.keys():
                yield part
            part = list(part.values())
        if isinstance(part, list):
            for each in part:
                yield from both(each)

    assert list(both(served())) == []
    assert served()["components"]["schemas"]["NewPayment"]["properties"]["amount"]["exclusiveMinimum"] == 0


def test_patterns_are_regular_expressions_of_javascript() -> None:
    """With the flag `u`, as JSON Schema recommends, and with `v`, as the attribute `pattern` of HTML has it."""

    def patterns(part: Any) -> Iterator[str]:
        if isinstance(part, dict):
            if isinstance(part.get("pattern"), str):
                yield part["pattern"]
            part = list(part.values())
        if isinstance(part, list):
            for each in part:
                yield from patterns(each)

    found = sorted(set(patterns(served())))
    program = """
        const patterns = JSON.parse(Deno.args[0]);
        for (const each of patterns) { new RegExp(each, "u"); new RegExp(each, "v"); }
        console.log(new RegExp(Deno.args[1], "u").test("zoë@example.com"), patterns.length);
    """
    command = [str(Path(get_path("scripts")) / "deno"), "eval", "--quiet", program, json.dumps(found), EMAIL_PATTERN]
    ran = subprocess.run(command, env=os.environ | {"DENO_NO_UPDATE_CHECK": "1"}, capture_output=True, text=True)
    assert (ran.returncode, ran.stdout) == (0, f"true {len(found)}\n"), ran.stderr
    assert EMAIL_PATTERN in found


async def test_the_document_is_served_to_anybody(app: App) -> None:
    response = await app.anonymous().get("/openapi.json")
    assert response.status_code == 200
    assert response.headers["content-type"] == "application/json"
    assert response.json() == served()


def test_the_document_has_the_version_and_license_of_the_api() -> None:
    info = served()["info"]
    assert (served()["openapi"][:3], info["version"], info["license"]["identifier"]) == ("3.1", "0.40.0", "MIT")


def test_the_document_has_every_operation_and_no_other() -> None:
    listed = {(method.upper(), path) for path, methods in served()["paths"].items() for method in methods}
    assert listed == {(operation.method, operation.path) for operation in OPERATIONS}


def test_every_operation_has_its_own_id_and_is_marked_experimental() -> None:
    entries = [entry_of(operation) for operation in OPERATIONS]
    assert len({entry["operationId"] for entry in entries}) == len(OPERATIONS)
    assert {entry["x-stability"] for entry in entries} == {"experimental"}


@for_every
def test_the_document_says_who_may_call(operation: Operation) -> None:
    session: dict[str, list[str]] = {"session": []} if operation.is_safe else {"session": [], "csrf": []}
    expected: list[Any] = [session] if operation.access.needs_session and operation.access.takes_session else []
    expected += [{"apiKey": list(scopes)} for scopes in operation.access.keys]
    expected += [{"link": []}] if operation.access.takes_link else []
    assert entry_of(operation)["security"] == expected


@for_every
def test_errors_have_the_bodies_of_the_contract(operation: Operation) -> None:
    for status, response in entry_of(operation)["responses"].items():
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


def test_only_the_body_that_ignores_unknown_members_allows_them() -> None:
    for operation in OPERATIONS:
        if operation.body is not None:
            schema = served()["components"]["schemas"][operation.body.__name__]
            is_lenient = operation.name == "createOrder"
            assert schema.get("additionalProperties", True) is is_lenient, operation.name


@for_every
def test_a_body_that_the_service_accepts_is_valid_in_the_document(operation: Operation) -> None:
    sample = operation_samples.body_for(operation)
    if sample is not None and operation.body is not None:
        assert schema_errors(json_of(entry_of(operation)["requestBody"])["schema"], sample) == []


# Its texts


def test_the_texts_are_of_the_operations_and_of_no_other() -> None:
    assert reference().texts.operations.keys() == {operation.name for operation in OPERATIONS}


def test_summaries_are_unique_short_and_in_plain_words() -> None:
    summaries = [entry_of(operation)["summary"] for operation in OPERATIONS]
    assert len(set(summaries)) == len(OPERATIONS)
    for summary in summaries:
        assert 0 < len(summary) <= 80
        assert summary[0].isupper(), summary
        assert not summary.endswith("."), summary
        # The imperative: "List the orders", not "Lists the orders".
        assert not re.match(r"\w+[^s]s\b", summary), summary


@for_every
def test_descriptions_are_sentences_without_words_of_python(operation: Operation) -> None:
    entry = entry_of(operation)
    texts = [entry["summary"], entry["description"], *(each["description"] for each in entry["responses"].values())]
    for text in texts:
        assert not PYTHON_WORDS.search(text), text
    assert all(text.endswith((".", ".)")) for text in texts[1:]), texts


# Of RFC 9110. Python has other ones before 3.13.
PHRASES = {"413": "Content Too Large", "416": "Range Not Satisfiable", "422": "Unprocessable Content"}


@for_every
def test_every_response_starts_with_its_status_phrase(operation: Operation) -> None:
    for status, response in entry_of(operation)["responses"].items():
        phrase, _, meaning = response["description"].partition(": ")
        assert phrase == (PHRASES.get(status) or HTTPStatus(int(status)).phrase)
        assert meaning


@for_every
def test_every_response_with_a_text_is_one_of_the_operation(operation: Operation) -> None:
    described = {str(text.status) for text in reference().texts.operations[operation.name].responses}
    assert described <= entry_of(operation)["responses"].keys()


def test_descriptions_of_schemas_name_members_as_in_json() -> None:
    for name, component in served()["components"]["schemas"].items():
        assert not re.search(r"\b[a-z]+_[a-z]+\b", component.get("description", "")), name


def test_tags_are_described_in_order_and_each_is_used() -> None:
    tags = [tag["name"] for tag in served()["tags"]]
    used = {tag for operation in OPERATIONS for tag in entry_of(operation)["tags"]}
    assert tags[:3] == ["accounts", "sessions", "api-keys"]
    assert used == set(tags)
    assert all(tag["description"] for tag in served()["tags"])


@for_every
def test_every_parameter_has_a_description_and_a_valid_example(operation: Operation) -> None:
    for parameter in entry_of(operation)["parameters"]:
        assert parameter["description"].endswith("."), parameter["name"]
        assert schema_errors(parameter["schema"], parameter["example"]) == []


def test_every_parameter_text_belongs_to_a_parameter() -> None:
    names = {
        name
        for operation in OPERATIONS
        for parameter in entry_of(operation)["parameters"]
        for name in (parameter["name"], f"{operation.name}.{parameter['name']}")
    }
    assert {name if above == "Shared" else f"{above}.{name}" for above, name in reference().parameters} <= names


def test_a_text_out_of_place_is_an_error() -> None:
    with pytest.raises(ValueError, match="getOrder has no tag"):
        read("Introduction\n\n## getOrder\nGet an order\n")
    with pytest.raises(ValueError, match="not a response"):
        read("# orders\nOrders\n\n## getOrder\nGet an order\n\n- 4O4: no such order\n")


# The page


@cache
def page() -> str:
    return docs_page(served(), "/api/openapi.json")


def test_the_docs_page_lists_operations_by_tag_with_anchors() -> None:
    headings = re.findall(r'<h2 id="([\w-]+)">', page())
    assert headings == [*(tag["name"] for tag in served()["tags"]), "schemas"]
    anchors = re.findall(r'<section id="(\w+)">', page())
    assert sorted(anchors) == sorted(operation.name for operation in OPERATIONS)


def test_every_link_of_the_docs_page_has_its_target() -> None:
    targets = re.findall(r' id="([^"]+)"', page())
    assert len(targets) == len(set(targets))
    links = set(re.findall(r'href="#([^"]+)"', page()))
    assert links - set(targets) == set()


def test_the_docs_page_shows_parameters_bodies_responses_and_examples() -> None:
    (section,) = re.findall(r'<section id="createOrder">.*?</section>', page(), re.DOTALL)
    for part in (
        "POST</b> <code>/api/workshops/{workshopId}/orders</code>",
        "API key with <code>orders:write</code>",
        "<code>workshopId</code> <span>string</span> <strong>required</strong>",
        "<code>Idempotency-Key</code>",
        "<code>title</code> <span>string, 1 to 250 characters, no control characters</span> <strong>required</strong>",
        "The customer for whom the job is done.",
        'Body: <a href="#schema-Order">Order</a>',
        "Errors: 400, 401, 403, 409, 413, 415, 422, 503",
        "Code: <code>idempotency_mismatch</code>",
        "<summary>Example response</summary><pre>{",
    ):
        assert part in section, part


def test_the_docs_page_loads_nothing_from_elsewhere() -> None:
    assert re.findall(r"<style| style=|https?://[^\s<]*\.(?:js|css)", page()) == []
    assert re.findall(r'src="([^"]+)"', page()) == ["/api-docs.js"]
    assert re.findall(r'<link[^>]* href="([^"]+)"', page()) == ["/icon.svg", "/api-docs.css"]


# Its properties


def properties() -> dict[tuple[str, str], dict[str, Any]]:
    """The schema of each property, by the names of its schema and itself; forms included."""
    schemas = dict(served()["components"]["schemas"])
    for operation in OPERATIONS:
        if operation.form is not None:
            body = entry_of(operation)["requestBody"]["content"]["multipart/form-data"]
            schemas[operation.form.__name__] = body["schema"]
    return {
        (name, property_): schema
        for name, component in schemas.items()
        for property_, schema in component.get("properties", {}).items()
    }


def test_every_property_has_a_description() -> None:
    lacking = [".".join(names) for names, schema in properties().items() if not schema.get("description")]
    assert lacking == [], "describe them in reference/properties.md"
    for names, schema in properties().items():
        assert schema["description"].endswith("."), names
        assert not PYTHON_WORDS.search(schema["description"]), names


@all_of(
    ("schema", "property_", "values"),
    [
        ("Order", "status", ["todo", "in_progress", "done"]),
        ("LineItem", "unit", ["sqm", "linear_m", "piece", "pair", "hour", "job", "freeform"]),
        ("MeProfile", "locale", ["en", "pl"]),
        ("Handoff", "locale", ["pl", "en"]),
        ("PdfExport", "locale", ["pl", "en"]),
        ("Workshop", "plan", ["free", "pro"]),
        ("WorkshopBilling", "checkoutAvailability", ["available", "pro_purchase_disabled", "payments_not_configured"]),
        ("AccountDataExportUser", "status", ["pending", "active", "suspended", "deleted"]),
    ],
)
def test_enumerations_are_in_the_specifications_order(schema: str, property_: str, values: list[Any]) -> None:
    assert served()["components"]["schemas"][schema]["properties"][property_]["enum"] == values


def test_every_property_text_belongs_to_a_property() -> None:
    texts = reference().properties
    assert texts.of_schemas.keys() - properties().keys() == set()
    general = {name for schema, name in properties() if (schema, name) not in texts.of_schemas}
    assert texts.shared.keys() - general == set()


def test_no_property_has_a_default_that_generated_clients_would_require() -> None:
    assert [names for names, schema in properties().items() if "default" in schema] == []
    described = properties()["NewOrder", "customerName"]["description"]
    assert described.endswith("Default: empty.")


def test_a_property_text_out_of_place_is_an_error() -> None:
    with pytest.raises(ValueError, match=r"Order\.title has two meanings"):
        read_properties("# Order\n- `title`: One.\n\n# Order, NewOrder\n- `title`: Another.\n")
    with pytest.raises(ValueError, match="not an entry: title"):
        read_properties("# Order\ntitle: One.\n")
    with pytest.raises(ValueError, match=r"getNumbers\.to has two meanings"):
        read_parameters("# getNumbers\n- `to`: One.\n- `to` (2026-11-30): Another.\n")


# Its headers and bytes


def test_signing_in_and_out_describe_their_cookies() -> None:
    with_cookies = {
        operation.name
        for operation in OPERATIONS
        if "Set-Cookie" in entry_of(operation)["responses"][str(operation.status)].get("headers", {})
    }
    assert with_cookies == {"signIn", "verifyAccount", "joinWorkshop", "finishGoogleSignIn", "signOut"}


@for_every
def test_every_list_describes_its_link_to_the_next_page(operation: Operation) -> None:
    headers = entry_of(operation)["responses"][str(operation.status)].get("headers", {})
    assert ("Link" in headers) is operation.is_paged


@for_every
def test_bytes_have_a_schema_for_each_media_type(operation: Operation) -> None:
    if operation.sends_bytes:
        content = entry_of(operation)["responses"]["200"]["content"]
        assert "*/*" not in content
        for media_type, media in content.items():
            assert media["schema"] == {"type": "string", "format": "binary", "contentMediaType": media_type}


# Its examples


MAKE_DOCS = "give it a sample in tests/support/operation_samples.py, and run `make docs`"


@for_every
def test_the_example_of_a_body_is_one_that_the_operation_accepts(operation: Operation) -> None:
    body = operation.body or operation.messages[0]
    example = reference().examples.of(operation.name).body
    assert (example is UNSET) is (body is None), f"{operation.name}: {MAKE_DOCS}"
    if body is not None:
        content = json_of(entry_of(operation)["requestBody"])
        assert schema_errors(content["schema"], content["example"]) == []
        # The rules as well that a JSON Schema cannot express.
        assert operation.body is None or list(check_for(operation.body)(exact_numbers(content["example"]), "")) == []


@for_every
def test_the_example_of_a_response_is_of_its_schema(operation: Operation) -> None:
    returned = operation.response or operation.messages[1]
    example = reference().examples.of(operation.name).response
    assert (example is UNSET) is (returned is None), f"{operation.name}: {MAKE_DOCS}"
    if returned is not None:
        content = json_of(entry_of(operation)["responses"][str(operation.status)])
        assert schema_errors({**content["schema"], "unevaluatedProperties": False}, content["example"]) == []


def test_every_example_is_of_an_operation() -> None:
    assert reference().examples.operations.keys() <= {operation.name for operation in OPERATIONS}


class RecordedModel:
    """Responds as the server of the recording, without the libraries between them, which take seconds to load."""

    async def respond(self, prompt: Prompt[Any]) -> Any:
        messages = [
            {"role": "system", "content": prompt.instructions},
            {"role": "user", "content": material_as_json(prompt.material)},
        ]
        sent = good_response(ModelRequest("/v1/chat/completions", {}, {"messages": messages}))
        return prompt.check(msgspec.convert(sent, prompt.response_type))

    async def close(self) -> None:
        """There is no connection."""


def test_the_examples_are_what_the_service_sends_now(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ai, "_load", lambda _: RecordedModel())
    assert examples.written() == examples.FILE.read_text("utf-8"), "run `make docs`, and commit what changed"


@for_every
def test_every_error_body_has_examples_of_its_schema(operation: Operation) -> None:
    for status, response in entry_of(operation)["responses"].items():
        if int(status) >= 400 and "content" in response:
            content = json_of(response)
            assert content["examples"], status
            for code, example in content["examples"].items():
                body = example["value"]
                # As tools read examples: a member that the schema does not name is an error.
                assert schema_errors({**content["schema"], "unevaluatedProperties": False}, body) == []
                assert (body["status"], body["code"]) == (int(status), code)


def test_every_code_of_the_reference_is_one_of_the_code() -> None:
    """Codes are literals where they are raised."""
    code = "".join(path.read_text("utf-8") for path in CODE.rglob("*.py"))
    codes = {text.code for each in reference().texts.operations.values() for text in each.responses if text.code}
    assert {each for each in codes if f'"{each}"' not in code} == set()


# Requests made up from it, by a library that no process should import that runs other tests


@cache
def exact() -> Any:
    """The document for Schemathesis, where no member may be answered that it does not name."""
    import schemathesis

    closed = copy.deepcopy(served())
    for name, component in closed["components"]["schemas"].items():
        if name not in ("Problem", "ValidationError", "NewOrder"):
            component["additionalProperties"] = False
        for member in component["properties"].values():
            if member.get("format") == "email":
                # To make up text by this pattern takes seconds; by its format, next to nothing.
                del member["pattern"]
    for methods in closed["paths"].values():
        for described in methods.values():
            # Credentials are always those of the person.
            described["security"] = []
    # The schema is that of the whole response; Schemathesis compares each event with it.
    events = closed["paths"]["/workshops/{workshopId}/events"]["get"]["responses"]["200"]["content"]
    del events["text/event-stream"]["schema"]
    return schemathesis.openapi.from_dict(closed)


@cache
def requests_for(operation: Operation, mode: "GenerationMode") -> st.SearchStrategy[Any]:
    strategy: st.SearchStrategy[Any] = exact()[operation.path][operation.method].as_strategy(generation_mode=mode)
    return strategy


def modes(operation: Operation) -> list["GenerationMode"]:
    """Right requests, and wrong ones where there is something to be wrong."""
    from schemathesis import GenerationMode

    can_be_wrong = operation.access.needs_session or operation.body or operation.query or operation.form
    return [GenerationMode.POSITIVE, GenerationMode.NEGATIVE] if can_be_wrong else [GenerationMode.POSITIVE]


@pytest.fixture(scope="module")
async def open_app(new_database_url: Callable[[], str]) -> AsyncIterator[App]:
    """An app that anybody may try to get into as often as they like."""
    limits = {"sign_in_limit": UNLIMITED, "sign_in_ceiling": UNLIMITED}
    async with running_app(new_database_url(), **limits) as app:
        yield app


async def answered(person: Person, case: Any) -> httpx.Response | None:
    """What the person is answered to the request that was made up; the session is always valid.

    None where its address is longer than this client sends any.
    """
    import requests

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


async def must_match_the_document(person: Person, operation: Operation, case: Any, *, of_a_thing: bool) -> None:
    from schemathesis.core.failures import FailureGroup
    from schemathesis.specs.openapi import checks

    caller = await operation_samples.signed_in_again(person)
    if of_a_thing:
        found: dict[str, str] = {}
        for name in operation.path_names:
            found[name] = await operation_samples.PATH_PARAMETERS[name](caller, found)
        case.path_parameters = found
    answer = await answered(caller, case)
    if answer is None or (operation.name == "createHandoff" and answer.status_code == 400):
        # A hand-off's 400 comes with a body and without one, which OpenAPI cannot tell.
        return
    assert answer.status_code < 500 or answer.json()["code"].endswith("_not_configured"), answer.text
    try:
        case.validate_response(
            answer,
            checks=[
                checks.status_code_conformance,
                checks.content_type_conformance,
                checks.response_schema_conformance,
                checks.response_headers_conformance,
            ],
        )
    except FailureGroup as failures:
        # A group would end the loop that all of these tests share.
        raise AssertionError(str(failures)) from None


async def try_out(app: App, operation: Operation, number: int, *, fixed: bool) -> None:
    """Makes up that many requests, in a thread beside the loop that answers them.

    `fixed`: the same ones each time, other ones on the other engine.
    """
    person = await app.owner("Anna")
    chance = crc32(f"{app.engine} {operation_samples.line(operation)}".encode()) if fixed else randbits(32)
    loop = asyncio.get_running_loop()
    strategy = st.one_of([requests_for(operation, mode) for mode in modes(operation)])
    # A workshop can have few webhooks and files to import; a right request to delete an account ends it.
    requests_of_one = 1 if operation.name == "deleteAccount" else 8
    asked = 0

    async def ask(case: Any, of_a_thing: bool) -> None:
        nonlocal person, asked
        if asked and asked % requests_of_one == 0:
            person = await app.owner("Anna")
        asked += 1
        await must_match_the_document(person, operation, case, of_a_thing=of_a_thing)

    @seed(chance)
    @settings(
        max_examples=number,
        deadline=None,
        database=None,
        # What fails is shown as it was made up: to find a shorter one takes minutes.
        phases=[Phase.generate],
        report_multiple_bugs=False,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
    )
    @given(case=strategy, of_a_thing=st.booleans())
    def each(case: Any, of_a_thing: bool) -> None:
        asyncio.run_coroutine_threadsafe(ask(case, of_a_thing), loop).result(30)

    await asyncio.to_thread(each)


# To make up a request takes several times as long as to answer it: a quarter of the operations by default, and all with
# TEST_ENGINES=all. The recorded example of each, a right request and its response, is compared with the document above.
tried_out = [each for each in OPERATIONS if runs_all() or crc32(operation_samples.line(each).encode()) % 4 == 1]


@all_of("operation", tried_out, operation_samples.line)
async def test_generated_requests_get_documented_responses(open_app: App, operation: Operation) -> None:
    # Other requests on each engine; most responses do not depend on it.
    await try_out(open_app, operation, 2 if open_app.engine == "sqlite" else 1, fixed=True)


@pytest.mark.prove
@pytest.mark.parametrize("operation", OPERATIONS, ids=operation_samples.line)
async def test_generated_requests_get_documented_responses_at_length(open_app: App, operation: Operation) -> None:
    await try_out(open_app, operation, 60, fixed=False)
