"""Examples of links, client pages, comments and decisions."""

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import structs

from backbench.estimating.documents import estimate_document
from backbench.reference.examples.documents import CONFIRMED, TOGGLES
from backbench.reference.examples.ids import (
    ANNA_UID,
    ANSWER_ID,
    COMMENT_ID,
    DECIDED_AT,
    DECISION_ID,
    ESTIMATE_ID,
    LINK_ID,
    OPENED_AGAIN_AT,
    OPENED_AT,
    ORDERED_AT,
    PDF_EXPORT_ID,
    SENT_AT,
)
from backbench.sharing.client_documents import ClientDocument, canonical_document, client_document, sha256_hex
from backbench.sharing.client_estimates import ClientEstimate
from backbench.sharing.comments import Comment, CommentsList, EstimateComment, NewAnswer, NewComment
from backbench.sharing.decisions import (
    Decision,
    DecisionEvidence,
    DecisionsList,
    NewAcceptance,
    NewDecision,
    NewDecline,
    Signature,
    VoidedDecision,
    Voiding,
    acceptance,
)
from backbench.sharing.exported_links import ExportedLink
from backbench.sharing.links import (
    ChangedLink,
    Link,
    LinkAddress,
    LinkEdit,
    LinkMail,
    LinksList,
    NewAddress,
    NewLink,
    Openings,
    SharedLink,
    page_url,
)
from backbench.values.numbers import Number

CLIENT_DOCUMENT = client_document(estimate_document(CONFIRMED, TOGGLES, locale="en", preliminary=False))
_DOCUMENT_JSON = canonical_document(CLIENT_DOCUMENT)
_DOCUMENT_HASH = sha256_hex(_DOCUMENT_JSON)
_PDF_HASH = sha256_hex(b"the bytes of the PDF")
LINK = Link(
    id=LINK_ID,
    estimate_id=ESTIMATE_ID,
    revision_number=1,
    locale="en",
    toggles=TOGGLES,
    can_decide=True,
    state="open",
    document_hash=_DOCUMENT_HASH,
    created_at=SENT_AT,
    created_by_uid=ANNA_UID,
    openings=Openings(2, OPENED_AT, OPENED_AGAIN_AT),
    pdf_export_id=PDF_EXPORT_ID,
    expires_at="2026-12-02T12:00:00.000Z",
)
LINK_TOKEN = "bbl_3f8Kq0vXn2TzR7wYb1LcM9dJhGpS5aEuI4oVxQkZ6tHjW2QhEM"  # noqa: S105 - an example
_SHOWN = LinkAddress("shown", SENT_AT, ANNA_UID)
_MAILED = LinkAddress("mailed", SENT_AT, ANNA_UID, email="siobhan@example.com")
COMMENT = Comment(COMMENT_ID, OPENED_AGAIN_AT, "client", "Siobhán Gallagher", "Could it be ready by Easter?")
CLIENT_COMMENT = EstimateComment(COMMENT.id, COMMENT.created_at, LINK_ID, "client", COMMENT.name, COMMENT.text)
ANSWER = EstimateComment(
    ANSWER_ID, DECIDED_AT, LINK_ID, "workshop", "Anna Kowalska", "Yes, in the week before.", ANNA_UID
)
DECISION = Decision(
    id=DECISION_ID,
    estimate_id=ESTIMATE_ID,
    revision_number=1,
    outcome="accepted",
    method="link",
    decided_at=DECIDED_AT,
    recorded_at=DECIDED_AT,
    document_hash=_DOCUMENT_HASH,
    name="Siobhán Gallagher",
    link_id=LINK_ID,
    link_address=_MAILED,
    pdf_hash=_PDF_HASH,
    signature="drawn",
    consent=acceptance("en").text,
)
DECLINE = structs.replace(
    DECISION,
    outcome="declined",
    name="Siobhán Gallagher",
    reason="We have decided to wait a year.",
    signature=msgspec.UNSET,
    consent=msgspec.UNSET,
)
RECORDED = structs.replace(
    DECISION,
    method="phone",
    recorded_at=ORDERED_AT,
    recorded_by_uid=ANNA_UID,
    link_id=msgspec.UNSET,
    link_address=msgspec.UNSET,
    pdf_hash=msgspec.UNSET,
    signature=msgspec.UNSET,
    consent=msgspec.UNSET,
)
CLIENT_ESTIMATE = ClientEstimate(
    **{name: getattr(CLIENT_DOCUMENT, name) for name in ClientDocument.__struct_fields__},
    document_hash=_DOCUMENT_HASH,
    pdf_hash=_PDF_HASH,
    state="open",
    can_decide=True,
    brand_mark=False,
    receipt=True,
    logo_image=False,
    consent=acceptance("en"),
    comments=[COMMENT],
    expires_at="2026-12-02T12:00:00.000Z",
)
EVIDENCE = DecisionEvidence(
    **{name: getattr(DECISION, name) for name in Decision.__struct_fields__},
    document=_DOCUMENT_JSON.decode(),
    strokes=[[[Number("12.5"), Number("40")], [Number("14"), Number("38.5")]]],
    consent_id=acceptance("en").id,
    address="203.0.113.24",
    user_agent="Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X)",
    openings=LINK.openings,
    receipt_email="siobhan@example.com",
)
EXPORTED_LINK = ExportedLink(
    **{name: getattr(LINK, name) for name in Link.__struct_fields__ if name != "state"},
    state="accepted",
    pdf_hash=_PDF_HASH,
    document=_DOCUMENT_JSON.decode(),
    receipt_email="siobhan@example.com",
)
BODIES: Mapping[str, Any] = {
    "createLink": NewLink(locale="en", toggles=TOGGLES),
    "updateLink": LinkEdit(revision_number=2),
    "mailLink": LinkMail(email="siobhan@example.com", tone="friendly", message="It was good to meet you."),
    "answerComment": NewAnswer(ANSWER.text),
    "recordDecision": NewDecision(
        revision_number=1, outcome="accepted", method="phone", name="Siobhán Gallagher", decided_at=DECIDED_AT
    ),
    "voidDecision": VoidedDecision("The client telephoned: she pressed the wrong button."),
    "acceptEstimate": NewAcceptance(
        name="Siobhán Gallagher",
        document_hash=_DOCUMENT_HASH,
        consent_id=acceptance("en").id,
        agreed=True,
        signature=Signature("drawn", [[[Number("12.5"), Number("40")], [Number("14"), Number("38.5")]]]),
    ),
    "declineEstimate": NewDecline(name="Siobhán Gallagher", reason="We have decided to wait a year."),
    "addClientComment": NewComment(name=COMMENT.name, text=COMMENT.text),
}
RESPONSES: Mapping[str, Any] = {
    "listLinks": LinksList([structs.replace(LINK, addresses=[_SHOWN, _MAILED])]),
    "updateLink": ChangedLink(structs.replace(LINK, revision_number=2)),
    "addLinkAddress": NewAddress(page_url("https://example.com", LINK_TOKEN)),
    "createLink": SharedLink(structs.replace(LINK, openings=Openings(0)), page_url("https://example.com", LINK_TOKEN)),
    "listComments": CommentsList([ANSWER, CLIENT_COMMENT]),
    "answerComment": ANSWER,
    "listDecisions": DecisionsList([DECISION]),
    "recordDecision": RECORDED,
    "voidDecision": structs.replace(
        DECISION, voided=Voiding(ORDERED_AT, ANNA_UID, "The client telephoned: she pressed the wrong button.")
    ),
    "getClientEstimate": CLIENT_ESTIMATE,
    "acceptEstimate": DECISION,
    "declineEstimate": DECLINE,
    "addClientComment": COMMENT,
}
