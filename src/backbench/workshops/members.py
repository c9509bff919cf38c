"""Members of a workshop and their roles."""

from typing import Literal

from msgspec import Struct

from backbench.engine.database import Read, Write
from backbench.engine.objects import Loaded
from backbench.values.enums import UserLocale
from backbench.values.times import Instant

MemberRole = Literal["owner", "member"]


class WorkshopMember(Struct, frozen=True, rename="camel"):
    id: str
    name: str
    avatar_seed: str
    role: MemberRole


class MemberEdit(Struct, frozen=True, forbid_unknown_fields=True):
    role: MemberRole


# Statements


class Owner(Struct, frozen=True):
    """Whom emails about the workshop are sent to."""

    id: str
    email: str
    locale: UserLocale


class _MemberRow(Struct, frozen=True):
    workshop_id: str
    id: str
    name: str
    role: MemberRole

    def to_response(self) -> WorkshopMember:
        return WorkshopMember(id=self.id, name=self.name, avatar_seed=self.id, role=self.role)


class Membership(Struct, frozen=True):
    account_id: str


# The membership of the caller in the workshop of a path, where the specification has 403 for one that does not exist.
MEMBERSHIP = Loaded(
    Membership,
    "membership",
    "members m",
    key="workshop_id",
    condition="m.workshop_id = :workshop_id AND m.account_id = {uid}",
    members="",
    locks=(),
    is_hidden=True,
)


async def lookup_role(db: Read, workshop_id: str, uid: str) -> MemberRole | None:
    """None when the account is not a member."""
    sql = "SELECT role FROM members WHERE workshop_id = :workshop_id AND account_id = :uid"
    role: MemberRole | None = await db.value(sql, workshop_id=workshop_id, uid=uid)
    return role


async def list_all(db: Read, workshop_id: str) -> list[WorkshopMember]:
    """Every member, in the order of joining."""
    rows = await db.all(
        _MemberRow,
        """
        SELECT m.workshop_id, a.id, a.name, m.role FROM members m JOIN accounts a ON a.id = m.account_id
        WHERE m.workshop_id = :workshop_id ORDER BY m.joined_at, a.id
        """,
        workshop_id=workshop_id,
    )
    return [row.to_response() for row in rows]


async def list_by_workshop(db: Read, uid: str) -> dict[str, list[WorkshopMember]]:
    """The members of every workshop of the account, by workshop id, in one statement."""
    rows = await db.all(
        _MemberRow,
        """
        SELECT m.workshop_id, a.id, a.name, m.role
        FROM members mine JOIN members m ON m.workshop_id = mine.workshop_id JOIN accounts a ON a.id = m.account_id
        WHERE mine.account_id = :uid ORDER BY m.joined_at, a.id
        """,
        uid=uid,
    )
    by_workshop: dict[str, list[WorkshopMember]] = {}
    for row in rows:
        by_workshop.setdefault(row.workshop_id, []).append(row.to_response())
    return by_workshop


async def list_own(db: Read, uid: str) -> dict[str, WorkshopMember]:
    """What the workshops of the account show of it, by workshop id."""
    sql = """
        SELECT m.workshop_id, a.id, a.name, m.role FROM members m JOIN accounts a ON a.id = m.account_id
        WHERE m.account_id = :uid ORDER BY m.workshop_id
    """
    return {row.workshop_id: row.to_response() for row in await db.all(_MemberRow, sql, uid=uid)}


async def add(db: Write, workshop_id: str, uid: str, role: MemberRole, at: Instant) -> None:
    """Adds the account, or changes its role if it is a member already."""
    await db.run(
        """
        INSERT INTO members (workshop_id, account_id, role, joined_at) VALUES (:workshop_id, :uid, :role, :at)
        ON CONFLICT (workshop_id, account_id) DO UPDATE SET role = excluded.role
        """,
        workshop_id=workshop_id,
        uid=uid,
        role=role,
        at=at,
    )


async def delete(db: Write, workshop_id: str, uid: str) -> None:
    await db.run(
        "DELETE FROM members WHERE workshop_id = :workshop_id AND account_id = :uid", workshop_id=workshop_id, uid=uid
    )


async def count_owned(db: Read, uid: str) -> int:
    """How many workshops the account owns."""
    return int(await db.value("SELECT count(*) FROM members WHERE account_id = :uid AND role = 'owner'", uid=uid))


async def owner_locale(db: Read, workshop_id: str) -> UserLocale:
    """The locale of the workshop's first owner."""
    locale: UserLocale = await db.value(
        """
        SELECT a.locale FROM members m JOIN accounts a ON a.id = m.account_id
        WHERE m.workshop_id = :workshop_id AND m.role = 'owner' ORDER BY m.joined_at, a.id LIMIT 1
        """,
        workshop_id=workshop_id,
    )
    return locale


async def list_owners(db: Read, workshop_id: str) -> list[Owner]:
    """The active accounts that own the workshop."""
    return await db.all(
        Owner,
        """
        SELECT a.id, a.email, a.locale FROM members m JOIN accounts a ON a.id = m.account_id
        WHERE m.workshop_id = :workshop_id AND m.role = 'owner' AND a.status = 'active' ORDER BY m.joined_at, a.id
        """,
        workshop_id=workshop_id,
    )


async def list_owner_ids(db: Read, workshop_id: str) -> list[str]:
    """The ids of the accounts that own the workshop."""
    sql = "SELECT account_id FROM members WHERE workshop_id = :workshop_id AND role = 'owner' ORDER BY joined_at"
    return await db.all(str, sql, workshop_id=workshop_id)
