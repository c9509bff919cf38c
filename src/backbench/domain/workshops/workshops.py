"""Workshops: profile, appearance, plan, notes and members of a craft business."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from backbench.domain.billing.plans import Plan, PlanRules, WorkshopPlan, WorkshopPlanSource
from backbench.domain.values.emoji import Emoji
from backbench.domain.values.enums import TitleFont
from backbench.domain.values.scalars import NO_CONTROL, ONE_LINE, HexColor, Rule
from backbench.domain.values.text import LocalizedText
from backbench.domain.values.times import Instant

Background = Literal[
    "paper", "linen", "sage", "mist", "blush", "indigo", "forest", "plum", "terracotta", "charcoal",
    "astral", "ember", "meadow", "dusk", "tide", "orchid", "copper", "aurora", "dawn", "cloud",
]  # fmt: skip
MemberRole = Literal["owner", "member"]
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


class WorkshopMember(Struct, frozen=True, rename="camel"):
    id: str
    name: str
    avatar_seed: str
    role: MemberRole


class AddedWorkshop(Struct, frozen=True):
    """What a new workshop gets beside its profile. `document_settings` is JSON text; `history` names its log."""

    id: str
    owner: str
    avatar_seed: str
    document_settings: str
    history: str
    is_default: bool
    created_at: Instant


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
        plan = self.plan_at(now, plan_rules)
        return Workshop(
            id=self.id,
            name=self.name,
            tagline=self.tagline,
            logo=self.logo,
            crafter_name=self.crafter_name,
            crafter_avatar_seed=self.crafter_avatar_seed,
            background=self.background,
            title_font=self.title_font,
            plan=plan.plan,
            plan_expires_at=plan.expires_at,
            plan_source=plan.source,
            is_default=self.is_default,
            members=members,
            created_at=self.created_at,
            custom_background=self.custom_background,
            accent_color=self.accent_color,
            context=self.context,
            context_derived=UNSET if self.context_derived is None else self.context_derived,
        )


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
