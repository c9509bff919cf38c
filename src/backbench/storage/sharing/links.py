"""Links in the database. Only the SHA-256 of a token is stored."""

from msgspec import Struct

from backbench.domain.sharing.exported_links import StoredLinkWithDocument
from backbench.domain.sharing.links import OpenedLink, StoredLink
from backbench.domain.values.errors import NotFound
from backbench.domain.values.numbers import to_json_text
from backbench.domain.values.times import Instant
from backbench.storage.engine.database import Read, Value, Write
from backbench.storage.engine.lists import NewestFirst

_COLUMNS = """l.id, l.workshop_id, l.estimate_id, l.created_at, l.created_by_uid, l.revision_number, l.locale,
    l.toggles, l.can_decide, l.expires_at, l.revoked_at, l.pdf_export_id, l.pdf_hash, l.document_hash,
    l.receipt_email, l.openings, l.first_opened_at, l.last_opened_at,
    (SELECT coalesce(max(n.revision_number), 0) FROM links n
        WHERE n.estimate_id = l.estimate_id AND n.revoked_at IS NULL) AS newest_revision,
    d.outcome, d.revision_number AS decided_revision"""
_FROM = "FROM links l LEFT JOIN decisions d ON d.estimate_id = l.estimate_id AND d.voided_at IS NULL"
_OPENED = """l.document, d.name AS decided_by, d.decided_at, w.plan, w.plan_expires_at, w.plan_source"""


async def lookup_by_token(db: Read, token_hash: str) -> OpenedLink | None:
    """The link of a token. None for an unknown one, and once the link is revoked."""
    return await db.one(
        OpenedLink,
        f"""
        SELECT {_COLUMNS}, {_OPENED} {_FROM} JOIN workshops w ON w.id = l.workshop_id
        WHERE l.id = (SELECT t.link_id FROM link_tokens t WHERE t.token_hash = :token_hash) AND l.revoked_at IS NULL
        """,
        token_hash=token_hash,
    )


async def lookup_by_id(db: Read, link_id: str) -> OpenedLink | None:
    """As `lookup_by_token`, once the estimate is locked: the state of this moment."""
    sql = f"""
        SELECT {_COLUMNS}, {_OPENED} {_FROM} JOIN workshops w ON w.id = l.workshop_id
        WHERE l.id = :id AND l.revoked_at IS NULL
    """
    return await db.one(OpenedLink, sql, id=link_id)


async def find(db: Read, link_id: str) -> StoredLink:
    """Raises NotFound."""
    link = await db.one(StoredLink, f"SELECT {_COLUMNS} {_FROM} WHERE l.id = :id", id=link_id)
    if link is None:
        raise NotFound
    return link


def of_estimate(estimate_id: str) -> NewestFirst[StoredLink]:
    """The estimate's links, revoked ones included."""
    select = f"SELECT {_COLUMNS} {_FROM} WHERE l.estimate_id = :estimate_id"
    return NewestFirst(StoredLink, select, {"estimate_id": estimate_id}, at="l.created_at", id_="l.id")


def with_documents(estimate_id: str) -> NewestFirst[StoredLinkWithDocument]:
    """The estimate's links with what they show, for an export."""
    source = f"{_FROM} WHERE l.estimate_id = :estimate_id"
    values: dict[str, Value] = {"estimate_id": estimate_id}
    select = f"SELECT {_COLUMNS}, l.document {source}"
    size = "octet_length(l.document)"
    return NewestFirst(StoredLinkWithDocument, select, values, at="l.created_at", id_="l.id", source=source, size=size)


async def is_shared(db: Read, estimate_id: str) -> bool:
    """Whether the estimate has ever had a link or a decision."""
    found = await db.value(
        """
        SELECT 1 FROM links WHERE estimate_id = :estimate_id
        UNION ALL SELECT 1 FROM decisions WHERE estimate_id = :estimate_id LIMIT 1
        """,
        estimate_id=estimate_id,
    )
    return found is not None


async def count_open(db: Read, estimate_id: str, revision_number: int, now: Instant) -> int:
    """The links that would be open beside a new one of this revision."""
    sql = """
        SELECT count(*) FROM links WHERE estimate_id = :estimate_id AND revision_number >= :revision_number
            AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > :now) AND NOT EXISTS (
                SELECT 1 FROM decisions d WHERE d.estimate_id = :estimate_id AND d.voided_at IS NULL
                    AND d.revision_number = links.revision_number
            )
    """
    return int(await db.value(sql, estimate_id=estimate_id, revision_number=revision_number, now=now))


class NewStoredLink(Struct, frozen=True):
    """A link that has no history yet, and the canonical JSON of what it shows."""

    link: StoredLink
    document: bytes


async def add(db: Write, new: NewStoredLink) -> None:
    link = new.link
    await db.run(
        """
        INSERT INTO links (workshop_id, estimate_id, created_at, id, created_by_uid, revision_number, locale, toggles,
            can_decide, expires_at, pdf_export_id, pdf_hash, document, document_hash, receipt_email)
        VALUES (:workshop_id, :estimate_id, :created_at, :id, :created_by_uid, :revision_number, :locale, :toggles,
            :can_decide, :expires_at, :pdf_export_id, :pdf_hash, :document, :document_hash,
            :receipt_email)
        """,
        workshop_id=link.workshop_id,
        estimate_id=link.estimate_id,
        created_at=link.created_at,
        id=link.id,
        created_by_uid=link.created_by_uid,
        revision_number=link.revision_number,
        locale=link.locale,
        toggles=to_json_text(link.toggles),
        can_decide=int(link.can_decide),
        expires_at=link.expires_at,
        pdf_export_id=link.pdf_export_id,
        pdf_hash=link.pdf_hash,
        document=new.document.decode(),
        document_hash=link.document_hash,
        receipt_email=link.receipt_email,
    )


async def add_token(db: Write, link_id: str, token_hash: str, at: Instant) -> None:
    await db.run(
        "INSERT INTO link_tokens (token_hash, link_id, created_at) VALUES (:token_hash, :link_id, :at)",
        token_hash=token_hash,
        link_id=link_id,
        at=at,
    )


async def save_revoked(db: Write, link_id: str, at: Instant) -> bool:
    """Revokes the link and deletes its tokens. False where it was revoked before."""
    if not await db.run("UPDATE links SET revoked_at = :at WHERE id = :id AND revoked_at IS NULL", id=link_id, at=at):
        return False
    await db.run("DELETE FROM link_tokens WHERE link_id = :id", id=link_id)
    return True


async def save_receipt_email(db: Write, link_id: str, email: str) -> None:
    await db.run("UPDATE links SET receipt_email = :email WHERE id = :id", id=link_id, email=email)


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
            l.revoked_at IS NULL OR EXISTS (SELECT 1 FROM decisions d WHERE d.link_id = l.id)
        ) LIMIT 1
        """,
        id=pdf_export_id,
    )
    return found is not None


async def lookup_newest(db: Read, estimate_id: str) -> StoredLink | None:
    """The newest link of the estimate that is not revoked."""
    sql = f"""
        SELECT {_COLUMNS} {_FROM} WHERE l.estimate_id = :estimate_id AND l.revoked_at IS NULL
        ORDER BY l.created_at DESC, l.id DESC LIMIT 1
    """
    return await db.one(StoredLink, sql, estimate_id=estimate_id)
