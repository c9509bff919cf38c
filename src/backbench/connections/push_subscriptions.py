"""Push subscriptions of the browsers of an account. One ends with its session."""

from backbench.accounts import accounts
from backbench.connections import push
from backbench.connections.push import (
    MAX_SUBSCRIPTIONS,
    TEST,
    NewMessage,
    NewPushSubscription,
    PushKey,
    PushSubscription,
    PushSubscriptionsList,
    StoredSubscription,
    VapidKey,
)
from backbench.engine.database import Database, Read, Write
from backbench.engine.objects import of_account
from backbench.integrations.public_addresses import require_public
from backbench.services import Services
from backbench.values.calls import Call
from backbench.values.errors import Conflict, FieldError, NotFound, ValidationError
from backbench.values.numbers import to_json_text
from backbench.values.shapes import made_of
from backbench.values.times import Instant

# Statements


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


async def list_stored(db: Read, uid: str) -> list[StoredSubscription]:
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


async def delete_row(db: Write, subscription_id: str) -> None:
    await db.run("DELETE FROM push_subscriptions WHERE id = :id", id=subscription_id)


_KEY = "SELECT private_key, public_key FROM push_keys WHERE id = 'vapid'"


async def lookup(db: Read) -> VapidKey | None:
    """None before the first browser asked for it."""
    return await db.one(VapidKey, _KEY)


async def find(db: Read) -> VapidKey:
    """Raises NotFound."""
    key = await lookup(db)
    if key is None:
        raise NotFound
    return key


async def add(db: Write, new: VapidKey) -> VapidKey:
    """The key that is stored: another one where another node was first."""
    await db.add_new("push_keys", new, key="id", id="vapid")
    return await lookup(db) or new


# Verbs


async def get_key(db: Database, call: Call) -> PushKey:
    """Get the public key with which a browser subscribes. It is made when it is asked for the first time."""
    async with db.read() as read:
        key = await lookup(read)
    if key is None:
        # Most servers have no subscribers.
        from backbench.connections import web_push

        made = web_push.new_key()
        key = await db.write(lambda write: add(write, made))
    return PushKey(key.public_key)


async def list_all(db: Read, call: Call) -> PushSubscriptionsList:
    """List the push subscriptions of the signed-in account, oldest first, without their addresses."""
    found = await list_stored(db, call.uid)
    return PushSubscriptionsList([each.to_response(call.caller.session_id) for each in found])


async def create(db: Write, call: Call, body: NewPushSubscription, services: Services) -> PushSubscription:
    """Subscribe this browser to push messages, or change what it hears of.

    Raises Conflict `plan_limit` where the account has 20 others.
    """
    # Most servers have no subscribers.
    from backbench.connections import web_push

    require_public(body.endpoint, "/endpoint", allows_loopback=services.allows_loopback)
    if not web_push.is_point(body.p256dh):
        raise ValidationError(FieldError("/p256dh", "not_valid", "Expected a point of the curve P-256"))
    await db.lock(f"push of {call.uid}")
    others = [each for each in await list_stored(db, call.uid) if each.endpoint != body.endpoint]
    if len(others) >= MAX_SUBSCRIPTIONS:
        detail = f"An account can have at most {MAX_SUBSCRIPTIONS} subscriptions; delete one first"
        raise Conflict("plan_limit", detail, limit=MAX_SUBSCRIPTIONS, current=len(others))
    new = made_of(
        StoredSubscription,
        body,
        id=call.new_id(),
        account_id=call.uid,
        session_id=call.caller.session_id or "",
        kinds=list(dict.fromkeys(body.kinds)),
        created_at=call.now,
        user_agent="",
        locale=(await accounts.find(db, call.uid)).locale,
    )
    # With which its messages are signed, also where the browser has not asked for it.
    if await lookup(db) is None:
        await add(db, web_push.new_key())
    await save(db, new)
    saved = await find_by_endpoint(db, body.endpoint)
    if saved.id == new.id:
        await push.begin(db, call.uid, saved.id)
    return saved.to_response(call.caller.session_id)


async def delete(db: Write, subscription_id: str) -> None:
    """End a push subscription; what was still to be sent to it is not sent."""
    await delete_row(db, subscription_id)


async def test(db: Write, call: Call, subscription_id: str) -> None:
    """Send a message to the browser that says that messages arrive."""
    await push.save_new(db, NewMessage(subscription_id, TEST, call.now), call.now)
