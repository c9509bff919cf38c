"""Addresses of links in the database, each with a token. Only the SHA-256 of a token is stored.

What somebody made with an API key ends when the key is revoked. What was shown to a member ends when the member leaves
the workshop or is suspended; what was printed or mailed stays, since clients have it.
"""

from backbench.engine.database import Read, Write
from backbench.engine.rows import JoinedRow
from backbench.sharing.links import COLUMNS, JOINED, LinkAddress, StoredLink
from backbench.values.times import Instant

# Of `t`, an address, and `l`, its link. Addresses made before the maker was stored are those of the link's maker.
_WORKS = """t.ended_at IS NULL
    AND (t.key_id IS NULL OR EXISTS (SELECT 1 FROM api_keys k WHERE k.id = t.key_id AND k.revoked_at IS NULL))
    AND (coalesce(t.kind, '') <> 'shown' OR EXISTS (
        SELECT 1 FROM members m JOIN accounts a ON a.id = m.account_id
        WHERE m.workshop_id = l.workshop_id AND m.account_id = t.made_by_uid AND a.status = 'active'
    ))"""
_COLUMNS = """coalesce(t.kind, 'unknown') AS kind, t.created_at, coalesce(t.made_by_uid, l.created_by_uid) AS by_uid,
    t.key_id, t.mailed_to AS email"""
# A list shows the newest of the addresses of all links of an estimate.
_MOST_LISTED = 500


class OpenedLink(JoinedRow, frozen=True):
    """The link of a token, the address that the token belongs to, and the first owner of the workshop."""

    link: StoredLink
    address: LinkAddress
    owner_uid: str


class _ListedAddress(JoinedRow, frozen=True):
    link_id: str
    address: LinkAddress


async def lookup(db: Read, token_hash: str) -> OpenedLink | None:
    """None for an unknown token, one that has ended, and once the link is revoked."""
    return await db.one(
        OpenedLink,
        f"""
        SELECT {COLUMNS}, {_COLUMNS}, 0 AS ended,
            (SELECT m.account_id FROM members m WHERE m.workshop_id = l.workshop_id AND m.role = 'owner'
                ORDER BY m.joined_at, m.account_id LIMIT 1) AS owner_uid
        FROM link_tokens t JOIN links l ON l.id = t.link_id {JOINED}
        WHERE t.token_hash = :token_hash AND l.revoked_at IS NULL AND {_WORKS}
        """,
        token_hash=token_hash,
    )


async def of_estimate(db: Read, estimate_id: str) -> dict[str, list[LinkAddress]]:
    """The addresses of the estimate's links by link, oldest first, those that have ended included."""
    rows = await db.all(
        _ListedAddress,
        f"""
        SELECT l.id AS link_id, {_COLUMNS}, CASE WHEN {_WORKS} THEN 0 ELSE 1 END AS ended
        FROM links l JOIN link_tokens t ON t.link_id = l.id
        WHERE l.estimate_id = :estimate_id ORDER BY t.created_at DESC, t.token_hash LIMIT :most
        """,
        estimate_id=estimate_id,
        most=_MOST_LISTED,
    )
    by_link: dict[str, list[LinkAddress]] = {}
    for row in reversed(rows):
        by_link.setdefault(row.link_id, []).append(row.address)
    return by_link


async def count_shown(db: Read, link_id: str) -> int:
    """The addresses that were shown to members, those that have ended included."""
    sql = "SELECT count(*) FROM link_tokens WHERE link_id = :id AND kind = 'shown'"
    return int(await db.value(sql, id=link_id))


async def add(db: Write, link_id: str, token_hash: str, address: LinkAddress) -> None:
    await db.add(
        "link_tokens",
        token_hash=token_hash,
        link_id=link_id,
        created_at=address.created_at,
        kind=address.kind,
        made_by_uid=address.by_uid,
        key_id=address.key_id,
        mailed_to=address.email,
    )


async def save_ended(db: Write, uid: str, at: Instant) -> None:
    """Ends every address that the account made, in all of its workshops."""
    await db.run("UPDATE link_tokens SET ended_at = :at WHERE made_by_uid = :uid AND ended_at IS NULL", uid=uid, at=at)
