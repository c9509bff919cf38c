"""Message drafts: request and response of the operation that words a message to the client."""

from msgspec import Struct

from backbench.domain.values.enums import DocumentLocale, MessageTone


class NewMessageDraft(Struct, frozen=True, forbid_unknown_fields=True):
    locale: DocumentLocale
    tone: MessageTone
    preliminary: bool


class DraftedMessage(Struct, frozen=True, rename="camel"):
    """`ai_drafted`: whether a language model wrote the message; if false, the built-in template did."""

    subject: str
    body: str
    ai_drafted: bool
