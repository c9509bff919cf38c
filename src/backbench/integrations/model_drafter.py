"""Messages worded by a language model, for the operation whose built-in templates answer when it does not."""

from collections.abc import Sequence

from backbench.domain.ai import NoAnswer
from backbench.domain.drafts import DraftRequest, question
from backbench.domain.estimating.estimates import LineItem
from backbench.domain.estimating.messages import MessageDraft, MessageFacts
from backbench.domain.values.enums import DocumentLocale, MessageTone
from backbench.integrations.ai import Ai


class ModelDrafter:
    """A `Drafter` whose every draft has been held against the facts."""

    def __init__(self, ai: Ai) -> None:
        self._ai = ai

    async def draft(
        self,
        facts: MessageFacts,
        work: Sequence[LineItem],
        locale: DocumentLocale,
        tone: MessageTone,
        preliminary: bool,
    ) -> MessageDraft | None:
        try:
            return await self._ai.ask(question(DraftRequest(facts, work, locale, tone, preliminary)))
        except NoAnswer:
            # It has been logged, and a template says the same.
            return None
