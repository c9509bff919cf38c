"""Accounts in the database."""

from backbench.domain.accounts.accounts import (
    PENDING_SIGN_UP_SECONDS,
    Account,
    AccountStatus,
    ProfileEdit,
    SignUp,
)
from backbench.domain.values.errors import Conflict, NotFound
from backbench.domain.values.scalars import email_key
from backbench.domain.values.times import Instant, later
from backbench.storage.engine.database import Read, Write
from backbench.storage.engine.parameters import or_none
from backbench.storage.engine.rows import columns

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
    added = await db.run(
        """
        INSERT INTO accounts (id, email, email_key, name, locale, status, password_hash, email_verified_at,
            terms_version, terms_accepted_at, last_login_at, created_at)
        VALUES (:id, :email, :email_key, :name, :locale, :status, :password_hash, :email_verified_at,
            :terms_version, :terms_accepted_at, :last_login_at, :created_at)
        ON CONFLICT (email_key) DO NOTHING
        """,
        id=account.id,
        email=account.email,
        email_key=email_key(account.email),
        name=account.name,
        locale=account.locale,
        status=account.status,
        password_hash=account.password_hash,
        email_verified_at=account.email_verified_at,
        terms_version=account.terms_version,
        terms_accepted_at=account.terms_accepted_at,
        last_login_at=account.last_login_at,
        created_at=account.created_at,
    )
    if not added:
        raise Conflict("email_taken", "An account with this email address exists")


async def save_profile(db: Write, uid: str, edit: ProfileEdit) -> None:
    await db.run(
        "UPDATE accounts SET name = coalesce(:name, name), locale = coalesce(:locale, locale) WHERE id = :uid",
        uid=uid,
        name=or_none(edit.name),
        locale=or_none(edit.locale),
    )


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
