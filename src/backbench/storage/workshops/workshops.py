"""Workshops in the database."""

from backbench.domain.values.errors import NotFound
from backbench.domain.values.numbers import to_json_text
from backbench.domain.values.pagination import Page, PageQuery
from backbench.domain.values.times import Instant
from backbench.domain.workshops.workshops import (
    AddedWorkshop,
    NewWorkshop,
    StoredWorkshop,
    WorkshopContext,
    WorkshopContextDerived,
    WorkshopEdit,
)
from backbench.storage.billing import billing
from backbench.storage.engine.database import Read, Write
from backbench.storage.engine.lists import list_all_newest_first, list_newest_first
from backbench.storage.engine.objects import Loaded
from backbench.storage.engine.parameters import is_sent, json_or_none, or_none
from backbench.storage.engine.rows import columns
from backbench.storage.estimating import files
from backbench.storage.workshops import counters, members

COLUMNS = columns(StoredWorkshop, "w")
# The workshop of a path, for its members or for its owners. It is not locked: what is in it has locks of its own.
WORKSHOP, OWN_WORKSHOP = (
    Loaded(
        StoredWorkshop,
        "workshop",
        "workshops w",
        key="workshop_id",
        condition="w.id = :workshop_id",
        workshop="w.id",
        locks=(),
        of_owner=of_owner,
    )
    for of_owner in (False, True)
)
_OF_ACCOUNT = f"SELECT {COLUMNS} FROM members m JOIN workshops w ON w.id = m.workshop_id WHERE m.account_id = :uid"


async def find(db: Read, workshop_id: str) -> StoredWorkshop:
    """Raises NotFound."""
    workshop = await db.one(
        StoredWorkshop, f"SELECT {COLUMNS} FROM workshops w WHERE w.id = :workshop_id", workshop_id=workshop_id
    )
    if workshop is None:
        raise NotFound
    return workshop


async def list_page(db: Read, uid: str, page: PageQuery) -> Page[StoredWorkshop]:
    """The workshops that the account is a member of, newest first."""
    return await list_newest_first(db, StoredWorkshop, _OF_ACCOUNT, page, at="w.created_at", id_="w.id", uid=uid)


async def list_all(db: Read, uid: str) -> list[StoredWorkshop]:
    """Every workshop the account is a member of, newest first."""
    return await list_all_newest_first(db, StoredWorkshop, _OF_ACCOUNT, at="w.created_at", id_="w.id", uid=uid)


async def add(
    db: Write,
    new: NewWorkshop,
    added: AddedWorkshop,
) -> None:
    """Adds the workshop, and its owner as a member."""
    await db.add(
        "workshops",
        new,
        id=added.id,
        crafter_avatar_seed=added.avatar_seed,
        plan="free",
        is_default=added.is_default,
        document_settings=added.document_settings,
        created_at=added.created_at,
    )
    await counters.add(db, added.id, added.history)
    await members.add(db, added.id, added.owner, "owner", added.created_at)


async def save_edit(db: Write, workshop_id: str, edit: WorkshopEdit) -> None:
    """Writes only the members of the body that were sent."""
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
        has_custom=is_sent(edit.custom_background),
        custom_background=json_or_none(edit.custom_background),
        has_accent=is_sent(edit.accent_color),
        accent_color=or_none(edit.accent_color),
    )


async def save_context(db: Write, workshop_id: str, notes: str, at: Instant) -> None:
    """Replaces the notes. Empty notes also delete what was derived from them."""
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
    """False, and nothing saved, when the notes are no longer those that it was derived from."""
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
    """Deletes the workshop with everything in it."""
    await files.delete_of_workshop(db, workshop_id)
    await billing.delete_of_workshop(db, workshop_id)
    await db.run("DELETE FROM workshops WHERE id = :id", id=workshop_id)
