"""Members: the edit of a member's role."""

from msgspec import Struct

from backbench.domain.workshops.workshops import MemberRole


class MemberEdit(Struct, frozen=True, forbid_unknown_fields=True):
    role: MemberRole
