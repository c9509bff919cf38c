"""Client estimates: the response for the client's page, made of the hashed document and of what changes later."""

from msgspec import UNSET, Struct, UnsetType

from backbench.domain.sharing.client_documents import ClientDocument
from backbench.domain.sharing.comments import Comment
from backbench.domain.sharing.consents import Consent, acceptance
from backbench.domain.sharing.document_summaries import summary_of
from backbench.domain.sharing.links import LinkState, StoredLink
from backbench.domain.sharing.payment_requests import PaymentRequest
from backbench.domain.values.enums import DecisionMethod, DecisionOutcome
from backbench.domain.values.numbers import to_json
from backbench.domain.values.times import Instant


class ClientDecision(Struct, frozen=True, rename="camel"):
    """The standing decision of the estimate. It may be about another revision. `method`: how it was made."""

    outcome: DecisionOutcome
    revision_number: int
    decided_at: Instant
    method: DecisionMethod
    name: str | UnsetType = UNSET


class VoidedClientDecision(Struct, frozen=True, rename="camel"):
    """The decision of the estimate that the workshop voided last, while none stands."""

    decided_at: Instant


class LinkStatus(Struct, frozen=True, rename="camel", kw_only=True):
    """The members of ClientEstimate that are not part of the hashed document."""

    document_hash: str
    pdf_hash: str
    state: LinkState
    can_decide: bool
    brand_mark: bool
    receipt: bool
    logo_image: bool
    consent: Consent
    comments: list[Comment]
    expires_at: Instant | UnsetType = UNSET
    decision: ClientDecision | UnsetType = UNSET
    voided_decision: VoidedClientDecision | UnsetType = UNSET
    payment: PaymentRequest | UnsetType = UNSET


class ClientEstimate(ClientDocument, frozen=True, rename="camel", omit_defaults=True, kw_only=True):
    document_hash: str
    pdf_hash: str
    state: LinkState
    can_decide: bool
    brand_mark: bool
    receipt: bool
    logo_image: bool
    consent: Consent
    comments: list[Comment]
    expires_at: Instant | UnsetType = UNSET
    decision: ClientDecision | UnsetType = UNSET
    voided_decision: VoidedClientDecision | UnsetType = UNSET
    payment: PaymentRequest | UnsetType = UNSET


def client_estimate(
    link: StoredLink,
    comments: list[Comment],
    payment: PaymentRequest | None,
    now: Instant,
    *,
    may_hide_brand_mark: bool,
    can_mail: bool,
    has_logo_image: bool,
) -> bytes:
    """The JSON of ClientEstimate. The document goes out as it was hashed, without being decoded.

    `payment` is what is left of the deposit; None where none is asked for.
    """
    status = LinkStatus(
        document_hash=link.document_hash,
        pdf_hash=link.pdf_hash,
        state=link.state(now),
        can_decide=link.may_be_decided(now),
        brand_mark=link.toggles.show_brand_mark or not may_hide_brand_mark,
        receipt=link.has_receipt(can_mail=can_mail),
        logo_image=has_logo_image,
        consent=acceptance(link.locale, summary_of(link.document).title),
        comments=comments,
        expires_at=link.expires_at or UNSET,
        decision=_decision(link),
        voided_decision=VoidedClientDecision(link.voided_decided_at) if link.voided_decided_at else UNSET,
        payment=payment or UNSET,
    )
    return link.document.encode()[:-1] + b"," + to_json(status)[1:]


def _decision(link: StoredLink) -> ClientDecision | UnsetType:
    if link.outcome is None or link.decided_revision is None or link.decided_at is None:
        return UNSET
    method = link.decision_method or "link"
    return ClientDecision(link.outcome, link.decided_revision, link.decided_at, method, link.decided_by or UNSET)
