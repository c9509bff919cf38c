"""Push subscriptions in the database. One is deleted with its session."""

from backbench.domain.connections.push import StoredSubscription
from backbench.domain.values.errors import NotFound
from backbench.domain.values.numbers import to_json_text
from backbench.domain.values.times import Instant
from backbench.storage.engine.database import Read, Write
from backbench.storage.engine.objects import of_account

_COLUMNS = """p.id, p.account_id, p.session_id, p.endpoint, p.p256dh, p.auth, p.kinds, p.details, p.created_at,
    s.user_agent, a.locale"""
_SOURCE = "push_subscriptions p JOIN sessions s ON s.id = p.session_id JOIN accounts a ON a.id = p.account_id"
# Of sessions that have not expired.
_IS_ACTIVE = "s.idle_until > :now AND s.ends_at > :now AND a.status = 'active'"

PUSH_SUBSCRIPTION = of_account("subscription", "push_subscriptions p", key="subscription_id")


async def save(db: Write, new: StoredSubscription) -> None:
    """Adds it, or replaces that of the same endpoint. A browser gets the messages of one account."""
    await db.run(
        "DELETE FROM push_subscriptions WHERE endpoint = :endpoint AND account_id <> :uid",
        endpoint=new.endpoint,
        uid=new.account_id,
    )
    await db.run(
        """
        INSERT INTO push_subscriptions (id, account_id, session_id, endpoint, p256dh, auth, kinds, details, created_at)
        VALUES (:id, :uid, :session_id, :endpoint, :point, :auth, :kinds, :details, :created_at)
        ON CONFLICT (endpoint) DO UPDATE SET session_id = excluded.session_id, p256dh = excluded.p256dh,
            auth = excluded.auth, kinds = excluded.kinds, details = excluded.details
        """,
        id=new.id,
        uid=new.account_id,
        session_id=new.session_id,
        endpoint=new.endpoint,
        point=new.p256dh,
        auth=new.auth,
        kinds=to_json_text(new.kinds),
        details=int(new.details),
        created_at=new.created_at,
    )


async def find_by_endpoint(db: Read, endpoint: str) -> StoredSubscription:
    """Raises NotFound."""
    sql = f"SELECT {_COLUMNS} FROM {_SOURCE} WHERE p.endpoint = :endpoint"
    found = await db.one(StoredSubscription, sql, endpoint=endpoint)
    if found is None:
        raise NotFound
    return found


async def find_active(db: Read, subscription_id: str, workshop_id: str | None, now: Instant) -> StoredSubscription:
    """Raises NotFound where its session has ended, or its account has left the workshop."""
    found = await db.one(
        StoredSubscription,
        f"""
        SELECT {_COLUMNS} FROM {_SOURCE} WHERE p.id = :id AND {_IS_ACTIVE} AND (:any_workshop = 1 OR EXISTS (
            SELECT 1 FROM members m WHERE m.workshop_id = :workshop_id AND m.account_id = p.account_id
        ))
        """,
        id=subscription_id,
        any_workshop=int(workshop_id is None),
        workshop_id=workshop_id or "",
        now=now,
    )
    if found is None:
        raise NotFound
    return found


async def list_all(db: Read, uid: str) -> list[StoredSubscription]:
    """Those of the account, oldest first."""
    sql = f"SELECT {_COLUMNS} FROM {_SOURCE} WHERE p.account_id = :uid ORDER BY p.id"
    return await db.all(StoredSubscription, sql, uid=uid)


async def list_hearing(db: Read, workshop_id: str, now: Instant) -> list[StoredSubscription]:
    """Those of the members of the workshop."""
    sql = f"""
        SELECT {_COLUMNS} FROM {_SOURCE} JOIN members m ON m.account_id = p.account_id
        WHERE m.workshop_id = :workshop_id AND {_IS_ACTIVE} ORDER BY p.id
    """
    return await db.all(StoredSubscription, sql, workshop_id=workshop_id, now=now)


async def delete(db: Write, subscription_id: str) -> None:
    await db.run("DELETE FROM push_subscriptions WHERE id = :id", id=subscription_id)
