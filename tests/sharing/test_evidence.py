"""The evidence of a decision, made of its row."""

from msgspec import UNSET

from backbench.sharing.decisions import StoredDecision

NOW = "2026-11-28T12:00:00.000Z"


def test_what_a_browser_did_not_send_is_no_member_of_the_evidence() -> None:
    evidence = StoredDecision(
        id="d",
        workshop_id="w",
        estimate_id="e",
        recorded_at=NOW,
        revision_number=1,
        outcome="accepted",
        method="link",
        decided_at=NOW,
        locale="en",
        document="{}",
        document_hash="0" * 64,
        name="Ada",
        pdf_hash="",
        user_agent="",
    ).to_evidence()
    assert (evidence.user_agent, evidence.pdf_hash, evidence.address) == (UNSET, UNSET, UNSET)
    assert evidence.name == "Ada"
