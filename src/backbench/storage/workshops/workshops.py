"""Workshops and their members in the database."""

from typing import Literal

from msgspec import Struct

from backbench.domain.values.errors import NotFound
from backbench.domain.values.numbers import to_json_text
from backbench.domain.values.pagination import UNPAGED, PageQuery
from backbench.domain.values.times import Instant
from backbench.domain.workshops.workshops import (
    MemberRole,
    NewWorkshop,
    StoredWorkshop,
    WorkshopContext,
    WorkshopContextDerived,
    WorkshopEdit,
    WorkshopMember,
)
from backbench.storage.billing import billing
from backbench.storage.engine.cursors import newest
from backbench.storage.engine.database import Read, Write
from backbench.storage.engine.parameters import json_or_none, or_none, sent
from backbench.storage.estimating import files

_COLUMNS = """w.id, w.name, w.tagline, w.logo, w.crafter_name, w.crafter_avatar_seed, w.background,
    w.custom_background, w.title_font, w.accent_color, w.plan, w.plan_expires_at, w.plan_source, w.trial_started_at,
    w.context_notes, w.context_updated_at, w.context_derived, w.is_default, w.billing_customer_id,
    w.billing_subscription_id, w.billing_cancel_at_period_end, w.storage_used_bytes, w.created_at"""


class _MemberRow(Struct, frozen=True):
    workshop_id: str
    id: str
    name: str
    role: MemberRole

    def to_response(self) -> WorkshopMember:
        return WorkshopMember(id=self.id, name=self.name, avatar_seed=self.id, role=self.role)


async def find(db: Read, workshop_id: str) -> StoredWorkshop:
    workshop = await db.one(
        StoredWorkshop, f"SELECT {_COLUMNS} FROM workshops w WHERE w.id = :workshop_id", workshop_id=workshop_id
    )
    if workshop is None:
        raise NotFound
    return workshop


async def list_page(db: Read, uid: str, part: PageQuery) -> tuple[list[StoredWorkshop], str | None]:
    """The workshops that the account is a member of, newest first, and the cursor that leads on."""
    select = f"SELECT {_COLUMNS} FROM members m JOIN workshops w ON w.id = m.workshop_id WHERE m.account_id = :uid"
    return await newest(db, StoredWorkshop, select, part, at="w.created_at", id_="w.id", uid=uid)


async def list_all(db: Read, uid: str) -> list[StoredWorkshop]:
    """Every workshop the account is a member of, newest first."""
    return (await list_page(db, uid, UNPAGED))[0]


async def add(
    db: Write,
    new: NewWorkshop,
    *,
    workshop_id: str,
    owner: str,
    avatar_seed: str,
    document_settings: str,
    is_default: bool,
    at: Instant,
) -> None:
    await db.run(
        """
        INSERT INTO workshops (id, name, tagline, logo, crafter_name, crafter_avatar_seed, background,
            custom_background, title_font, accent_color, plan, is_default, document_settings, created_at)
        VALUES (:id, :name, :tagline, :logo, :crafter_name, :avatar_seed, :background,
            :custom_background, :title_font, :accent_color, 'free', :is_default, :document_settings, :at)
        """,
        id=workshop_id,
        name=new.name,
        tagline=new.tagline,
        logo=new.logo,
        crafter_name=new.crafter_name,
        avatar_seed=avatar_seed,
        background=new.background,
        custom_background=json_or_none(new.custom_background),
        title_font=new.title_font,
        accent_color=new.accent_color,
        is_default=int(is_default),
        document_settings=document_settings,
        at=at,
    )
    await add_member(db, workshop_id, owner, "owner", at)


async def save_edit(db: Write, workshop_id: str, edit: WorkshopEdit) -> None:
    await db.run(
        """
        UPDATE workshops SET name = coalesce(:name, name), tagline = coalesce(:tagline, tagline),
            logo = coalesce(:logo, logo), crafter_name = coalesce(:crafter_name, crafter_name),
            background = coalesce(:background, background), title_font = coalesce(:title_font, title_font),
            custom_background = CASE WHEN :has_custom = 1 THEN :custom_background ELSE custom_background END,
            accent_color = CASE WHEN :has_accent = 1 THEN :accent_color ELSE accent_color END
        WHERE id = :id
        """,
        id=workshop_id,
        name=or_none(edit.name),
        tagline=or_none(edit.tagline),
        logo=or_none(edit.logo),
        crafter_name=or_none(edit.crafter_name),
        background=or_none(edit.background),
        title_font=or_none(edit.title_font),
        has_custom=sent(edit.custom_background),
        custom_background=json_or_none(edit.custom_background),
        has_accent=sent(edit.accent_color),
        accent_color=or_none(edit.accent_color),
    )


async def save_context(db: Write, workshop_id: str, notes: str, at: Instant) -> None:
    """Replaces the notes; what was derived from notes that are gone goes with them."""
    await db.run(
        """
        UPDATE workshops SET context_notes = :notes, context_updated_at = :at,
            context_derived = CASE WHEN :notes = '' THEN NULL ELSE context_derived END
        WHERE id = :id
        """,
        id=workshop_id,
        notes=notes,
        at=at,
    )


async def save_derived(db: Write, workshop_id: str, source: WorkshopContext, derived: WorkshopContextDerived) -> bool:
    """Whether it was saved: it is not where the notes are no longer those that it was derived from."""
    changed = await db.run(
        """
        UPDATE workshops SET context_derived = :derived
        WHERE id = :id AND context_updated_at = :updated_at AND context_notes = :notes
        """,
        id=workshop_id,
        derived=to_json_text(derived),
        updated_at=source.updated_at,
        notes=source.notes,
    )
    return changed == 1


async def delete(db: Write, workshop_id: str) -> None:
    """Everything in it goes with it."""
    await files.delete_of_workshop(db, workshop_id)
    await billing.delete_of_workshop(db, workshop_id)
    await db.run("DELETE FROM workshops WHERE id = :id", id=workshop_id)


# Members


async def find_role(db: Read, workshop_id: str, uid: str) -> MemberRole | None:
    role: MemberRole | None = await db.value(
        "SELECT role FROM members WHERE workshop_id = :workshop_id AND account_id = :uid",
        workshop_id=workshop_id,
        uid=uid,
    )
    return role


async def members(db: Read, workshop_id: str) -> list[WorkshopMember]:
    rows = await db.all(
        _MemberRow,
        """
        SELECT m.workshop_id, a.id, a.name, m.role FROM members m JOIN accounts a ON a.id = m.account_id
        WHERE m.workshop_id = :workshop_id ORDER BY m.joined_at, a.id
        """,
        workshop_id=workshop_id,
    )
    return [row.to_response() for row in rows]


async def members_of_all(db: Read, uid: str) -> dict[str, list[WorkshopMember]]:
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
    found: dict[str, list[WorkshopMember]] = {}
    for row in rows:
        found.setdefault(row.workshop_id, []).append(row.to_response())
    return found


async def add_member(db: Write, workshop_id: str, uid: str, role: MemberRole, at: Instant) -> None:
    """Adds the account, or gives it the role if it is a member already."""
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


async def delete_member(db: Write, workshop_id: str, uid: str) -> None:
    await db.run(
        "DELETE FROM members WHERE workshop_id = :workshop_id AND account_id = :uid", workshop_id=workshop_id, uid=uid
    )


async def owners(db: Read, workshop_id: str) -> list[str]:
    """The ids of the accounts that own the workshop."""
    sql = "SELECT account_id FROM members WHERE workshop_id = :workshop_id AND role = 'owner' ORDER BY joined_at"
    return await db.all(str, sql, workshop_id=workshop_id)


# Attempts at the AI operations


class AiAttempt(Struct, frozen=True):
    kind: Literal["context_synthesis", "message_draft"]
    at: Instant


async def ai_attempts(db: Read, workshop_id: str) -> list[AiAttempt]:
    return await db.all(
        AiAttempt,
        "SELECT kind, at FROM ai_attempts WHERE workshop_id = :workshop_id ORDER BY at, id",
        workshop_id=workshop_id,
    )
