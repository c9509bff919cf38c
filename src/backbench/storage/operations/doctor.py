"""What the database says of its own health: that what it acknowledges will still be there after a power cut."""

from collections.abc import Sequence

from backbench.domain.operations.doctor import Finding, found
from backbench.storage.engine import migrations
from backbench.storage.engine.database import Read
from backbench.storage.operations import backups, email_outbox

_SYNCHRONOUS_FULL = 2
_RESTORE = "Restore the latest backup into a new database; keep this file for a look at what can be saved."


async def schema(db: Read, engine: str) -> Finding:
    present = await backups.schema_number(db, engine)
    newest = migrations.known(engine)[-1].number
    if present > newest:
        says = f"at {present}, newer than this Backbench, which knows up to {newest}"
        return Finding("schema", "wrong", says, "Install the newer Backbench again, or restore an older backup.")
    return found(
        "schema",
        present == newest,
        f"current ({present})",
        f"at {present} of {newest}",
        "Run `backbench migrate`, or start `backbench serve`, which does it by itself.",
    )


async def health(db: Read, engine: str) -> Sequence[Finding]:
    return await (_of_sqlite(db) if engine == "sqlite" else _of_postgres(db))


async def mails(db: Read) -> Finding:
    """Whether mails go out. Ask only where the schema is current."""
    troubled = await email_outbox.list_failing(db)
    postponed = [mail for mail in troubled if mail.failed_at is None]
    if postponed:
        says = f"{len(postponed)} cannot be sent and are tried again; the newest: {postponed[0].last_error}"
        do = "See that BACKBENCH_SMTP_URL is right and that server is well. After three days a mail is given up."
        return Finding("outbox", "wrong", says, do)
    if troubled:
        says = f"{len(troubled)} were given up in the last 30 days; the newest: {troubled[0].last_error}"
        do = "See what was said of each (docs/guide/mail.md); whoever still needs one can ask for another."
        return Finding("outbox", "note", says, do)
    return Finding("outbox", "ok", "no mail is held up")


async def _of_sqlite(db: Read) -> Sequence[Finding]:
    field_errors = await db.all(str, "PRAGMA integrity_check(3)")
    strays = await db.all(str, "PRAGMA foreign_key_check")
    synchronous = await db.value("PRAGMA synchronous")
    journal = await db.value("PRAGMA journal_mode")
    return (
        found(
            "integrity",
            field_errors == ["ok"],
            "the file is sound",
            "; ".join(field_errors).replace("\n", " "),
            _RESTORE,
        ),
        found(
            "references",
            not strays,
            "every row finds what it refers to",
            f"{len(strays)} rows refer to what is not there, in {', '.join(sorted(set(strays)))}",
            _RESTORE,
        ),
        found(
            "durability",
            journal == "wal" and synchronous == _SYNCHRONOUS_FULL,
            "write-ahead log, synced at every commit",
            f"journal_mode {journal}, synchronous {synchronous}: a power cut may lose what was acknowledged",
            "Put the database on a local disk that supports a write-ahead log; network file systems do not.",
        ),
    )


async def _of_postgres(db: Read) -> Sequence[Finding]:
    version = await db.value("SHOW server_version")
    commit = await db.value("SHOW synchronous_commit")
    fsync = await db.value("SHOW fsync")
    pages = await db.value("SHOW full_page_writes")
    encoding = await db.value("SHOW server_encoding")
    return (
        Finding("server", "ok", f"PostgreSQL {version}"),
        found(
            "durability",
            (commit != "off", fsync, pages) == (True, "on", "on"),
            f"synchronous_commit {commit}, fsync on",
            f"synchronous_commit {commit}, fsync {fsync}, full_page_writes {pages}: "
            "a power cut may lose what was acknowledged",
            "Set synchronous_commit, fsync and full_page_writes to on in postgresql.conf.",
        ),
        found(
            "encoding",
            encoding == "UTF8",
            "UTF8",
            f"{encoding}: not every name can be stored",
            "Create the database anew with ENCODING 'UTF8' and restore a backup into it.",
        ),
    )
