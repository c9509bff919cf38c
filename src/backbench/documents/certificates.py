"""Certificates of decisions: what was decided about an estimate, by whom, when and from where, with the evidence."""

from decimal import Decimal
from typing import Literal

from msgspec import Struct, UnsetType

from backbench.documents.documents import Letterhead
from backbench.documents.titles import document_name, title_words
from backbench.values.enums import DocumentLocale, DocumentTitle, PaperSize
from backbench.values.times import Instant
from backbench.words import words


class CertificateDocument(Struct, frozen=True, kw_only=True):
    """A certificate is complete: rendering it needs no further rule or clock.

    Texts that are empty, and times that are None, are not printed. Times are printed in `time_zone` and in UTC.

    name: the signer. recorded_by: the member who recorded the decision, empty for a client's own.
    strokes: the drawn signature, as lists of [x, y] with y downwards, in any unit.
    pdf_hash, consent, signature, address, user_agent, openings, link_…: only of a decision through a link.
    link_address: how the address that was used reached the client; link_email: where it was mailed; link_made_by,
    link_made_at and link_key_id: the member and the API key that made it.
    signed_in: the member who was signed in, in the browser that the decision came from.
    """

    locale: DocumentLocale
    paper_size: PaperSize
    time_zone: str
    letterhead: Letterhead
    estimate_name: str
    recipient_name: str = ""
    number: str
    revision_number: int
    currency: str
    total: Decimal
    outcome: Literal["accepted", "declined"]
    method: Literal["link", "in_person", "phone", "email", "message"]
    name: str
    reason: str
    decision_id: str
    decided_at: Instant
    recorded_at: Instant
    recorded_by: str
    document_hash: str
    pdf_hash: str
    consent: str
    signature: Literal["typed", "drawn", ""]
    strokes: list[list[tuple[float, float]]]
    address: str
    user_agent: str
    openings: int
    first_opened_at: Instant | None
    last_opened_at: Instant | None
    link_address: Literal["shown", "printed", "mailed", "unknown", ""] = ""
    link_email: str = ""
    link_made_by: str = ""
    link_made_at: Instant | None = None
    link_key_id: str = ""
    signed_in: str = ""
    receipt_email: str = ""
    voided_at: Instant | None
    voided_by: str
    void_reason: str
    title: DocumentTitle = "estimate"
    is_taxed: bool = False
    tax_label: str = ""

    @property
    def file_name(self) -> str | UnsetType:
        """The name of the file, such as `Poświadczenie 12-2026 Stół dębowy v2 (przyjęta).pdf`."""
        title = title_words(self.title, self.locale)
        outcome = title.accepted if self.outcome == "accepted" else title.declined
        kind = words(self.locale).certificate["file"]
        end = f" v{self.revision_number} ({outcome}).pdf"
        return document_name(kind, self.number, self.estimate_name, end)
