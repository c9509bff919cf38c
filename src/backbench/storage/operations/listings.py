"""Lists of everything on the server, for its host. No request reads these."""

from msgspec import Struct

from backbench.domain.billing.plans import Plan, PlanRules, WorkshopPlan, WorkshopPlanSource
from backbench.domain.operations.listings import ListedAccount, ListedKey, ListedMember, ListedWorkshop
from backbench.domain.values.times import Instant
from backbench.storage.engine.database import Read


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


async def list_accounts(db: Read) -> list[ListedAccount]:
    sql = "SELECT id AS uid, email, name, status, created_at, last_login_at FROM accounts ORDER BY created_at, id"
    return await db.all(ListedAccount, sql)


async def list_workshops(db: Read, rules: PlanRules, now: Instant) -> list[ListedWorkshop]:
    """With the plans that are in effect at `now`."""
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
    sql = """
        SELECT a.id AS uid, a.email, a.name, m.role, m.joined_at FROM members m JOIN accounts a ON a.id = m.account_id
        WHERE m.workshop_id = :workshop_id ORDER BY m.joined_at, a.id
    """
    return await db.all(ListedMember, sql, workshop_id=workshop_id)


async def list_keys(db: Read, account_id: str | None) -> list[ListedKey]:
    """The keys of the account, or of all accounts."""
    condition = "" if account_id is None else "WHERE k.account_id = :account_id"
    sql = f"""
        SELECT k.id, a.email, k.name, k.prefix, k.scopes, k.workshop_id, k.created_at, k.last_used_at, k.expires_at,
            k.revoked_at FROM api_keys k JOIN accounts a ON a.id = k.account_id {condition} ORDER BY k.created_at, k.id
    """
    return await db.all(ListedKey, sql, **({} if account_id is None else {"account_id": account_id}))
