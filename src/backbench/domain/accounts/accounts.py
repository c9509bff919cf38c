"""Accounts: the people who sign in, and what they see of themselves."""

from collections.abc import Iterator
from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from backbench.domain.accounts.passwords import GivenPassword, Password
from backbench.domain.values.enums import UserLocale
from backbench.domain.values.errors import FieldError
from backbench.domain.values.scalars import AccountName, Email, Rule
from backbench.domain.values.times import Instant

SignInMethod = Literal["password", "google"]
AccountStatus = Literal["pending", "active", "suspended", "deleted"]
# A sign-up that is not confirmed within this time is deleted.
PENDING_SIGN_UP_SECONDS = 7 * 86_400


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
    # Longer than a password can be, so that a wrong one is wrong and not malformed.
    password: Annotated[str, Meta(max_length=1024)]


# A secret out of a mail.
Token = Annotated[str, Meta(min_length=1, max_length=200)]
NOT_VALID = FieldError("/token", "not_valid", "Used up, expired, or never given out")


class NewAccount(Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """What somebody sends who signs up."""

    name: AccountName
    email: Email
    password: Password
    accept_terms: Annotated[
        bool, Rule("not_accepted", "The terms must be accepted", lambda accepts: accepts, {"const": True})
    ]
    locale: UserLocale = "en"

    def field_errors(self) -> Iterator[FieldError]:
        if self.password.casefold() == self.email.casefold():
            yield FieldError("/password", "common", "Too easy to guess: it is the e-mail address")


class SignUp(Struct, frozen=True):
    """What becomes of the account when the mail of this sign-up is confirmed.

    Anybody can sign up with anybody's address. Each sign-up is kept apart until its own mail is confirmed, so that
    whoever owns the address gets the password that they chose themselves.
    """

    email: str
    name: str
    locale: UserLocale
    password_hash: str | None
    terms_version: str | None
    terms_accepted_at: Instant | None

    def pending(self, uid: str, now: Instant) -> Account:
        """The account that waits for the mail to be confirmed."""
        return Account(
            id=uid,
            email=self.email,
            name=self.name,
            locale=self.locale,
            status="pending",
            password_hash=self.password_hash,
            email_verified_at=None,
            terms_version=self.terms_version,
            terms_accepted_at=self.terms_accepted_at,
            last_login_at=None,
            created_at=now,
        )


class Verification(Struct, frozen=True, forbid_unknown_fields=True):
    token: Token


class VerificationRequest(Struct, frozen=True, forbid_unknown_fields=True):
    email: Email


class PasswordResetRequest(Struct, frozen=True, forbid_unknown_fields=True):
    email: Email


class PasswordReset(Struct, frozen=True, forbid_unknown_fields=True):
    token: Token
    password: Password


class PasswordChange(Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    current_password: GivenPassword
    new_password: Password


class AccountDeletion(Struct, frozen=True, forbid_unknown_fields=True):
    password: GivenPassword


def is_same_mailbox(one: str, other: str) -> bool:
    """Whether a mail to either arrives at the same person's.

    Stricter than what makes addresses unique: `ß` and `ss` are one to `email_key`, but two to a mail server.
    """
    return one == other or (one.isascii() and other.isascii() and one.lower() == other.lower())
