"""Administration from the command line: accounts, workshops, plans, members, API keys."""

from msgspec import Struct

from backbench.accounts import accounts, api_keys, sessions, tokens
from backbench.accounts.accounts import Account, AccountStatus
from backbench.accounts.api_keys import ApiKey, ApiKeyWithSecret, display_prefix, new_secret
from backbench.accounts.deletion import delete_account
from backbench.accounts.page_links import page_link
from backbench.accounts.sessions import digest
from backbench.accounts.sessions import new_secret as new_session_secret
from backbench.accounts.tokens import StoredToken
from backbench.billing import billing
from backbench.billing.plans import GRANTED_FREE, Plan, PlanRules, WorkshopPlan, WorkshopPlanSource
from backbench.connections.webhooks import end_of_ownership
from backbench.engine.database import Read, Write
from backbench.mail import outbox
from backbench.mail.outbox import NewEmail
from backbench.orders.order_details import release_assignee
from backbench.values.calls import Scope
from backbench.values.enums import UserLocale
from backbench.values.errors import Conflict, NotFound
from backbench.values.ids import NewId
from backbench.values.times import Instant, later
from backbench.workshops import audit, members, team, workshops
from backbench.workshops.audit import HOST, ChangeSource
from backbench.workshops.members import MemberRole
from backbench.workshops.workshops import NewWorkshop

# As long as the link in the email to an account that was activated: it takes time to pass it on.
RESET_LINK_SECONDS = 24 * 3600


class ListedAccount(Struct, frozen=True, rename="camel"):
    uid: str
    email: str
    name: str
    status: AccountStatus
    created_at: Instant
    last_login_at: Instant | None


class ListedWorkshop(Struct, frozen=True, rename="camel"):
    id: str
    name: str
    plan: WorkshopPlan
    storage_used_bytes: int
    created_at: Instant
    owners: list[str]


class ListedMember(Struct, frozen=True, rename="camel"):
    uid: str
    email: str
    name: str
    role: MemberRole
    joined_at: Instant


class ListedKey(Struct, frozen=True, rename="camel"):
    id: str
    email: str
    name: str
    prefix: str
    scopes: list[Scope]
    workshop_id: str | None
    created_at: Instant
    last_used_at: Instant | None
    expires_at: Instant | None
    revoked_at: Instant | None


class _WorkshopRow(Struct, frozen=True):
    id: str
    name: str
    plan: WorkshopPlan
    plan_expires_at: Instant | None
    plan_source: WorkshopPlanSource | None
    storage_used_bytes: int
    created_at: Instant


class _OwnerRow(Struct, frozen=True):
    workshop_id: str
    email: str


class AddedAccount(Struct, frozen=True, rename="camel"):
    uid: str
    email: str
    workshop_id: str


class AddedWorkshop(Struct, frozen=True, rename="camel"):
    workshop_id: str


class ResetLink(Struct, frozen=True, rename="camel"):
    email: str
    url: str
    expires_at: Instant


# Verbs


async def add_account(
    db: Write, email: str, name: str, password_hash: str, locale: UserLocale, now: Instant, new_id: NewId
) -> AddedAccount:
    """Adds an active account with its default workshop. Raises Conflict where the address is taken."""
    account = Account(
        id=new_id(),
        email=email,
        name=name,
        locale=locale,
        status="active",
        password_hash=password_hash,
        email_verified_at=now,
        terms_version=None,
        terms_accepted_at=None,
        last_login_at=None,
        created_at=now,
    )
    await accounts.add(db, account)
    new = NewWorkshop(name=name, crafter_name=name)
    source = ChangeSource(HOST, now, new_id)
    workshop_id = await workshops.add_workshop(db, source, account.id, new, is_default=True)
    return AddedAccount(account.id, account.email, workshop_id)


async def suspend(db: Write, email: str, now: Instant, new_id: NewId) -> None:
    """Suspends the account, ends all of its sessions, API keys and invitations, and disables its webhooks."""
    account = await accounts.find_by_email(db, email)
    await accounts.save_status(db, account.id, "suspended")
    await team.delete_of_inviter(db, account.id)
    await end_of_ownership(db, account.id, now, new_id)
    await end_all_access(db, account.id, now)


async def activate(db: Write, email: str, now: Instant, new_id: NewId) -> bool:
    """Activates a suspended or pending account. Returns whether it needs a password.

    A sign-up brings no password, since anybody may have sent it. So an account without one gets an email with a link
    to choose it, and, like one that is verified, a default workshop.
    """
    account = await accounts.find_by_email(db, email)
    await accounts.save_status(db, account.id, "active")
    if account.password_hash is not None or await accounts.has_identity(db, account.id):
        return False
    await tokens.delete_all(db, account.id, "verify")
    if not await workshops.list_stored(db, account.id):
        new = NewWorkshop(name=account.name, crafter_name=account.name)
        source = ChangeSource(HOST, now, new_id)
        await workshops.add_workshop(db, source, account.id, new, is_default=True)
    await outbox.add(db, new_id(), NewEmail.to_account("activated", account), now)
    return True


async def set_password(db: Write, email: str, password_hash: str) -> None:
    """Sets the password and ends all sessions; API keys stay valid."""
    account = await accounts.find_by_email(db, email)
    await accounts.save_password(db, account.id, password_hash)
    await sessions.delete_all(db, account.id)
    await tokens.delete_all(db, account.id, "reset")


async def _find_active(db: Read, email: str) -> Account:
    account = await accounts.find_by_email(db, email)
    if account.status != "active":
        raise Conflict("not_active", f"The account is {account.status}; activate it first")
    return account


async def add_reset_link(db: Write, email: str, public_url: str, now: Instant) -> ResetLink:
    """Makes a link to choose a password, for the host to pass on.

    Raises NotFound, and Conflict for an account that is not active.
    """
    account = await _find_active(db, email)
    secret, expires_at = new_session_secret(), later(now, RESET_LINK_SECONDS)
    await tokens.add(db, secret, "reset", expires_at, StoredToken(account.id))
    keys = len(await api_keys.list_active(db, account.id, now))
    return ResetLink(account.email, page_link(public_url, "reset", account.locale, secret, keys), expires_at)


async def delete(db: Write, email: str, now: Instant, new_id: NewId, *, with_invoices: bool = False) -> None:
    account = await accounts.find_by_email(db, email)
    await delete_account(db, ChangeSource(HOST, now, new_id), account.id, with_invoices=with_invoices)


async def end_all_access(db: Write, uid: str, now: Instant) -> None:
    await sessions.delete_all(db, uid)
    await api_keys.save_all_revoked(db, uid, now)


async def add_workshop(db: Write, owner: str, name: str, now: Instant, new_id: NewId) -> AddedWorkshop:
    account = await accounts.find_by_email(db, owner)
    new = NewWorkshop(name=name, crafter_name=account.name)
    is_first = not await workshops.list_stored(db, account.id)
    source = ChangeSource(HOST, now, new_id)
    return AddedWorkshop(await workshops.add_workshop(db, source, account.id, new, is_default=is_first))


async def set_plan(db: Write, workshop_id: str, plan: Plan, now: Instant, new_id: NewId) -> None:
    """Sets the plan of the workshop. Later events of the payment provider never shorten it.

    Free is stored as a grant, so that it is not mistaken for a workshop without one.
    """
    await db.lock(f"plan {workshop_id}")
    await workshops.find(db, workshop_id)
    await billing.save_granted_plan(db, workshop_id, GRANTED_FREE if plan.plan == "free" else plan)
    await audit.add(db, ChangeSource(HOST, now, new_id).change(workshop_id, "plan.changed", workshop_id))


async def add_member(db: Write, workshop_id: str, email: str, role: MemberRole, now: Instant, new_id: NewId) -> None:
    """Adds the account as a member, or changes its role. Raises Conflict `last_owner` for the last owner."""
    await workshops.find(db, workshop_id)
    account = await accounts.find_by_email(db, email)
    await db.lock(f"workshops of {account.id}")
    await db.lock(f"members {workshop_id}")
    if role != "owner" and await members.list_owner_ids(db, workshop_id) == [account.id]:
        raise Conflict("last_owner", "The workshop would have no owner")
    if role != "owner":
        await team.delete_of_inviter(db, account.id, workshop_id)
    is_member = await members.lookup_role(db, workshop_id, account.id) is not None
    await members.add(db, workshop_id, account.id, role, now)
    if role != "owner":
        await end_of_ownership(db, account.id, now, new_id, workshop_id)
    event = "member.updated" if is_member else "member.joined"
    await audit.add(db, ChangeSource(HOST, now, new_id).change(workshop_id, event, account.id))


async def remove_member(db: Write, workshop_id: str, email: str, now: Instant, new_id: NewId) -> None:
    """Removes the account from the workshop; its invitations end.

    Raises NotFound, and Conflict `last_owner` for the last owner.
    """
    account = await accounts.find_by_email(db, email)
    await db.lock(f"members {workshop_id}")
    if await members.lookup_role(db, workshop_id, account.id) is None:
        raise NotFound
    if await members.list_owner_ids(db, workshop_id) == [account.id]:
        raise Conflict("last_owner", "The workshop would have no owner")
    await team.delete_of_inviter(db, account.id, workshop_id)
    await members.delete(db, workshop_id, account.id)
    await end_of_ownership(db, account.id, now, new_id, workshop_id)
    source = ChangeSource(HOST, now, new_id)
    await release_assignee(db, source, workshop_id, account.id)
    await audit.add(db, source.change(workshop_id, "member.left", account.id))


async def issue_key(
    db: Write,
    email: str,
    scopes: list[Scope],
    name: str,
    now: Instant,
    new_id: NewId,
    *,
    workshop_id: str | None = None,
    expires_at: Instant | None = None,
) -> ApiKeyWithSecret:
    """Raises NotFound where there is no such account, or it is not a member of the workshop.

    Raises Conflict for an account that is not active.
    """
    account = await _find_active(db, email)
    if workshop_id is not None and await members.lookup_role(db, workshop_id, account.id) is None:
        raise NotFound
    secret = new_secret()
    key = ApiKey(
        id=new_id(),
        name=name,
        prefix=display_prefix(secret),
        scopes=sorted(set(scopes)),
        created_at=now,
        workshop_id=workshop_id,
        expires_at=expires_at,
    )
    await api_keys.add(db, account.id, key, digest(secret))
    return ApiKeyWithSecret(key, secret)


async def revoke_key(db: Write, key_id: str, now: Instant) -> None:
    """Revokes a key of any account. Raises NotFound."""
    owner = await api_keys.lookup_owner(db, key_id)
    if owner is None:
        raise NotFound
    await api_keys.save_revoked(db, key_id, owner, now)


async def list_accounts(db: Read) -> list[ListedAccount]:
    sql = "SELECT id AS uid, email, name, status, created_at, last_login_at FROM accounts ORDER BY created_at, id"
    return await db.all(ListedAccount, sql)


async def list_workshops(db: Read, rules: PlanRules, now: Instant) -> list[ListedWorkshop]:
    """With the plans that are in effect at `now`, as everywhere."""
    rows = await db.all(
        _WorkshopRow,
        """
        SELECT id, name, plan, plan_expires_at, plan_source, storage_used_bytes, created_at FROM workshops
        ORDER BY created_at, id
        """,
    )
    owners: dict[str, list[str]] = {}
    sql = """
        SELECT m.workshop_id, a.email FROM members m JOIN accounts a ON a.id = m.account_id
        WHERE m.role = 'owner' ORDER BY m.joined_at, a.id
    """
    for owner in await db.all(_OwnerRow, sql):
        owners.setdefault(owner.workshop_id, []).append(owner.email)
    return [
        ListedWorkshop(
            id=row.id,
            name=row.name,
            plan=rules.in_effect(Plan(row.plan, row.plan_expires_at, row.plan_source), now).plan,
            storage_used_bytes=row.storage_used_bytes,
            created_at=row.created_at,
            owners=owners.get(row.id, []),
        )
        for row in rows
    ]


async def list_members(db: Read, workshop_id: str) -> list[ListedMember]:
    """Raises NotFound."""
    await workshops.find(db, workshop_id)
    sql = """
        SELECT a.id AS uid, a.email, a.name, m.role, m.joined_at FROM members m JOIN accounts a ON a.id = m.account_id
        WHERE m.workshop_id = :workshop_id ORDER BY m.joined_at, a.id
    """
    return await db.all(ListedMember, sql, workshop_id=workshop_id)


async def list_keys(db: Read, email: str | None) -> list[ListedKey]:
    """The keys of the account, or of all accounts. Raises NotFound."""
    account = None if email is None else await accounts.find_by_email(db, email)
    condition = "" if account is None else "WHERE k.account_id = :account_id"
    sql = f"""
        SELECT k.id, a.email, k.name, k.prefix, k.scopes, k.workshop_id, k.created_at, k.last_used_at, k.expires_at,
            k.revoked_at FROM api_keys k JOIN accounts a ON a.id = k.account_id {condition} ORDER BY k.created_at, k.id
    """
    return await db.all(ListedKey, sql, **({} if account is None else {"account_id": account.id}))
