"""Accounts in the database."""

from backbench.domain.accounts import Account, AccountStatus, ProfileEdit, SignInMethod
from backbench.domain.errors import Conflict, NotFound
from backbench.domain.scalars import email_key
from backbench.domain.times import Instant
from backbench.storage.database import Read, Write
from backbench.storage.values import or_none

_COLUMNS = """id, email, name, locale, status, password_hash, email_verified_at, terms_version, terms_accepted_at,
    last_login_at, created_at"""


async def find(db: Read, uid: str) -> Account:
    account = await db.one(Account, f"SELECT {_COLUMNS} FROM accounts WHERE id = :uid", uid=uid)
    if account is None:
        raise NotFound
    return account


async def with_email(db: Read, email: str) -> Account | None:
    return await db.one(Account, f"SELECT {_COLUMNS} FROM accounts WHERE email_key = :key", key=email_key(email))


async def find_by_email(db: Read, email: str) -> Account:
    account = await with_email(db, email)
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
        raise Conflict("email_taken", "An account with this e-mail address exists")


async def save_profile(db: Write, uid: str, edit: ProfileEdit) -> None:
    await db.run(
        "UPDATE accounts SET name = coalesce(:name, name), locale = coalesce(:locale, locale) WHERE id = :uid",
        uid=uid,
        name=or_none(edit.name),
        locale=or_none(edit.locale),
    )


async def save_status(db: Write, uid: str, status: AccountStatus) -> None:
    await db.run("UPDATE accounts SET status = :status WHERE id = :uid", uid=uid, status=status)


async def save_password(db: Write, uid: str, password_hash: str) -> None:
    await db.run("UPDATE accounts SET password_hash = :hash WHERE id = :uid", uid=uid, hash=password_hash)


async def save_sign_in(db: Write, uid: str, password_hash: str | None, at: Instant) -> bool:
    """Notes the sign-in, and the upgraded hash if there is one; False when the account may no longer sign in."""
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


async def remove(db: Write, uid: str) -> None:
    await db.run("DELETE FROM accounts WHERE id = :uid", uid=uid)


async def sign_in_methods(db: Read, account: Account) -> list[SignInMethod]:
    linked = await db.value("SELECT 1 FROM identities WHERE account_id = :uid LIMIT 1", uid=account.id)
    methods: list[SignInMethod] = []
    if account.password_hash is not None:
        methods.append("password")
    if linked:
        methods.append("google")
    return methods
