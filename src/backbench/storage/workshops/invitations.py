"""Invitations in the database; there is at most one to a workshop for an address."""

from backbench.domain.values.errors import NotFound
from backbench.domain.values.pagination import UNPAGED, PageQuery
from backbench.domain.values.scalars import fold_case
from backbench.domain.values.times import Instant
from backbench.domain.workshops.invitations import StoredInvitation
from backbench.storage.engine.cursors import newest
from backbench.storage.engine.database import Read, Write

_COLUMNS = "id, workshop_id, email, role, created_at, expires_at, invited_by"


async def find_open(db: Read, invitation_id: str, now: Instant) -> StoredInvitation | None:
    """The invitation, if it may still be accepted."""
    return await db.one(
        StoredInvitation,
        f"SELECT {_COLUMNS} FROM invitations WHERE id = :id AND expires_at > :now",
        id=invitation_id,
        now=now,
    )


async def find(db: Read, invitation_id: str, now: Instant) -> StoredInvitation:
    """NotFound when it has run out, too."""
    invitation = await find_open(db, invitation_id, now)
    if invitation is None:
        raise NotFound
    return invitation


async def list_page(
    db: Read, workshop_id: str, now: Instant, part: PageQuery
) -> tuple[list[StoredInvitation], str | None]:
    """The workshop's open ones, newest first, and the cursor that leads on."""
    select = f"SELECT {_COLUMNS} FROM invitations WHERE workshop_id = :workshop_id AND expires_at > :now"
    return await newest(db, StoredInvitation, select, part, workshop_id=workshop_id, now=now)


async def list_all(db: Read, workshop_id: str, now: Instant) -> list[StoredInvitation]:
    """Every open one of the workshop, newest first."""
    return (await list_page(db, workshop_id, now, UNPAGED))[0]


async def has_open(db: Read, email: str, now: Instant) -> bool:
    """Whether any workshop waits for this address."""
    sql = "SELECT 1 FROM invitations WHERE email_key = :key AND expires_at > :now LIMIT 1"
    return await db.value(sql, key=fold_case(email), now=now) is not None


async def add(db: Write, invitation: StoredInvitation) -> None:
    """Takes the place of an earlier one to the same workshop for the same address, whose links then lead nowhere."""
    await db.run(
        "DELETE FROM invitations WHERE workshop_id = :workshop_id AND email_key = :key",
        workshop_id=invitation.workshop_id,
        key=fold_case(invitation.email),
    )
    await db.run(
        f"""
        INSERT INTO invitations ({_COLUMNS}, email_key)
        VALUES (:id, :workshop_id, :email, :role, :created_at, :expires_at, :invited_by, :email_key)
        """,
        id=invitation.id,
        workshop_id=invitation.workshop_id,
        email=invitation.email,
        role=invitation.role,
        created_at=invitation.created_at,
        expires_at=invitation.expires_at,
        invited_by=invitation.invited_by,
        email_key=fold_case(invitation.email),
    )


async def delete(db: Write, invitation_id: str) -> bool:
    return await db.run("DELETE FROM invitations WHERE id = :id", id=invitation_id) > 0


async def sweep(db: Write, now: Instant) -> int:
    return await db.run("DELETE FROM invitations WHERE expires_at <= :now", now=now)
