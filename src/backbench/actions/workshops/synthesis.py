"""Context synthesis: a summary and suggested intents, derived from the workshop's notes by a language model."""

from collections.abc import Callable

from msgspec import UNSET

from backbench.actions.authorization import require_member
from backbench.actions.completion import Complete, complete_without_audit
from backbench.actions.workshops.ai_attempts import count_attempt
from backbench.domain.accounts.sessions import Caller
from backbench.domain.drafting.providers import AiLimits, ModelError
from backbench.domain.drafting.synthesis import Synthesis, synthesis_prompt
from backbench.domain.values.errors import Conflict, Unavailable
from backbench.domain.values.ids import NewId
from backbench.domain.values.times import Instant
from backbench.domain.workshops.audit import Audited
from backbench.domain.workshops.workshops import WorkshopContext, WorkshopContextDerived
from backbench.integrations.ai import AiClient, error_detail
from backbench.storage.engine.database import Database, Write
from backbench.storage.workshops import workshops


async def synthesize(
    db: Database,
    caller: Caller,
    workshop_id: str,
    ai: AiClient | None,
    ai_limits: AiLimits,
    now: Instant,
    clock: Callable[[], Instant],
    new_id: NewId,
    complete: Complete = complete_without_audit,
) -> WorkshopContextDerived:
    """Derive a summary and suggested intents from the context notes, and store them with the workshop.

    Raises Unavailable without a provider or without a usable response, and Conflict without notes or if they were
    changed while the model read them; the response to the old notes is then discarded.
    """

    async def count_and_read(write: Write) -> WorkshopContext:
        workshop = await workshops.find(write, workshop_id)
        await require_member(write, caller, workshop_id)
        if ai is None:
            raise Unavailable("ai_not_configured", "No language model is set up on this server")
        if workshop.context is UNSET:
            raise Conflict("no_notes", "Save notes about the workshop first")
        await count_attempt(write, caller, workshop_id, "context_synthesis", ai_limits.synthesis, now, new_id)
        return workshop.context

    source = await db.write(count_and_read)
    assert ai is not None
    synthesis = await _respond(ai, source)
    derived = synthesis.to_derived(source, clock())

    async def save(write: Write) -> None:
        await workshops.find(write, workshop_id)
        await require_member(write, caller, workshop_id)
        if not await workshops.save_derived(write, workshop_id, source, derived):
            raise Conflict("context_changed", "The notes were changed meanwhile; try again")
        await complete(write, Audited(derived, workshop_id, workshop_id))

    await db.write(save)
    return derived


async def _respond(ai: AiClient, source: WorkshopContext) -> Synthesis:
    try:
        return await ai.respond(synthesis_prompt(source))
    except ModelError as error:
        raise Unavailable("unavailable", error_detail(error.reason), error.retry_after) from None
