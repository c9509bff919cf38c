"""Links in the database."""

from typing import Any

from msgspec import Struct

from backbench.domain.sharing.links import StoredLink
from backbench.domain.values.errors import NotFound
from backbench.domain.values.times import Instant
from backbench.storage.engine.database import Read, Value, Write
from backbench.storage.engine.lists import NewestFirst
from backbench.storage.engine.objects import Loaded

# Of a link alone, and with the document that it shows.
_OWN = """l.id, l.workshop_id, l.estimate_id, l.created_at, l.created_by_uid, l.revision_number, l.locale,
    l.toggles, l.can_decide, l.expires_at, l.own_expiry, l.revoked_at, l.pdf_export_id, l.pdf_hash, l.document_hash,
    l.receipt_email, l.mailed_to, l.openings, l.first_opened_at, l.last_opened_at"""
_STATE = """e.latest_revision AS newest_revision, d.outcome, d.revision_number AS decided_revision,
    d.name AS decided_by, d.decided_at, d.method AS decision_method, d.receipt_email AS decision_email"""
# When the decision was made that a member voided last. None while one stands.
_VOIDED = """CASE WHEN d.id IS NULL THEN (
        SELECT v.decided_at FROM decisions v
        WHERE v.estimate_id = l.estimate_id AND v.voided_at IS NOT NULL AND v.superseded_by IS NULL
        ORDER BY v.voided_at DESC, v.id DESC LIMIT 1
    ) END AS voided_decided_at"""
COLUMNS = f"{_OWN}, l.document, {_STATE}, {_VOIDED}"
_WITHOUT_DOCUMENT = f"{_OWN}, '' AS document, {_STATE}, NULL AS voided_decided_at"
JOINED = """JOIN estimates e ON e.id = l.estimate_id
    LEFT JOIN decisions d ON d.estimate_id = l.estimate_id AND d.voided_at IS NULL"""
_FROM = f"FROM links l {JOINED}"


def _loaded(condition: str = "") -> Loaded[StoredLink]:
    return Loaded(
        StoredLink,
        "link",
        "links l",
        key="link_id",
        own_columns=_WITHOUT_DOCUMENT,
        condition=f"l.id = :link_id {condition}",
        joins=f"LEFT {JOINED}",
        locked="links l JOIN estimates e ON e.id = l.estimate_id",
        locks=("e",),
    )


# The link of a path, without its document. The state of links and decisions is judged under the lock of their estimate.
LINK = _loaded("AND l.revoked_at IS NULL")
LINK_OR_REVOKED = _loaded()


async def lookup_active(db: Read, link_id: str) -> StoredLink | None:
    """The link with its document. None once it is revoked."""
    sql = f"SELECT {COLUMNS} {_FROM} WHERE l.id = :id AND l.revoked_at IS NULL"
    return await db.one(StoredLink, sql, id=link_id)


async def find(db: Read, link_id: str) -> StoredLink:
    """Without its document. Raises NotFound."""
    link = await db.one(StoredLink, f"SELECT {_WITHOUT_DOCUMENT} {_FROM} WHERE l.id = :id", id=link_id)
    if link is None:
        raise NotFound
    return link


async def lookup_newest(db: Read, estimate_id: str) -> StoredLink | None:
    """The newest link of the estimate that is not revoked, without its document."""
    sql = f"""
        SELECT {_WITHOUT_DOCUMENT} {_FROM} WHERE l.estimate_id = :id AND l.revoked_at IS NULL
        ORDER BY l.created_at DESC, l.id DESC LIMIT 1
    """
    return await db.one(StoredLink, sql, id=estimate_id)


def of_estimate(estimate_id: str) -> NewestFirst[StoredLink]:
    """The estimate's links, revoked ones included, without their documents."""
    select = f"SELECT {_WITHOUT_DOCUMENT} {_FROM} WHERE l.estimate_id = :estimate_id"
    return NewestFirst(StoredLink, select, {"estimate_id": estimate_id}, at="l.created_at", id_="l.id")


def with_documents(estimate_id: str) -> NewestFirst[StoredLink]:
    """The estimate's links with what they show, for an export."""
    source = f"{_FROM} WHERE l.estimate_id = :estimate_id"
    values: dict[str, Value] = {"estimate_id": estimate_id}
    select = f"SELECT {COLUMNS} {source}"
    size = "octet_length(l.document)"
    return NewestFirst(StoredLink, select, values, at="l.created_at", id_="l.id", source=source, size=size)


async def list_shared(db: Read, workshop_id: str) -> list[str]:
    """The ids of the workshop's estimates that have ever had a link or a decision, newest first."""
    sql = """
        SELECT e.id FROM estimates e WHERE e.workshop_id = :workshop_id AND (
            EXISTS (SELECT 1 FROM links l WHERE l.estimate_id = e.id)
            OR EXISTS (SELECT 1 FROM decisions d WHERE d.estimate_id = e.id)
        ) ORDER BY e.created_at DESC, e.id DESC
    """
    return await db.all(str, sql, workshop_id=workshop_id)


async def count_open(db: Read, estimate_id: str, now: Instant) -> int:
    """The links of the estimate that can be decided, or could be if they were not only shown."""
    sql = """
        SELECT count(*) FROM links l JOIN estimates e ON e.id = l.estimate_id
        WHERE l.estimate_id = :estimate_id AND l.revision_number = e.latest_revision
            AND l.revoked_at IS NULL AND (l.expires_at IS NULL OR l.expires_at > :now) AND NOT EXISTS (
                SELECT 1 FROM decisions d WHERE d.estimate_id = l.estimate_id AND d.voided_at IS NULL
                    AND d.revision_number = l.revision_number
            )
    """
    return int(await db.value(sql, estimate_id=estimate_id, now=now))


async def add(db: Write, link: StoredLink) -> None:
    await db.add(
        "links",
        workshop_id=link.workshop_id,
        estimate_id=link.estimate_id,
        created_at=link.created_at,
        id=link.id,
        created_by_uid=link.created_by_uid,
        locale=link.locale,
        toggles=link.toggles,
        **_shown(link),
    )


async def save(db: Write, link: StoredLink) -> None:
    """Saves what the link shows now, and until when."""
    await db.save("links", link, **_shown(link))


# What a link shows, and until when.
_SHOWN = (
    "revision_number",
    "can_decide",
    "expires_at",
    "own_expiry",
    "pdf_export_id",
    "pdf_hash",
    "document",
    "document_hash",
    "receipt_email",
)


def _shown(link: StoredLink) -> dict[str, Any]:
    return {name: getattr(link, name) for name in _SHOWN}


async def save_revoked(db: Write, link_id: str, at: Instant) -> None:
    """Revokes the link and deletes the tokens of its addresses."""
    await db.run("UPDATE links SET revoked_at = :at WHERE id = :id", id=link_id, at=at)
    await db.run("DELETE FROM link_tokens WHERE link_id = :id", id=link_id)


async def save_mailed(db: Write, link_id: str, email: str) -> None:
    await db.run("UPDATE links SET mailed_to = :email WHERE id = :id", id=link_id, email=email)


class _LastOpening(Struct, frozen=True):
    last_opened_at: Instant | None


async def lock_last_opening(db: Write, link_id: str) -> Instant | None:
    """When the link was last opened, which nobody changes until the end of the transaction. None: never, or deleted."""
    sql = "SELECT last_opened_at FROM links WHERE id = :id"
    found = await db.locking().one(_LastOpening, sql, id=link_id)
    return None if found is None else found.last_opened_at


async def save_opening(db: Write, link_id: str, at: Instant) -> None:
    await db.run(
        """
        UPDATE links SET openings = openings + 1, first_opened_at = coalesce(first_opened_at, :at), last_opened_at = :at
        WHERE id = :id
        """,
        id=link_id,
        at=at,
    )


async def is_bound(db: Read, pdf_export_id: str) -> bool:
    """Whether a link shows this PDF, or a decision was made about it."""
    found = await db.value(
        """
        SELECT 1 FROM links l WHERE l.pdf_export_id = :id AND (
            l.revoked_at IS NULL
            OR EXISTS (SELECT 1 FROM decisions d WHERE d.link_id = l.id AND d.pdf_export_id IS NULL)
        )
        UNION ALL SELECT 1 FROM decisions WHERE pdf_export_id = :id LIMIT 1
        """,
        id=pdf_export_id,
    )
    return found is not None
