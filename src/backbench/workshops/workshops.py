"""Workshops: profile, appearance, plan, notes and members of a craft business."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType, structs

from backbench.accounts import accounts
from backbench.billing.plans import Plan, PlanRules, WorkshopPlan, WorkshopPlanSource
from backbench.engine.database import Read, Write
from backbench.engine.lists import list_all_newest_first, list_newest_first
from backbench.engine.objects import Loaded
from backbench.engine.rows import columns
from backbench.estimating.document_settings import default_settings
from backbench.services import Services
from backbench.values.calls import Call
from backbench.values.emoji import Emoji
from backbench.values.enums import TitleFont
from backbench.values.errors import Conflict, NotFound
from backbench.values.numbers import to_json_text
from backbench.values.pagination import Page, PageQuery
from backbench.values.scalars import NO_CONTROL, ONE_LINE, HexColor, Rule
from backbench.values.shapes import edited, made_of, sent
from backbench.values.text import LocalizedText
from backbench.values.times import Instant
from backbench.workshops import audit, counters, members
from backbench.workshops.audit import Audited, ChangeSource, Unchanged, source_of
from backbench.workshops.members import WorkshopMember

Background = Literal[
    "paper", "linen", "sage", "mist", "blush", "indigo", "forest", "plum", "terracotta", "charcoal",
    "astral", "ember", "meadow", "dusk", "tide", "orchid", "copper", "aurora", "dawn", "cloud",
]  # fmt: skip
# As the specification has them: also only spaces, and characters that reverse text.
WorkshopName = Annotated[str, Meta(min_length=1, max_length=250, pattern=NO_CONTROL, extra=ONE_LINE)]
CrafterName = Annotated[str, Meta(max_length=250, pattern=NO_CONTROL, extra=ONE_LINE)]
# The specification limits the length only; all characters are allowed.
Tagline = Annotated[str, Meta(max_length=250)]
MAX_NOTES_UTF16_UNITS = 4000


def utf16_units(text: str) -> int:
    return len(text) + sum(character > "\uffff" for character in text)


ContextNotes = Annotated[
    str,
    Rule(
        code="too_long",
        detail=f"Expected at most {MAX_NOTES_UTF16_UNITS} UTF-16 code units after trimming",
        holds=lambda notes: utf16_units(notes.strip()) <= MAX_NOTES_UTF16_UNITS,
    ),
]


class SolidBackground(Struct, frozen=True, tag="solid", tag_field="kind", forbid_unknown_fields=True):
    color: HexColor


class GradientBackground(
    Struct,
    frozen=True,
    tag="gradient",
    tag_field="kind",
    forbid_unknown_fields=True,
    rename={"from_": "from"},
):
    from_: HexColor
    to: HexColor
    angle: Annotated[int, Meta(ge=0, le=359)]


WorkshopCustomBackground = SolidBackground | GradientBackground


class WorkshopContext(Struct, frozen=True, rename="camel"):
    notes: str
    updated_at: Instant


class SuggestedIntents(Struct, frozen=True, forbid_unknown_fields=True):
    en: list[str]
    pl: list[str]


class WorkshopContextDerived(Struct, frozen=True, rename="camel"):
    summary: LocalizedText
    suggested_intents: SuggestedIntents
    source_updated_at: Instant
    generated_at: Instant


class Workshop(Struct, frozen=True, rename="camel"):
    """The workshop as its members see it. An expired plan is already `free` here."""

    id: str
    name: str
    tagline: str
    logo: str
    crafter_name: str
    crafter_avatar_seed: str
    background: Background
    title_font: TitleFont
    plan: WorkshopPlan
    plan_expires_at: Instant | None
    plan_source: WorkshopPlanSource | None
    is_default: bool
    members: list[WorkshopMember]
    created_at: Instant
    custom_background: WorkshopCustomBackground | None = None
    accent_color: HexColor | None = None
    context: WorkshopContext | UnsetType = UNSET
    context_derived: WorkshopContextDerived | UnsetType = UNSET


class WorkshopsList(Struct, frozen=True):
    workshops: list[Workshop]


class StoredWorkshop(Struct, frozen=True):
    """The stored record."""

    id: str
    name: str
    tagline: str
    logo: str
    crafter_name: str
    crafter_avatar_seed: str
    background: Background
    custom_background: WorkshopCustomBackground | None
    title_font: TitleFont
    accent_color: str | None
    plan: WorkshopPlan
    plan_expires_at: Instant | None
    plan_source: WorkshopPlanSource | None
    trial_started_at: Instant | None
    context_notes: str | None
    context_updated_at: Instant | None
    context_derived: WorkshopContextDerived | None
    is_default: bool
    billing_customer_id: str | None
    billing_subscription_id: str | None
    billing_cancel_at_period_end: bool
    storage_used_bytes: int
    created_at: Instant

    @property
    def stored_plan(self) -> Plan:
        return Plan(self.plan, self.plan_expires_at, self.plan_source)

    def plan_at(self, now: Instant, rules: PlanRules) -> Plan:
        """The plan in effect."""
        return rules.in_effect(self.stored_plan, now)

    @property
    def context(self) -> WorkshopContext | UnsetType:
        """UNSET if no notes were saved, or if they were cleared."""
        if not self.context_notes or self.context_updated_at is None:
            return UNSET
        return WorkshopContext(self.context_notes, self.context_updated_at)

    def to_response(self, members: list[WorkshopMember], now: Instant, plan_rules: PlanRules) -> Workshop:
        return made_of(Workshop, self.with_plan_at(now, plan_rules), members=members)

    def with_plan_at(self, now: Instant, rules: PlanRules) -> "StoredWorkshop":
        plan = self.plan_at(now, rules)
        return structs.replace(self, plan=plan.plan, plan_expires_at=plan.expires_at, plan_source=plan.source)


class NewWorkshop(Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    name: WorkshopName
    tagline: Tagline = ""
    logo: Emoji = "🛠️"
    crafter_name: CrafterName = ""
    background: Background = "paper"
    custom_background: WorkshopCustomBackground | None = None
    title_font: TitleFont = "sans"
    accent_color: HexColor | None = None


class WorkshopEdit(Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """null clears a nullable field, an absent field is unchanged, and an empty edit changes nothing."""

    name: WorkshopName | UnsetType = UNSET
    tagline: Tagline | UnsetType = UNSET
    logo: Emoji | UnsetType = UNSET
    crafter_name: CrafterName | UnsetType = UNSET
    background: Background | UnsetType = UNSET
    custom_background: WorkshopCustomBackground | UnsetType | None = UNSET
    title_font: TitleFont | UnsetType = UNSET
    accent_color: HexColor | UnsetType | None = UNSET


class ContextEdit(Struct, frozen=True, forbid_unknown_fields=True):
    notes: ContextNotes


# Statements


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


async def list_stored(db: Read, uid: str) -> list[StoredWorkshop]:
    """Every workshop the account is a member of, newest first."""
    return await list_all_newest_first(db, StoredWorkshop, _OF_ACCOUNT, at="w.created_at", id_="w.id", uid=uid)


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


# Verbs


async def list_all(db: Read, call: Call, query: PageQuery, services: Services) -> Page[Workshop]:
    """List the workshops that the caller is a member of, newest first."""
    found = await list_page(db, call.uid, query)
    by_workshop = await members.list_by_workshop(db, call.uid)
    # Between the two statements the caller may have been removed from one of them.
    present = found.select(lambda workshop: workshop.id in by_workshop)
    return present.map(lambda workshop: workshop.to_response(by_workshop[workshop.id], call.now, services.plan_rules))


async def authorize_replay(db: Read, call: Call, stored: Workshop) -> None:
    """Raises Forbidden where the caller has left the workshop that it created or joined."""
    await members.MEMBERSHIP.find(db, call, stored.id)


async def get(db: Read, call: Call, workshop: StoredWorkshop, services: Services) -> Workshop:
    """Read a workshop with its members."""
    return workshop.to_response(await members.list_all(db, workshop.id), call.now, services.plan_rules)


async def create(db: Write, call: Call, body: NewWorkshop, services: Services) -> Audited[Workshop]:
    """Create a workshop. The caller becomes its owner; an account's first workshop is its default.

    Raises Conflict `plan_limit` where the account owns as many workshops as it may.
    """
    # Locked first, so that of two created at once only one is the default.
    await db.lock(f"workshops of {call.uid}")
    owned = await members.count_owned(db, call.uid)
    limit = services.plan_rules.workshops_per_account
    if owned >= limit:
        raise Conflict("plan_limit", f"An account can own at most {limit} workshops", limit=limit, current=owned)
    is_first = not await list_stored(db, call.uid)
    workshop_id = await create_workshop(db, source_of(call), call.uid, body, is_default=is_first)
    made = await find(db, workshop_id)
    return Audited(await get(db, call, made, services), workshop_id, workshop_id)


async def add_workshop(db: Write, source: ChangeSource, owner: str, new: NewWorkshop, *, is_default: bool) -> str:
    """Adds a workshop and its first audit entry, where no endpoint writes that entry; its id."""
    workshop_id = await create_workshop(db, source, owner, new, is_default=is_default)
    await audit.add(db, source.change(workshop_id, "workshop.created", workshop_id))
    return workshop_id


async def create_workshop(db: Write, source: ChangeSource, owner: str, new: NewWorkshop, *, is_default: bool) -> str:
    """Adds a workshop with `owner` as its owner; its id."""
    account = await accounts.find(db, owner)
    workshop_id = source.new_id()
    await db.add(
        "workshops",
        new,
        id=workshop_id,
        crafter_avatar_seed=source.new_id(),
        plan="free",
        is_default=is_default,
        document_settings=default_settings(account.locale),
        created_at=source.now,
    )
    await counters.add(db, workshop_id, history=source.new_id())
    await members.add(db, workshop_id, owner, "owner", source.now)
    return workshop_id


async def update(
    db: Write, call: Call, workshop_id: str, body: WorkshopEdit, services: Services
) -> Workshop | Unchanged[Workshop]:
    """Change the profile of a workshop."""
    before = await find(db.locking(), workshop_id)
    after = edited(before, body)
    if after == before:
        return Unchanged(await get(db, call, before, services))
    await db.save("workshops", before, **sent(body))
    return await get(db, call, after, services)


async def replace_context(
    db: Write, call: Call, workshop_id: str, body: ContextEdit
) -> WorkshopContext | Unchanged[WorkshopContext]:
    """Replace the context notes, with surrounding whitespace removed. Nothing is derived from them yet."""
    notes = body.notes.strip()
    before = await find(db.locking(), workshop_id)
    if before.context_updated_at is not None and before.context_notes == notes:
        return Unchanged(WorkshopContext(notes, before.context_updated_at))
    await save_context(db, workshop_id, notes, call.now)
    return WorkshopContext(notes, call.now)
