"""Accounts: who can sign in, with what, in which language; the profile."""

from collections.abc import Iterator
from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from backbench.engine.database import Read, Write
from backbench.engine.rows import columns
from backbench.values.calls import Call
from backbench.values.enums import UserLocale
from backbench.values.errors import Conflict, FieldError, NotFound
from backbench.values.scalars import AccountName, Email, Rule, email_key
from backbench.values.shapes import made_of
from backbench.values.times import Instant, later


class AccountDataExportAuthProvider(Struct, frozen=True, rename="camel"):
    provider: Literal["google"]
    subject: str
    linked_at: Instant


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
        return made_of(AuthenticatedUser, self, uid=self.id)

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


class VerificationRequest(Struct, frozen=True, forbid_unknown_fields=True):
    email: Email


class PasswordResetRequest(Struct, frozen=True, forbid_unknown_fields=True):
    email: Email


def is_same_mailbox(one: str, other: str) -> bool:
    """Whether an email to either address arrives in the same mailbox.

    Stricter than the uniqueness of addresses: `ß` and `ss` are equal to `fold_case`, but not to a mail server.
    """
    return one == other or (one.isascii() and other.isascii() and one.lower() == other.lower())


# Statements


_COLUMNS = columns(Account)


async def find(db: Read, uid: str) -> Account:
    """Raises NotFound."""
    account = await db.one(Account, f"SELECT {_COLUMNS} FROM accounts WHERE id = :uid", uid=uid)
    if account is None:
        raise NotFound
    return account


async def lookup_name(db: Read, uid: str) -> str | None:
    """None where the account does not exist."""
    name: str | None = await db.value("SELECT name FROM accounts WHERE id = :uid", uid=uid)
    return name


async def lookup_by_email(db: Read, email: str) -> Account | None:
    return await db.one(Account, f"SELECT {_COLUMNS} FROM accounts WHERE email_key = :key", key=email_key(email))


async def find_by_email(db: Read, email: str) -> Account:
    """Raises NotFound."""
    account = await lookup_by_email(db, email)
    if account is None:
        raise NotFound
    return account


async def add(db: Write, account: Account) -> None:
    """Raises Conflict when the address is taken."""
    if not await db.add_new("accounts", account, key="email_key", email_key=email_key(account.email)):
        raise Conflict("email_taken", "An account with this email address exists")


async def save_status(db: Write, uid: str, status: AccountStatus) -> None:
    await db.run("UPDATE accounts SET status = :status WHERE id = :uid", uid=uid, status=status)


async def save_sign_up(db: Write, uid: str, sign_up: SignUp) -> None:
    """Replaces the details of a pending account by those of another sign-up. A pending account has no password."""
    await db.run(
        """
        UPDATE accounts SET email = :email, name = :name, locale = :locale, password_hash = NULL,
            terms_version = :terms_version, terms_accepted_at = :terms_accepted_at
        WHERE id = :uid AND status = 'pending'
        """,
        uid=uid,
        email=sign_up.email,
        name=sign_up.name,
        locale=sign_up.locale,
        terms_version=sign_up.terms_version,
        terms_accepted_at=sign_up.terms_accepted_at,
    )


async def save_verified(db: Write, uid: str, password_hash: str | None, at: Instant) -> bool:
    """False when the account is not pending: already active, or suspended in the meantime."""
    changed = await db.run(
        """
        UPDATE accounts SET status = 'active', email_verified_at = :at, password_hash = :hash
        WHERE id = :uid AND status = 'pending'
        """,
        uid=uid,
        hash=password_hash,
        at=at,
    )
    return changed > 0


async def save_joined(db: Write, uid: str, password_hash: str, verified_at: Instant | None) -> None:
    """Activates a pending account. `verified_at`: None where nothing has proved that the address is its owner's."""
    await db.run(
        """
        UPDATE accounts SET status = 'active', email_verified_at = :verified_at, password_hash = :hash
        WHERE id = :uid AND status = 'pending'
        """,
        uid=uid,
        hash=password_hash,
        verified_at=verified_at,
    )


async def save_password(db: Write, uid: str, password_hash: str) -> None:
    await db.run("UPDATE accounts SET password_hash = :hash WHERE id = :uid", uid=uid, hash=password_hash)


async def save_reset(db: Write, uid: str, password_hash: str, at: Instant) -> bool:
    """The new password of an active account, whose email address it also verifies. False when it is not active."""
    changed = await db.run(
        """
        UPDATE accounts SET password_hash = :hash, email_verified_at = coalesce(email_verified_at, :at)
        WHERE id = :uid AND status = 'active'
        """,
        uid=uid,
        hash=password_hash,
        at=at,
    )
    return changed > 0


async def save_changed_password(db: Write, uid: str, password_hash: str, former: str) -> bool:
    """False when `former`, the hash of the password that was checked, is no longer the current one."""
    sql = "UPDATE accounts SET password_hash = :hash WHERE id = :uid AND password_hash = :former"
    return await db.run(sql, uid=uid, hash=password_hash, former=former) > 0


async def delete_expired(db: Write, now: Instant) -> int:
    """Deletes sign-ups that were not confirmed in time. Returns how many."""
    return await db.run(
        """
        DELETE FROM accounts WHERE status = 'pending' AND created_at <= :before
            AND NOT EXISTS (SELECT 1 FROM tokens WHERE tokens.account_id = accounts.id)
            AND NOT EXISTS (SELECT 1 FROM members WHERE members.account_id = accounts.id)
        """,
        before=later(now, -PENDING_SIGN_UP_SECONDS),
    )


async def save_sign_in(db: Write, uid: str, password_hash: str | None, at: Instant) -> bool:
    """Records the sign-in, and the upgraded hash if there is one. False when the account may no longer sign in."""
    changed = await db.run(
        """
        UPDATE accounts SET last_login_at = :at, password_hash = coalesce(:hash, password_hash)
        WHERE id = :uid AND status = 'active'
        """,
        uid=uid,
        hash=password_hash,
        at=at,
    )
    return changed > 0


async def delete(db: Write, uid: str) -> None:
    await db.run("DELETE FROM accounts WHERE id = :uid", uid=uid)


async def lookup_account_id(db: Read, issuer: str, subject: str) -> str | None:
    """The id of the account that is linked to the subject."""
    uid: str | None = await db.value(
        "SELECT account_id FROM identities WHERE issuer = :issuer AND subject = :subject",
        issuer=issuer,
        subject=subject,
    )
    return uid


async def has_identity(db: Read, uid: str) -> bool:
    """Whether an identity is linked to the account."""
    sql = "SELECT 1 FROM identities WHERE account_id = :uid LIMIT 1"
    return await db.value(sql, uid=uid) is not None


async def add_identity(db: Write, uid: str, issuer: str, subject: str, at: Instant) -> None:
    await db.add("identities", issuer=issuer, subject=subject, account_id=uid, provider="google", linked_at=at)


async def delete_identities(db: Write, uid: str) -> bool:
    """False when there was none."""
    return await db.run("DELETE FROM identities WHERE account_id = :uid", uid=uid) > 0


async def list_identities(db: Read, uid: str) -> list[AccountDataExportAuthProvider]:
    return await db.all(
        AccountDataExportAuthProvider,
        "SELECT provider, subject, linked_at FROM identities WHERE account_id = :uid ORDER BY linked_at",
        uid=uid,
    )


# Verbs


async def get(db: Read, call: Call) -> MeProfile:
    """Read the profile of the signed-in account."""
    account = await find(db, call.uid)
    return MeProfile(
        name=account.name,
        email=account.email,
        locale=account.locale,
        sign_in_methods=account.sign_in_methods(has_identity=await has_identity(db, account.id)),
    )
