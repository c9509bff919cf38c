"""API reference page: every operation by tag, as HTML without scripts."""

from collections.abc import Sequence
from html import escape

from backbench.http.openapi.reference import Reference
from backbench.http.operations import Operation


def docs_page(operations: Sequence[Operation], reference: Reference, document_path: str) -> str:
    """The page. `document_path` is the path of the OpenAPI document; an operation's anchor is its operationId."""
    texts = reference.texts
    by_name = {operation.name: operation for operation in operations}
    pieces = [
        '<!doctype html><html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width,initial-scale=1"><title>Backbench API</title>',
        # A file, since the content security policy allows no inline styles.
        '<link rel="stylesheet" href="/api-docs.css"></head><body><h1>Backbench API</h1>',
        f'<p>Schemas, errors and examples of every operation: <a href="{document_path}">the OpenAPI document</a>.</p>',
    ]
    for tag, description in texts.tags.items():
        pieces.append(f'<h2 id="{tag}">{escape(_heading(tag))}</h2><p>{_markdown(description)}</p><table>')
        pieces += [_row(by_name[name], text.summary) for name, text in texts.operations.items() if text.tag == tag]
        pieces.append("</table>")
    pieces.append("</body></html>")
    return "".join(pieces)


def _heading(tag: str) -> str:
    words = [word.upper() if word in ("api", "pdf") else word for word in tag.split("-")]
    return " ".join([words[0][0].upper() + words[0][1:], *words[1:]])


def _row(operation: Operation, summary: str) -> str:
    access = operation.access
    who = "anybody" if not access.needs_session else "session"
    if access.scope:
        who += f" or key with {access.scope}"
    return (
        f'<tr id="{operation.name}"><td>{operation.method}</td>'
        f'<td><code>{escape(operation.path)}</code> <a href="#{operation.name}">{operation.name}</a>'
        f"<br>{escape(summary)}</td><td>{escape(who)}</td></tr>"
    )


def _markdown(text: str) -> str:
    """A paragraph with `code`, the only markup of tag descriptions."""
    parts = escape(text).split("`")
    return "".join(f"<code>{part}</code>" if index % 2 else part for index, part in enumerate(parts))
