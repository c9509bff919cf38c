"""What an owner changes about a member of the workshop."""

from msgspec import Struct

from backbench.domain.workshops.workshops import MemberRole


class MemberEdit(Struct, frozen=True, forbid_unknown_fields=True):
    role: MemberRole
