"""Invitations in the database: at most one per workshop and email address.

An invitation is open until it expires, and only while the account that created it is an active owner of the workshop.
"""

from backbench.domain.values.pagination import Page, PageQuery
from backbench.domain.values.scalars import email_key
from backbench.domain.values.times import Instant
from backbench.domain.workshops.invitations import StoredInvitation
from backbench.storage.engine.database import Read, Write
from backbench.storage.engine.lists import list_all_newest_first, list_newest_first
from backbench.storage.engine.objects import Loaded
from backbench.storage.engine.rows import columns

_COLUMNS = columns(StoredInvitation)
_IS_OF_OWNER = """EXISTS (
    SELECT 1 FROM members JOIN accounts ON accounts.id = members.account_id
    WHERE members.workshop_id = i.workshop_id AND members.account_id = i.invited_by
        AND members.role = 'owner' AND accounts.status = 'active'
)"""
_IS_OPEN = f"i.expires_at > :now AND {_IS_OF_OWNER}"
# The invitation of a path, for owners, also once it has expired.
INVITATION = Loaded(
    StoredInvitation,
    "invitation",
    "invitations i",
    key="invitation_id",
    condition=f"i.id = :invitation_id AND {_IS_OF_OWNER}",
    of_owner=True,
)
_OPEN = f"SELECT {_COLUMNS} FROM invitations i WHERE workshop_id = :workshop_id AND {_IS_OPEN}"


async def lookup_open(db: Read, invitation_id: str, now: Instant) -> StoredInvitation | None:
    """The invitation, if it may still be accepted."""
    return await db.one(
        StoredInvitation,
        f"SELECT {_COLUMNS} FROM invitations i WHERE id = :id AND {_IS_OPEN}",
        id=invitation_id,
        now=now,
    )


async def list_page(db: Read, workshop_id: str, now: Instant, page: PageQuery) -> Page[StoredInvitation]:
    """The workshop's open invitations, newest first."""
    return await list_newest_first(db, StoredInvitation, _OPEN, page, workshop_id=workshop_id, now=now)


async def list_all(db: Read, workshop_id: str, now: Instant) -> list[StoredInvitation]:
    """Every open invitation of the workshop, newest first."""
    return await list_all_newest_first(db, StoredInvitation, _OPEN, workshop_id=workshop_id, now=now)


async def has_open(db: Read, email: str, now: Instant) -> bool:
    """Whether there is an open invitation of any workshop to this address."""
    sql = f"SELECT 1 FROM invitations i WHERE email_key = :key AND {_IS_OPEN} LIMIT 1"
    return await db.value(sql, key=email_key(email), now=now) is not None


async def add(db: Write, invitation: StoredInvitation) -> None:
    """Replaces an earlier invitation of the workshop to the same address, whose links are invalid from then on."""
    key = email_key(invitation.email)
    await db.run(
        "DELETE FROM invitations WHERE workshop_id = :workshop_id AND email_key = :key",
        workshop_id=invitation.workshop_id,
        key=key,
    )
    await db.add("invitations", invitation, email_key=key)


async def delete(db: Write, invitation_id: str) -> bool:
    """False when it does not exist."""
    return await db.run("DELETE FROM invitations WHERE id = :id", id=invitation_id) > 0


async def delete_of_inviter(db: Write, uid: str, workshop_id: str | None = None) -> None:
    """Deletes the invitations that the account created, in one workshop or in all; their links stop working."""
    await db.run(
        "DELETE FROM invitations WHERE invited_by = :uid AND workshop_id = coalesce(:workshop_id, workshop_id)",
        uid=uid,
        workshop_id=workshop_id,
    )


async def delete_expired(db: Write, now: Instant) -> int:
    """The number of invitations deleted."""
    return await db.run("DELETE FROM invitations WHERE expires_at <= :now", now=now)
