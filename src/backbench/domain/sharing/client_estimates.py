"""Client estimates: the response for the client's page, made of the hashed document and of what changes later."""

from typing import Any

from msgspec import UNSET, Struct, UnsetType

from backbench.domain.billing.plans import PlanRules
from backbench.domain.sharing.client_documents import ClientDocument, summary_of
from backbench.domain.sharing.comments import Comment
from backbench.domain.sharing.consents import Consent, acceptance
from backbench.domain.sharing.links import LinkState, OpenedLink
from backbench.domain.values.enums import DecisionOutcome
from backbench.domain.values.numbers import to_json
from backbench.domain.values.times import Instant


class ClientDecision(Struct, frozen=True, rename="camel"):
    """The standing decision of the estimate. It may be about another revision."""

    outcome: DecisionOutcome
    revision_number: int
    decided_at: Instant
    name: str | UnsetType = UNSET


class LinkStatus(Struct, frozen=True, rename="camel", kw_only=True):
    """The members of ClientEstimate that are not part of the hashed document."""

    document_hash: str
    pdf_hash: str
    state: LinkState
    can_decide: bool
    brand_mark: bool
    receipt: bool
    consent: Consent
    comments: list[Comment]
    expires_at: Instant | UnsetType = UNSET
    decision: ClientDecision | UnsetType = UNSET


class ClientEstimate(ClientDocument, frozen=True, rename="camel", omit_defaults=True, kw_only=True):
    document_hash: str
    pdf_hash: str
    state: LinkState
    can_decide: bool
    brand_mark: bool
    receipt: bool
    consent: Consent
    comments: list[Comment]
    expires_at: Instant | UnsetType = UNSET
    decision: ClientDecision | UnsetType = UNSET


def client_estimate(link: OpenedLink, comments: list[Comment], now: Instant, rules: PlanRules) -> bytes:
    """The JSON of ClientEstimate. The document goes out as it was hashed, without being decoded."""
    status = LinkStatus(
        document_hash=link.document_hash,
        pdf_hash=link.pdf_hash,
        state=link.state(now),
        can_decide=link.may_be_decided(now),
        brand_mark=link.shows_brand_mark(now, rules),
        receipt=link.receipt_email is not None,
        consent=acceptance(link.locale, summary_of(link.document).title),
        comments=comments,
        expires_at=link.expires_at or UNSET,
        decision=_decision(link),
    )
    return link.document.encode()[:-1] + b"," + to_json(status)[1:]


def _decision(link: OpenedLink) -> Any:
    if link.outcome is None or link.decided_revision is None or link.decided_at is None:
        return UNSET
    return ClientDecision(link.outcome, link.decided_revision, link.decided_at, link.decided_by or UNSET)
