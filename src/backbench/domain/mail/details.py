"""Details of queued emails: what an email of a kind needs besides its recipient."""

from msgspec import Struct

from backbench.domain.values.enums import MessageTone
from backbench.domain.values.times import Instant


class MembershipDetails(Struct, frozen=True):
    """Of `invitation_accepted` and `member_removed`."""

    workshop_id: str
    member_id: str


class PlanEndDetails(Struct, frozen=True):
    """Of `trial_ending` and `plan_ending`."""

    workshop_id: str
    ends_at: Instant


class SharedLinkDetails(Struct, frozen=True):
    """Of `estimate_shared`. `message`: what the member wrote."""

    link_id: str
    tone: MessageTone
    message: str


class DecisionDetails(Struct, frozen=True):
    """Of `decision_receipt` and `estimate_decided`."""

    decision_id: str


class CommentDetails(Struct, frozen=True):
    """Of `estimate_commented`."""

    comment_id: str
