"""An operation on the API reference page: parameters, body, example request, responses."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from html import escape
from typing import Any

from backbench.http.openapi.html import (
    Entry,
    anchored,
    block,
    described,
    description_list,
    fields,
    inline,
    json_block,
    json_text,
    paragraphs,
    type_html,
)


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
        references = {code: example["$ref"].rpartition("/")[2] for code, example in media["examples"].items()}
        links = [f'<a href="#error-{name}"><code>{code}</code></a>' for code, name in references.items()]
        yield f"Code: {', '.join(links)}"
    elif content:
        yield f"Body: {_codes(content)}"


def _example(response: Entry) -> str:
    media = response.get("content", {}).get("application/json", {})
    if "example" not in media:
        return ""
    return f"<details><summary>Example response</summary>{json_block(media['example'])}</details>"


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
