"""Invitations: an owner invites an email address, whose owner may join the workshop within 7 days."""

from msgspec import Struct

from backbench.domain.accounts.accounts import AcceptedTerms, Token
from backbench.domain.accounts.passwords import Password
from backbench.domain.values.enums import UserLocale
from backbench.domain.values.scalars import AccountName, Email
from backbench.domain.values.times import Instant
from backbench.domain.workshops.workshops import MemberRole

DAYS = 7
# Open invitations of a workshop at a time. Craft workshops have a handful of members.
MAX_OPEN = 100
# Addresses of an invitation that an owner passes on, besides those that are emailed.
MAX_ADDRESSES = 20


class Invitation(Struct, frozen=True, rename="camel"):
    id: str
    email: Email
    role: MemberRole
    created_at: Instant
    expires_at: Instant
    invited_by_uid: str


class InvitationsList(Struct, frozen=True):
    invitations: list[Invitation]


class AddedInvitation(Invitation, frozen=True, rename="camel"):
    """An invitation with an address to pass on: `url` has its token, which is returned only once."""

    url: str
    qr_code: str


class InvitationAddress(Struct, frozen=True, rename="camel"):
    """`url` has the token of the address, which is returned only once; `qrCode` is an SVG image of it."""

    url: str
    qr_code: str


class InvitationPreview(Struct, frozen=True, rename="camel"):
    """What the page of an invitation shows before it is accepted."""

    workshop_name: str
    inviter_name: str
    email: str
    role: MemberRole
    expires_at: Instant


class StoredInvitation(Struct, frozen=True):
    """The stored invitation, with its workshop."""

    id: str
    workshop_id: str
    email: str
    role: MemberRole
    created_at: Instant
    expires_at: Instant
    invited_by: str

    def to_response(self) -> Invitation:
        return Invitation(
            id=self.id,
            email=self.email,
            role=self.role,
            created_at=self.created_at,
            expires_at=self.expires_at,
            invited_by_uid=self.invited_by,
        )


class NewInvitation(Struct, frozen=True, forbid_unknown_fields=True):
    email: Email
    role: MemberRole


class InvitationTokenDetails(Struct, frozen=True, rename="camel", omit_defaults=True):
    """What is stored with the token of an invitation. Only one that was emailed proves the address of its recipient."""

    was_shown: bool = False


class InvitationJoin(Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """What an account is made of by somebody who was invited and has none."""

    token: Token
    name: AccountName
    password: Password
    accept_terms: AcceptedTerms
    locale: UserLocale = "en"


class InvitationAcceptance(Struct, frozen=True, forbid_unknown_fields=True):
    token: Token


class InvitationQuery(Struct, frozen=True, forbid_unknown_fields=True):
    token: Token
