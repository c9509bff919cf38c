"""Context synthesis: what a member has a language model make of the workshop's notes."""

from collections.abc import Callable

from msgspec import UNSET

from backbench.actions.authorization import require_member
from backbench.actions.workshops.ai_attempts import count_attempt
from backbench.actions.workshops.audit import note
from backbench.domain.accounts.sessions import Caller
from backbench.domain.ai import AiLimits, NoAnswer
from backbench.domain.synthesis import Synthesis, question
from backbench.domain.values.errors import Conflict, Unavailable
from backbench.domain.values.ids import NewId
from backbench.domain.values.times import Instant
from backbench.domain.workshops.workshops import WorkshopContext, WorkshopContextDerived
from backbench.integrations.ai import Ai, because
from backbench.storage.engine.database import Database, Write
from backbench.storage.workshops import workshops


async def synthesize(
    db: Database,
    caller: Caller,
    workshop_id: str,
    ai: Ai | None,
    ai_limits: AiLimits,
    now: Instant,
    clock: Callable[[], Instant],
    new_id: NewId,
) -> WorkshopContextDerived:
    """Derives summary and intents from the saved notes and stores them with the workshop.

    Unavailable without a provider or where it gives nothing usable; Conflict without notes, and where they were
    changed while the model read them: what it made of the old ones is then dropped.
    """

    async def admit(write: Write) -> WorkshopContext:
        workshop = await workshops.find(write, workshop_id)
        await require_member(write, caller, workshop_id)
        if ai is None:
            raise Unavailable("ai_not_configured", "No language model is set up on this server")
        if workshop.context is UNSET:
            raise Conflict("no_notes", "Save notes about the workshop first")
        await count_attempt(write, caller, workshop_id, "context_synthesis", ai_limits.synthesis, now, new_id)
        return workshop.context

    source = await db.write(admit)
    assert ai is not None
    answer = await _asked(ai, source)
    derived = answer.derived(source, clock())

    async def keep(write: Write) -> None:
        await workshops.find(write, workshop_id)
        await require_member(write, caller, workshop_id)
        if not await workshops.save_derived(write, workshop_id, source, derived):
            raise Conflict("context_changed", "The notes were changed meanwhile; try again")
        await note(write, caller, workshop_id, "synthesis.synthesize", workshop_id, derived.generated_at, new_id)

    await db.write(keep)
    return derived


async def _asked(ai: Ai, source: WorkshopContext) -> Synthesis:
    try:
        return await ai.ask(question(source))
    except NoAnswer as failure:
        raise Unavailable("unavailable", because(failure.reason), failure.wait) from None
