"""Whoever words messages in place of the built-in templates: a language model, where one is set up."""

from collections.abc import Sequence
from typing import Protocol

from backbench.domain.estimating.estimates import LineItem
from backbench.domain.estimating.messages import MessageDraft, MessageFacts
from backbench.domain.values.enums import DocumentLocale, MessageTone


class Drafter(Protocol):
    async def draft(
        self,
        facts: MessageFacts,
        work: Sequence[LineItem],
        locale: DocumentLocale,
        tone: MessageTone,
        preliminary: bool,
    ) -> MessageDraft | None:
        """None where it has nothing to say that could be sent, or does not answer in time; it refuses nothing."""
        ...
