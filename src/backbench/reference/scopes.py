"""Scopes of API keys: the areas and operations that each opens, from the table of operations.

The documentation, the reference and the app's dialog for keys are made from this table.
"""

from collections.abc import Iterable
from typing import get_args

from msgspec import Struct

from backbench.http.operations import Operation
from backbench.values.calls import Scope

# What the last such word of a path is about. A word of a path that is neither here nor below raises KeyError: a new
# resource is named to those who give keys to programs.
_AREAS = {
    "orders": "orders",
    "orders.csv": "orders",
    "order-summaries": "orders",
    "order-counts": "orders",
    "slip": "slips",
    "signature": "signatures",
    "photos": "photos",
    "questions": "questions",
    "message-draft": "messages",
    "notices": "messages",
    "status-link": "status pages",
    "status-code": "status pages",
    "estimates": "estimates",
    "estimate-summaries": "estimates",
    "line-items": "estimates",
    "recipients": "recipients",
    "revisions": "revisions",
    "confirm": "revisions",
    "preview": "PDFs",
    "pdf-exports": "PDFs",
    "handoffs": "hand-offs",
    "links": "links",
    "comments": "comments",
    "decisions": "decisions",
    "grids": "tiles",
    "tiles.csv": "tiles",
    "catalog": "catalog",
    "customers": "customers",
    "customers.csv": "customers",
    "history": "customer histories",
    "data": "customer histories",
    "payments": "payments",
    "payments.csv": "payments",
    "receipt": "receipts",
    "payment-code": "payment codes",
    "payment-request": "payment codes",
    "balance": "agreed prices",
    "agreed": "agreed prices",
    "invoices": "invoices",
    "invoices.csv": "invoices",
    "numbers": "numbers",
    "numbers.csv": "numbers",
    "inbox": "inbox",
    "files": "files",
    "document-settings": "document settings",
    "changes": "changes",
    "events": "changes",
}
# Words that say which part of an area, or what is done with it.
_PARTS = frozenset(
    {
        "workshops", "status", "details", "collected", "order", "image", "thumb", "buttons", "duplicate", "totals",
        "document", "most-used", "pages", "addresses", "mail", "certificate", "merge", "unmerge", "void", "emoji",
        "keywords", "intake", "mcp", "key", "issue", "corrections", "pdf", "xml",
    }
)  # fmt: skip


class ScopeRow(Struct, frozen=True):
    """What keys with all of these scopes may call, beyond what keys with some of them may."""

    scopes: tuple[Scope, ...]
    areas: list[str]
    operations: list[str]


def area_of(operation: Operation) -> str | None:
    """The area of the operation; None where it is about the key alone. Raises KeyError for a word without an area."""
    area = None
    for word in operation.path.split("/"):
        if word and not word.startswith("{") and word not in _PARTS:
            area = _AREAS[word]
    return area


def scope_rows(operations: Iterable[Operation]) -> list[ScopeRow]:
    """A row for each scope, then one for each combination that an operation needs."""
    rows: dict[tuple[Scope, ...], ScopeRow] = {(scope,): ScopeRow((scope,), [], []) for scope in get_args(Scope)}
    for operation in operations:
        area = area_of(operation) if operation.access.keys else None
        for scopes in operation.access.keys if area is not None else ():
            row = rows.setdefault(scopes, ScopeRow(scopes, [], []))
            row.operations.append(operation.name)
            if area is not None and area not in row.areas:
                row.areas.append(area)
    order = list(dict.fromkeys(_AREAS.values()))
    return [ScopeRow(row.scopes, sorted(row.areas, key=order.index), row.operations) for row in rows.values()]


def described(rows: Iterable[ScopeRow]) -> str:
    """The rows as a sentence each."""
    return " ".join(f"{_named(row)}: {', '.join(row.areas)}." for row in rows)


def table(rows: Iterable[ScopeRow]) -> str:
    """The rows as a table in Markdown."""
    lines = ["| Scopes | Areas | Operations |", "|---|---|---|"]
    for row in rows:
        operations = ", ".join(f"`{name}`" for name in row.operations)
        lines.append(f"| {_named(row)} | {', '.join(row.areas)} | {operations} |")
    return "\n".join(lines)


def _named(row: ScopeRow) -> str:
    *others, last = (f"`{scope}`" for scope in row.scopes)
    return f"{', '.join(others)} and {last}" if others else last
