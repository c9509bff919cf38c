"""The API for people to read: one page, made from the table, without a script."""

from collections.abc import Sequence
from html import escape
from itertools import groupby

from backbench.http.operations import Operation


def docs_page(operations: Sequence[Operation], document_path: str) -> str:
    parts = [
        '<!doctype html><html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width,initial-scale=1"><title>Backbench API</title>',
        # A file of the site: the pages allow no style of their own.
        '<link rel="stylesheet" href="/api-docs.css"></head><body><h1>Backbench API</h1>',
        f'<p>Every operation, its shapes and its refusals: <a href="{document_path}">the OpenAPI document</a>.</p>',
    ]
    for tag, group in groupby(operations, key=lambda operation: operation.tag):
        parts.append(f"<h2>{escape(tag.replace('-', ' '))}</h2><table>")
        parts += [_row(operation) for operation in group]
        parts.append("</table>")
    parts.append("</body></html>")
    return "".join(parts)


def _row(operation: Operation) -> str:
    access = operation.access
    who = "anybody" if not access.needs_session else "session"
    if access.scope:
        who += f" or key with {access.scope}"
    summary = (operation.does.__doc__ or operation.words).strip().splitlines()[0]
    return (
        f"<tr><td>{operation.method}</td><td><code>{escape(operation.path)}</code><br>{escape(summary)}</td>"
        f"<td>{escape(who)}</td></tr>"
    )
