"""Accounts: sign-up, credentials, profile, password reset and deletion."""

from collections.abc import Iterator
from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from backbench.domain.accounts.passwords import CurrentPassword, Password
from backbench.domain.values.enums import UserLocale
from backbench.domain.values.errors import FieldError
from backbench.domain.values.scalars import AccountName, Email, Rule
from backbench.domain.values.times import Instant

SignInMethod = Literal["password", "google"]
AccountStatus = Literal["pending", "active", "suspended", "deleted"]
# A sign-up that is not confirmed within this time is deleted.
PENDING_SIGN_UP_SECONDS = 7 * 86_400


class Account(Struct, frozen=True):
    """The stored account. `password_hash` is None if the account signs in with Google only."""

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

    def to_response(self) -> "AuthenticatedUser":
        return AuthenticatedUser(uid=self.id, email=self.email, name=self.name, locale=self.locale)

    def sign_in_methods(self, *, has_identity: bool) -> list[SignInMethod]:
        """`has_identity`: whether a Google identity is linked to the account."""
        methods: list[SignInMethod] = []
        if self.password_hash is not None:
            methods.append("password")
        if has_identity:
            methods.append("google")
        return methods


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
    # Of any length: what no password can be is incorrect, not malformed.
    password: str


# The secret in a link of an email.
Token = Annotated[str, Meta(min_length=1, max_length=200)]
INVALID_TOKEN = FieldError("/token", "not_valid", "The token is invalid, expired or already used")


AcceptedTerms = Annotated[
    bool, Rule("not_accepted", "The terms must be accepted", lambda accepts: accepts, {"const": True})
]


class NewAccount(Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """The body of a sign-up. `password` is ignored: the password is chosen with the link in the email."""

    name: AccountName
    email: Email
    accept_terms: AcceptedTerms
    locale: UserLocale = "en"
    password: str | UnsetType = UNSET


def email_as_password(password: str, email: str) -> Iterator[FieldError]:
    """The error of a password that is the account's own email address."""
    if password.casefold() == email.casefold():
        yield FieldError("/password", "common", "Must not be the email address")


class SignUp(Struct, frozen=True):
    """A pending sign-up: what the account is created from when the email of this sign-up is confirmed.

    It has no password. Anybody can sign up with any address, and a link in an email is pressed by its owner without
    knowing whose sign-up caused it; so the password is given together with the link.
    """

    email: str
    name: str
    locale: UserLocale
    terms_version: str | None
    terms_accepted_at: Instant | None

    def to_account(self, uid: str, now: Instant) -> Account:
        """The account with status `pending` and without a password, until the email is confirmed."""
        return Account(
            id=uid,
            email=self.email,
            name=self.name,
            locale=self.locale,
            status="pending",
            password_hash=None,
            email_verified_at=None,
            terms_version=self.terms_version,
            terms_accepted_at=self.terms_accepted_at,
            last_login_at=None,
            created_at=now,
        )


class Verification(Struct, frozen=True, forbid_unknown_fields=True):
    token: Token
    password: Password


class VerificationRequest(Struct, frozen=True, forbid_unknown_fields=True):
    email: Email


class PasswordResetRequest(Struct, frozen=True, forbid_unknown_fields=True):
    email: Email


class PasswordReset(Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    token: Token
    password: Password
    end_api_keys: bool = False
    # Ends the addresses of links that the account made: a thief of the password may have made some.
    end_links: bool = False


class PasswordChange(Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    current_password: CurrentPassword
    new_password: Password
    # As in PasswordReset.
    end_links: bool = False


class AccountDeletion(Struct, frozen=True, forbid_unknown_fields=True):
    password: CurrentPassword


def is_same_mailbox(one: str, other: str) -> bool:
    """Whether an email to either address arrives in the same mailbox.

    Stricter than the uniqueness of addresses: `ß` and `ss` are equal to `fold_case`, but not to a mail server.
    """
    return one == other or (one.isascii() and other.isascii() and one.lower() == other.lower())
