"""Hand-offs: records that an estimate was sent to its client, by which channel and at which revision."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from backbench.domain.values.enums import DocumentLocale, MessageTone
from backbench.domain.values.times import Instant

HandoffKind = Literal["message-copied", "message-shared", "pdf-shared", "pdf-and-message-shared", "email-opened"]


class Handoff(Struct, frozen=True, rename="camel"):
    id: str
    kind: HandoffKind
    locale: DocumentLocale
    preliminary: bool
    tone: MessageTone
    ai_drafted: bool
    revision_number: int
    created_at: Instant
    created_by_uid: str
    pdf_export_id: str | UnsetType = UNSET


class HandoffsList(Struct, frozen=True):
    handoffs: list[Handoff]


class NewHandoff(Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    kind: HandoffKind
    locale: DocumentLocale
    preliminary: bool
    tone: MessageTone
    ai_drafted: bool
    pdf_export_id: Annotated[str, Meta(min_length=1)] | UnsetType = UNSET
