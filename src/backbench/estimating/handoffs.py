"""Hand-offs: records that an estimate was sent to its client, by which channel and at which revision."""

from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from backbench.engine.database import Read, Write
from backbench.engine.lists import NewestFirst
from backbench.estimating import pdf_exports, revisions
from backbench.estimating.document_facts import EstimateRef
from backbench.values.calls import Call
from backbench.values.enums import DocumentLocale, HandoffKind, MessageTone
from backbench.values.errors import UnknownPdfExport
from backbench.values.pagination import Page, PageQuery
from backbench.values.shapes import made_of
from backbench.values.times import Instant


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


# Statements


async def add(db: Write, workshop_id: str, estimate_id: str, handoff: Handoff) -> None:
    await db.add("handoffs", handoff, workshop_id=workshop_id, estimate_id=estimate_id)


def of_estimate(estimate_id: str) -> NewestFirst[Handoff]:
    """The estimate's hand-offs."""
    select = """
        SELECT id, kind, locale, preliminary, tone, ai_drafted, revision_number, created_at, created_by_uid,
            pdf_export_id
        FROM handoffs WHERE estimate_id = :estimate_id"""
    return NewestFirst(Handoff, select, {"estimate_id": estimate_id})


# Verbs


async def list_all(db: Read, estimate: EstimateRef, query: PageQuery) -> Page[Handoff]:
    """List the hand-offs of an estimate, newest first."""
    return await of_estimate(estimate.id).page(db, query)


async def create(db: Write, call: Call, estimate: EstimateRef, body: NewHandoff) -> Handoff:
    """Record that an estimate was handed off. Nothing is sent.

    Raises UnknownPdfExport where `pdfExportId` names no PDF export of this estimate.
    """
    if body.pdf_export_id is not UNSET and not await pdf_exports.exists(db, body.pdf_export_id, estimate.id):
        raise UnknownPdfExport
    handoff = made_of(
        Handoff,
        body,
        id=call.new_id(),
        revision_number=await revisions.latest_number(db, estimate.id),
        created_at=call.now,
        created_by_uid=call.uid,
    )
    await add(db, estimate.workshop_id, estimate.id, handoff)
    return handoff
