"""The API reference page, generated from the table of operations, without scripts."""

from collections.abc import Sequence
from html import escape
from itertools import groupby

from backbench.http.operations import Operation


def docs_page(operations: Sequence[Operation], document_path: str) -> str:
    pieces = [
        '<!doctype html><html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width,initial-scale=1"><title>Backbench API</title>',
        # A file, since the content security policy allows no inline styles.
        '<link rel="stylesheet" href="/api-docs.css"></head><body><h1>Backbench API</h1>',
        f'<p>Schemas and errors of every operation: <a href="{document_path}">the OpenAPI document</a>.</p>',
    ]
    for tag, group in groupby(operations, key=lambda operation: operation.tag):
        pieces.append(f"<h2>{escape(tag.replace('-', ' '))}</h2><table>")
        pieces += [_row(operation) for operation in group]
        pieces.append("</table>")
    pieces.append("</body></html>")
    return "".join(pieces)


def _row(operation: Operation) -> str:
    access = operation.access
    who = "anybody" if not access.needs_session else "session"
    if access.scope:
        who += f" or key with {access.scope}"
    summary = (operation.action.__doc__ or "").strip().splitlines()[0]
    return (
        f"<tr><td>{operation.method}</td><td><code>{escape(operation.path)}</code><br>{escape(summary)}</td>"
        f"<td>{escape(who)}</td></tr>"
    )
