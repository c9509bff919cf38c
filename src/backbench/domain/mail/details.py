"""Details of queued emails: what an email of a kind needs besides its recipient."""

from msgspec import Struct

from backbench.domain.values.times import Instant


class MembershipDetails(Struct, frozen=True):
    """Of `invitation_accepted` and `member_removed`."""

    workshop_id: str
    member_id: str


class PlanEndDetails(Struct, frozen=True):
    """Of `trial_ending` and `plan_ending`."""

    workshop_id: str
    ends_at: Instant
