"""Message drafts: the words with which an estimate goes out, asked for and answered."""

from msgspec import Struct

from backbench.domain.values.enums import DocumentLocale, MessageTone


class NewMessageDraft(Struct, frozen=True, forbid_unknown_fields=True):
    locale: DocumentLocale
    tone: MessageTone
    preliminary: bool


class DraftedMessage(Struct, frozen=True, rename="camel"):
    """`ai_drafted` tells whether a language model worded it, or the built-in template."""

    subject: str
    body: str
    ai_drafted: bool
