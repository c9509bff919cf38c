"""API reference page: the OpenAPI document as HTML without scripts."""

from collections.abc import Iterator
from html import escape

from backbench.http.openapi.docs_operation import OperationSection
from backbench.http.openapi.html import Entry, anchored, fields, json_block, paragraphs

_HEAD = """<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1"><title>Backbench API</title>
<link rel="icon" href="/icon.svg"><link rel="stylesheet" href="/api-docs.css"></head><body>"""


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
        yield f'{_HEAD}<nav aria-label="Contents"><a href="#top">Backbench API</a>'
        for tag in self._document["tags"]:
            yield f'<a href="#{tag["name"]}">{_heading(tag["name"])}</a>{self._links(tag)}'
        yield '<a href="#schemas">Schemas</a><a href="#errors">Errors</a></nav><main id="top">'
        yield f"<h1>Backbench API <small>{escape(info['version'])}</small></h1><p>{escape(info['summary'])}</p>"
        yield f'<p>For programs: <a href="{document_path}">the OpenAPI document</a>.</p>'
        yield paragraphs(info["description"], self._names)
        for tag in self._document["tags"]:
            yield from self._tag(tag)
        yield from self._components()
        yield "</main></body></html>"

    def _of(self, tag: Entry) -> Iterator[tuple[str, str, Entry]]:
        return (operation for operation in self._operations if tag["name"] in operation[2]["tags"])

    def _links(self, tag: Entry) -> str:
        entries = [entry for _, _, entry in self._of(tag)]
        links = [f'<li><a href="#{entry["operationId"]}">{escape(entry["summary"])}</a></li>' for entry in entries]
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
        yield '<h2 id="errors">Errors</h2>'
        for name, example in self._document["components"]["examples"].items():
            heading = anchored(name, f"error-{name}")
            yield f'<section id="error-{name}">{heading}{json_block(example["value"])}</section>'


def _heading(tag: str) -> str:
    words = [word.upper() if word in ("api", "pdf") else word for word in tag.split("-")]
    return " ".join([words[0][0].upper() + words[0][1:], *words[1:]])
