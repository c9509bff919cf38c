"""Message drafts: request and response of the operation that words a message to the client."""

from msgspec import Struct

from backbench.domain.values.enums import DocumentLocale, MessageChannel, MessageLink, MessageTone


class NewMessageDraft(Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """`with_pdf`: whether the PDF goes with the message. The channel `message` is an SMS or chat, which is shorter.

    `link`: what the client can do on the page whose address goes with the message, if one does. The body then has
    `{link}` in the place of the address.
    """

    locale: DocumentLocale
    tone: MessageTone
    preliminary: bool
    with_pdf: bool = False
    channel: MessageChannel = "email"
    link: MessageLink | None = None


class DraftedMessage(Struct, frozen=True, rename="camel"):
    """`ai_drafted`: whether a language model wrote the message; if false, the built-in template did.

    `revision_number`: the revision whose figures it states; 0 if they are those of the unconfirmed estimate.
    """

    subject: str
    body: str
    ai_drafted: bool
    revision_number: int
