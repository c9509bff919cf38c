"""Accounts: the people who sign in, and what they see of themselves."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from backbench.domain.scalars import AccountName, Email
from backbench.domain.times import Instant

UserLocale = Literal["en", "pl"]
SignInMethod = Literal["password", "google"]
AccountStatus = Literal["pending", "active", "suspended", "deleted"]


class Account(Struct, frozen=True):
    """The stored account. `password_hash` is absent where only Google signs in."""

    id: str
    email: str
    name: str
    locale: UserLocale
    status: AccountStatus
    password_hash: str | None
    email_verified_at: Instant | None
    terms_version: str | None
    terms_accepted_at: Instant | None
    last_login_at: Instant | None
    created_at: Instant

    def shown(self) -> "AuthenticatedUser":
        return AuthenticatedUser(uid=self.id, email=self.email, name=self.name, locale=self.locale)


class AuthenticatedUser(Struct, frozen=True):
    uid: str
    email: Email
    name: str
    locale: UserLocale


class SignedIn(Struct, frozen=True):
    user: AuthenticatedUser


class MeProfile(Struct, frozen=True, rename="camel"):
    name: str
    email: Email
    locale: UserLocale
    sign_in_methods: list[SignInMethod]


class ProfileEdit(Struct, frozen=True, forbid_unknown_fields=True):
    name: AccountName | UnsetType = UNSET
    locale: UserLocale | UnsetType = UNSET

    at_least_one = True


class Credentials(Struct, frozen=True, forbid_unknown_fields=True):
    email: Email
    # Longer than a password can be, so that a wrong one is wrong and not malformed.
    password: Annotated[str, Meta(max_length=1024)]
