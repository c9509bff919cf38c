"""The API reference as HTML: fields with their types, and JSON examples."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from html import escape
from typing import Any

import msgspec

from backbench.http.openapi.schemas import type_text

Entry = Mapping[str, Any]
_CODE = re.compile(r"`([^`]+)`")
_BOLD = re.compile(r"\*\*([^*]+)\*\*")


def inline(text: str, operations: Collection[str] = ()) -> str:
    """A line of Markdown. The name of an operation links to it."""

    def code(match: re.Match[str]) -> str:
        html = f"<code>{match[1]}</code>"
        return f'<a href="#{match[1]}">{html}</a>' if match[1] in operations else html

    return _BOLD.sub(r"<strong>\1</strong>", _CODE.sub(code, escape(text, quote=False)))


def paragraphs(text: str, operations: Collection[str] = ()) -> str:
    """Paragraphs of Markdown, without the lists of errors, which the responses contain."""
    found = [paragraph for paragraph in text.split("\n\n") if paragraph and not paragraph.startswith("- ")]
    return "".join(f"<p>{inline(paragraph, operations)}</p>" for paragraph in found)


def anchored(heading: str, anchor: str) -> str:
    """A heading with a link to itself."""
    return f'<h3>{escape(heading)} <a href="#{anchor}" aria-label="Link to {escape(heading)}">#</a></h3>'


def fields(schema: Entry, operations: Collection[str] = ()) -> str:
    """The properties of an object."""
    required = schema.get("required", ())
    members = schema["properties"].items()
    return description_list(
        [
            described(name, member, member.get("description", ""), operations, is_required=name in required)
            for name, member in members
        ]
    )


def described(name: str, schema: Entry, meaning: str, operations: Collection[str], *, is_required: bool) -> str:
    """A property or parameter: name, type, and whether it is required; then the meaning."""
    mark = " <strong>required</strong>" if is_required else ""
    return (
        f"<dt><code>{escape(name)}</code> <span>{type_html(schema)}</span>{mark}</dt>"
        f"<dd>{inline(meaning, operations)}</dd>"
    )


def description_list(entries: Sequence[str]) -> str:
    return f"<dl>{''.join(entries)}</dl>" if entries else ""


def type_html(schema: Entry) -> str:
    return type_text(schema, code=lambda value: f"<code>{escape(value)}</code>", link=_schema_link)


def _schema_link(name: str) -> str:
    return f'<a href="#schema-{name}">{name}</a>'


def json_text(value: Any) -> str:
    return msgspec.json.format(msgspec.json.encode(value), indent=2).decode()


def block(text: str) -> str:
    return f"<pre>{escape(text, quote=False)}</pre>"


class OperationSection:
    """The section of one operation. Its anchor is its operationId."""

    def __init__(
        self, method: str, path: str, entry: Entry, schemas: Mapping[str, Entry], operations: Collection[str]
    ) -> None:
        self._method = method
        self._path = path
        self._entry = entry
        self._schemas = schemas
        self._operations = operations

    def html(self) -> str:
        entry = self._entry
        method = f'<b class="{self._method.lower()}">{self._method}</b>'
        return "".join(
            [
                f'<section id="{entry["operationId"]}">{anchored(entry["summary"], entry["operationId"])}',
                f'<p class="line">{method} <code>{escape(self._path)}</code></p>',
                paragraphs(entry["description"], self._operations),
                f"<p>Authentication: {_access(entry['security'])}.</p>",
                self._parameters(),
                self._body(),
                f"<h4>Request</h4>{block(self._request())}",
                f"<h4>Responses</h4>{''.join(self._responses())}</section>",
            ]
        )

    def _parameters(self) -> str:
        listed = [
            described(
                entry["name"],
                entry["schema"],
                f"{_PLACES[entry['in']]}. {entry['description']}",
                self._operations,
                is_required=entry["required"],
            )
            for entry in self._entry["parameters"]
        ]
        return f"<h4>Parameters</h4>{description_list(listed)}" if listed else ""

    def _body(self) -> str:
        if "requestBody" not in self._entry:
            return ""
        ((media_type, media),) = self._entry["requestBody"]["content"].items()
        schema = media["schema"]
        if "$ref" in schema:
            schema = self._schemas[schema["$ref"].rpartition("/")[2]]
        return f"<h4>Body ({media_type})</h4>{fields(schema, self._operations)}"

    def _request(self) -> str:
        path = self._path
        for entry in self._entry["parameters"]:
            path = path.replace(f"{{{entry['name']}}}", str(entry["example"]))
        lines = f"{self._method} {path}"
        for media_type, media in self._entry.get("requestBody", {}).get("content", {}).items():
            lines += f"\nContent-Type: {media_type}"
            if "example" in media:
                lines += f"\n\n{json_text(media['example'])}"
        return lines

    def _responses(self) -> Iterator[str]:
        responses = sorted(self._entry["responses"].items())
        for status, response in responses:
            if int(status) < 400:
                yield f"{description_list([self._response(status, response)])}{_example(response)}"
        errors = [self._response(status, response) for status, response in responses if int(status) >= 400]
        if errors:
            statuses = ", ".join(status for status, _ in responses if int(status) >= 400)
            yield f"<details><summary>Errors: {statuses}</summary>{description_list(errors)}</details>"

    def _response(self, status: str, response: Entry) -> str:
        meaning = inline(response["description"].partition(": ")[2], self._operations)
        return f"<dt>{status}</dt><dd>{'<br>'.join([meaning, *_contents(response)])}</dd>"


_PLACES = {"path": "Path", "query": "Query", "header": "Header"}


def _contents(response: Entry) -> Iterator[str]:
    """What the response has: headers, a body or bytes, codes of errors."""
    headers = [name for name in response.get("headers", {}) if not name.startswith("RateLimit")]
    if headers:
        yield f"Headers: {_codes(headers)}"
    content = response.get("content", {})
    media = content.get("application/json", {})
    if "example" in media:
        yield f"Body: {type_html(media['schema'])}"
    elif "examples" in media:
        yield f"Code: {_codes(media['examples'])}"
    elif content:
        yield f"Body: {_codes(content)}"


def _example(response: Entry) -> str:
    media = response.get("content", {}).get("application/json", {})
    if "example" not in media:
        return ""
    return f"<details><summary>Example response</summary>{block(json_text(media['example']))}</details>"


def _codes(names: Collection[str]) -> str:
    return ", ".join(f"<code>{escape(name)}</code>" for name in names)


def _access(security: Sequence[Mapping[str, Any]]) -> str:
    alternatives = []
    for needed in security:
        if "session" in needed:
            alternatives.append("session with CSRF token" if "csrf" in needed else "session")
        elif "link" in needed:
            alternatives.append("the token of a link")
        else:
            scopes = " and ".join(f"<code>{scope}</code>" for scope in needed["apiKey"])
            alternatives.append(f"API key with {scopes}" if scopes else "any API key")
    return ", or ".join(alternatives) or "none"


_HEAD = """<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1"><title>Backbench API</title>
<link rel="icon" href="/icon.svg"><link rel="stylesheet" href="/api-docs.css">
<script src="/api-docs.js" defer></script></head><body>"""
_SEARCH = '<input type="search" aria-label="Search operations" placeholder="Search operations" hidden>'


def docs_page(document: Entry, document_path: str) -> str:
    """The page. `document_path` is the path of the OpenAPI document, for programs."""
    return "".join(_Page(document).pieces(document_path))


class _Page:
    def __init__(self, document: Entry) -> None:
        self._document = document
        self._schemas = document["components"]["schemas"]
        self._operations = [
            (method.upper(), path, entry)
            for path, methods in document["paths"].items()
            for method, entry in methods.items()
        ]
        self._names = {entry["operationId"] for _, _, entry in self._operations}

    def pieces(self, document_path: str) -> Iterator[str]:
        info = self._document["info"]
        yield f'{_HEAD}<nav aria-label="Contents"><a href="#top">Backbench API</a>{_SEARCH}'
        for tag in self._document["tags"]:
            yield f'<a href="#{tag["name"]}">{_heading(tag["name"])}</a>{self._links(tag)}'
        yield '<a href="#schemas">Schemas</a></nav><main id="top">'
        number = f"{escape(info['version'])}, build {info['x-build']}"
        yield f"<h1>Backbench API <small>{number}</small></h1><p>{escape(info['summary'])}</p>"
        yield f'<p>For programs: <a href="{document_path}">the OpenAPI document</a>.</p>'
        yield paragraphs(info["description"], self._names)
        for tag in self._document["tags"]:
            yield from self._tag(tag)
        yield from self._components()
        yield "</main></body></html>"

    def _of(self, tag: Entry) -> Iterator[tuple[str, str, Entry]]:
        return (operation for operation in self._operations if tag["name"] in operation[2]["tags"])

    def _links(self, tag: Entry) -> str:
        links = [
            f'<li><a href="#{entry["operationId"]}" title="{method} {path}">{escape(entry["summary"])}</a></li>'
            for method, path, entry in self._of(tag)
        ]
        return f"<ul>{''.join(links)}</ul>"

    def _tag(self, tag: Entry) -> Iterator[str]:
        yield f'<h2 id="{tag["name"]}">{_heading(tag["name"])}</h2>'
        yield paragraphs(tag["description"], self._names) + self._links(tag)
        prefix = self._document["servers"][0]["url"]
        for method, path, entry in self._of(tag):
            yield OperationSection(method, prefix + path, entry, self._schemas, self._names).html()

    def _components(self) -> Iterator[str]:
        yield '<h2 id="schemas">Schemas</h2>'
        for name, schema in sorted(self._schemas.items()):
            yield f'<section id="schema-{name}">{anchored(name, f"schema-{name}")}'
            yield paragraphs(" ".join(schema.get("description", "").split()), self._names)
            yield f"{fields(schema, self._names)}</section>"


def _heading(tag: str) -> str:
    words = [word.upper() if word in ("api", "pdf") else word for word in tag.split("-")]
    return " ".join([words[0][0].upper() + words[0][1:], *words[1:]])
