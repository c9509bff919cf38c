"""Details of queued emails: what an email of a kind needs besides its recipient."""

from msgspec import Struct

from backbench.values.enums import MessageTone
from backbench.values.times import Instant


class MembershipDetails(Struct, frozen=True):
    """Of `invitation_accepted` and `member_removed`."""

    workshop_id: str
    member_id: str


class PlanEndDetails(Struct, frozen=True):
    """Of `trial_ending` and `plan_ending`."""

    workshop_id: str
    ends_at: Instant


class WebhookDetails(Struct, frozen=True):
    """Of `webhook_disabled` and `webhook_owner_left`."""

    workshop_id: str
    webhook_id: str


class LinkDetails(Struct, frozen=True):
    """Of emails to a client with a link: `link_id`, and who causes it, whose right the address in it depends on.

    `decision_id` and `comment_id`: what the email is about; `tone` and `message`: of a link that a member sends by
    email.
    """

    link_id: str
    by_uid: str = ""
    key_id: str | None = None
    decision_id: str = ""
    comment_id: str = ""
    tone: MessageTone = "formal"
    message: str = ""


class DecisionDetails(Struct, frozen=True):
    """Of `decision_receipt` and `estimate_decided`."""

    decision_id: str


class QuestionsDetails(Struct, frozen=True):
    """Of `order_asked`: the customer's questions since this time."""

    order_id: str
    since: Instant


class CommentsDetails(Struct, frozen=True):
    """Of `estimate_commented`: the client's comments since this time, or one of an earlier version."""

    estimate_id: str = ""
    since: Instant = ""
    comment_id: str = ""
