"""Context synthesis: a summary and suggested intents, derived from the workshop's notes by a language model."""

from msgspec import UNSET, Struct

from backbench.actions.services import Services
from backbench.actions.workshops.ai_attempts import count_attempt
from backbench.domain.accounts.calls import Call
from backbench.domain.drafting.providers import ModelError
from backbench.domain.drafting.synthesis import Synthesis, synthesis_prompt
from backbench.domain.values.errors import Conflict, Unavailable
from backbench.domain.workshops.audit import Audited
from backbench.domain.workshops.workshops import WorkshopContext, WorkshopContextDerived
from backbench.integrations.ai import AiClient, error_detail
from backbench.storage.engine.database import Database, Write
from backbench.storage.workshops import workshops


class DerivedContext(Struct, frozen=True):
    """What a language model derived, and the notes that it read."""

    source: WorkshopContext
    derived: WorkshopContextDerived


async def derive(db: Database, call: Call, workshop_id: str, services: Services) -> DerivedContext:
    """Asks the language model. Raises Unavailable without a provider or without a usable response, Conflict without
    notes."""

    async def count_and_read(write: Write) -> WorkshopContext:
        workshop = await workshops.find(write, workshop_id)
        if services.ai is None:
            raise Unavailable("ai_not_configured", "No language model is set up on this server")
        if workshop.context is UNSET:
            raise Conflict("no_notes", "Save notes about the workshop first")
        await count_attempt(write, call, workshop_id, "context_synthesis", services.ai_limits.synthesis)
        return workshop.context

    source = await db.write(count_and_read)
    assert services.ai is not None
    synthesis = await _respond(services.ai, source)
    return DerivedContext(source, synthesis.to_derived(source, services.clock()))


async def synthesize(db: Write, workshop_id: str, prepared: DerivedContext) -> Audited[WorkshopContextDerived]:
    """Derive a summary and suggested intents from the context notes, and store them with the workshop.

    Raises Conflict if the notes were changed while the model read them; the response to the old notes is discarded.
    """
    if not await workshops.save_derived(db, workshop_id, prepared.source, prepared.derived):
        raise Conflict("context_changed", "The notes were changed meanwhile; try again")
    return Audited(prepared.derived, workshop_id, workshop_id)


async def _respond(ai: AiClient, source: WorkshopContext) -> Synthesis:
    try:
        return await ai.respond(synthesis_prompt(source))
    except ModelError as error:
        raise Unavailable("unavailable", error_detail(error.reason), error.retry_after) from None
