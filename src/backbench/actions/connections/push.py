"""Push messages: the key of the installation, and the subscriptions of an account. Each ends with its session."""

from backbench.actions.services import Services
from backbench.domain.accounts.calls import Call
from backbench.domain.connections.addresses import require_public
from backbench.domain.connections.push import (
    MAX_SUBSCRIPTIONS,
    TEST,
    NewMessage,
    NewPushSubscription,
    PushKey,
    PushSubscription,
    PushSubscriptionsList,
    StoredSubscription,
)
from backbench.domain.values.errors import Conflict, FieldError, ValidationError
from backbench.storage.accounts import accounts
from backbench.storage.connections import push_keys, push_messages, push_subscriptions
from backbench.storage.engine.database import Database, Read, Write


async def get_key(db: Database, call: Call) -> PushKey:
    """Get the public key with which a browser subscribes. It is made when it is asked for the first time."""
    async with db.read() as read:
        key = await push_keys.lookup(read)
    if key is None:
        # Most servers have no subscribers.
        from backbench.integrations.push import web_push

        made = web_push.new_key()
        key = await db.write(lambda write: push_keys.add(write, made))
    return PushKey(key.public_key)


async def list_all(db: Read, call: Call) -> PushSubscriptionsList:
    """List the push subscriptions of the signed-in account, oldest first, without their addresses."""
    found = await push_subscriptions.list_all(db, call.uid)
    return PushSubscriptionsList([each.to_response(call.caller.session_id) for each in found])


async def create(db: Write, call: Call, body: NewPushSubscription, services: Services) -> PushSubscription:
    """Subscribe this browser to push messages, or change what it hears of.

    Raises Conflict `plan_limit` where the account has 20 others.
    """
    # Most servers have no subscribers.
    from backbench.integrations.push import web_push

    require_public(body.endpoint, "/endpoint", allows_loopback=services.allows_loopback)
    if not web_push.is_point(body.p256dh):
        raise ValidationError(FieldError("/p256dh", "not_valid", "Expected a point of the curve P-256"))
    await db.lock(f"push of {call.uid}")
    others = [each for each in await push_subscriptions.list_all(db, call.uid) if each.endpoint != body.endpoint]
    if len(others) >= MAX_SUBSCRIPTIONS:
        detail = f"An account can have at most {MAX_SUBSCRIPTIONS} subscriptions; delete one first"
        raise Conflict("plan_limit", detail, limit=MAX_SUBSCRIPTIONS, current=len(others))
    new = StoredSubscription(
        id=call.new_id(),
        account_id=call.uid,
        session_id=call.caller.session_id or "",
        endpoint=body.endpoint,
        p256dh=body.p256dh,
        auth=body.auth,
        kinds=list(dict.fromkeys(body.kinds)),
        details=body.details,
        created_at=call.now,
        user_agent="",
        locale=(await accounts.find(db, call.uid)).locale,
    )
    # With which its messages are signed, also where the browser has not asked for it.
    if await push_keys.lookup(db) is None:
        await push_keys.add(db, web_push.new_key())
    await push_subscriptions.save(db, new)
    saved = await push_subscriptions.find_by_endpoint(db, body.endpoint)
    if saved.id == new.id:
        await push_messages.begin(db, call.uid, saved.id)
    return saved.to_response(call.caller.session_id)


async def delete(db: Write, subscription_id: str) -> None:
    """End a push subscription; what was still to be sent to it is not sent."""
    await push_subscriptions.delete(db, subscription_id)


async def test(db: Write, call: Call, subscription_id: str) -> None:
    """Send a message to the browser that says that messages arrive."""
    await push_messages.save_new(db, NewMessage(subscription_id, TEST, call.now), call.now)
