"""Findings of `backbench doctor`: a part of the installation, its state, and what to do about it."""

from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

RESTORE = "Restore the latest backup into a new database; keep this file to see what can be recovered from it."


class Finding(Struct, frozen=True):
    """A `note` is information; `wrong` is a problem to fix. The field names are those of `backbench doctor --json`."""

    part: str
    state: Literal["ok", "note", "wrong"]
    says: str
    do: str = ""


class HealthCheck(Struct, frozen=True):
    """A check that a database engine has made of itself."""

    name: Literal[
        "integrity",
        "references",
        "write_ahead_log",
        "server",
        "synchronous_commit",
        "replication",
        "connections",
        "encoding",
    ]
    is_ok: bool
    detail: str


# The part of the finding, and what to do when the check fails.
_CHECKS = {
    "integrity": ("integrity", RESTORE),
    "references": ("references", RESTORE),
    "write_ahead_log": (
        "durability",
        "Put the database on a local disk that supports a write-ahead log; network file systems do not.",
    ),
    "server": ("server", ""),
    "synchronous_commit": (
        "durability",
        "Set synchronous_commit, fsync and full_page_writes to on in postgresql.conf.",
    ),
    "replication": (
        "replication",
        "Start the standby, set synchronous_standby_names on the primary, and leave statement_timeout at 0.",
    ),
    "connections": ("connections", "Raise max_connections, or put PgBouncer between."),
    "encoding": (
        "encoding",
        "Create the database anew with ENCODING 'UTF8' and restore a backup into it.",
    ),
}


def found(part: str, is_ok: bool, detail: str, detail_if_wrong: str, do: str) -> Finding:
    return Finding(part, "ok", detail) if is_ok else Finding(part, "wrong", detail_if_wrong, do)


def database_finding(check: HealthCheck) -> Finding:
    part, do = _CHECKS[check.name]
    return found(part, check.is_ok, check.detail, check.detail, do)


def schema_finding(present: int, latest: int, *, is_usable: bool) -> Finding:
    """`present`: the newest migration applied to the database; `latest`: the newest of this version of Backbench.

    `is_usable`: whether this version can use a newer schema all the same.
    """
    if present > latest and is_usable:
        return Finding("schema", "note", f"at {present}, which this version of Backbench ({latest}) can use as well")
    if present > latest:
        detail = f"at {present}, newer than this version of Backbench, which supports up to {latest}"
        return Finding("schema", "wrong", detail, "Install the newer Backbench again, or restore an older backup.")
    return found(
        "schema",
        present == latest,
        f"current ({present})",
        f"at {present} of {latest}",
        "Run `backbench migrate`, or start `backbench serve`, which migrates first.",
    )


def outbox_finding(retried: Sequence[str], given_up: Sequence[str]) -> Finding:
    """Takes the errors of the emails to be retried, and of those given up, newest email first."""
    if retried:
        detail = f"{len(retried)} cannot be sent and will be retried; the newest: {retried[0]}"
        do = "Check BACKBENCH_SMTP_URL and the mail server. An email is given up after three days."
        return Finding("outbox", "wrong", detail, do)
    if given_up:
        detail = f"{len(given_up)} were given up in the last 30 days; the newest: {given_up[0]}"
        do = "The log has the cause of each, `email given up`; people who still need one can request another."
        return Finding("outbox", "note", detail, do)
    return Finding("outbox", "ok", "no email is waiting to be retried")
