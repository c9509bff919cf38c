"""Webhooks in the database."""

from backbench.domain.connections.webhooks import DisabledReason, StoredWebhook
from backbench.domain.values.errors import NotFound
from backbench.domain.values.numbers import to_json_text
from backbench.domain.values.times import Instant
from backbench.storage.connections.webhook_deliveries import MOST_WAITING
from backbench.storage.engine.database import Read, Write
from backbench.storage.engine.objects import Loaded
from backbench.storage.engine.rows import columns

_COLUMNS = columns(StoredWebhook)


async def add(db: Write, webhook: StoredWebhook) -> None:
    """It hears of what happens from now on."""
    await db.run(
        """
        INSERT INTO webhooks (id, workshop_id, url, events, description, secret, read_version, created_at,
            created_by)
        SELECT :id, :workshop_id, :url, :events, :description, :secret, c.version, :created_at, :created_by
        FROM workshop_counters c WHERE c.workshop_id = :workshop_id
        """,
        id=webhook.id,
        workshop_id=webhook.workshop_id,
        url=webhook.url,
        events=to_json_text(webhook.events),
        description=webhook.description,
        secret=webhook.secret,
        created_at=webhook.created_at,
        created_by=webhook.created_by,
    )


# The webhook of a path.
WEBHOOK = Loaded(StoredWebhook, "webhook", "webhooks w", key="webhook_id", of_owner=True)


async def find(db: Read, webhook_id: str) -> StoredWebhook:
    """Raises NotFound."""
    found = await db.one(StoredWebhook, f"SELECT {_COLUMNS} FROM webhooks WHERE id = :id", id=webhook_id)
    if found is None:
        raise NotFound
    return found


async def list_all(db: Read, workshop_id: str) -> list[StoredWebhook]:
    """Oldest first."""
    sql = f"SELECT {_COLUMNS} FROM webhooks WHERE workshop_id = :workshop_id ORDER BY id"
    return await db.all(StoredWebhook, sql, workshop_id=workshop_id)


async def save(db: Write, webhook: StoredWebhook) -> None:
    """Replaces what people change. A webhook that is enabled again hears of what happens from now on."""
    await db.run(
        """
        UPDATE webhooks SET url = :url, events = :events, description = :description, disabled_reason = :reason,
            failing_since = CASE WHEN :enabled = 1 AND enabled = 0 THEN NULL ELSE failing_since END,
            read_version = CASE WHEN :enabled = 1 AND enabled = 0 THEN (
                SELECT c.version FROM workshop_counters c WHERE c.workshop_id = webhooks.workshop_id
            ) ELSE read_version END,
            enabled = :enabled, created_by = :created_by
        WHERE id = :id
        """,
        id=webhook.id,
        url=webhook.url,
        events=to_json_text(webhook.events),
        description=webhook.description,
        enabled=int(webhook.enabled),
        reason=webhook.disabled_reason,
        created_by=webhook.created_by,
    )


async def save_replay(db: Write, webhook_id: str, version: int, uid: str) -> None:
    """It hears again of what came after the version. What an enabled one has not heard of yet is not left out.

    Enabled by the account `uid`, where it was not.
    """
    await db.run(
        """
        UPDATE webhooks SET enabled = 1, disabled_reason = NULL, failing_since = NULL,
            created_by = CASE WHEN enabled = 1 THEN created_by ELSE :uid END,
            read_version = CASE WHEN enabled = 1 AND read_version < :version THEN read_version ELSE :version END
        WHERE id = :id
        """,
        id=webhook_id,
        version=version,
        uid=uid,
    )


async def save_disabled(db: Write, webhook_id: str, reason: DisabledReason) -> bool:
    """False where it is disabled already."""
    sql = "UPDATE webhooks SET enabled = 0, disabled_reason = :reason WHERE id = :id AND enabled = 1"
    return await db.run(sql, id=webhook_id, reason=reason) > 0


async def disable_of_maker(db: Write, uid: str, workshop_id: str | None) -> list[StoredWebhook]:
    """Disables those for which the account answers, in one workshop or in all, and returns them."""
    sql = f"""
        UPDATE webhooks SET enabled = 0, disabled_reason = 'owner_left'
        WHERE created_by = :uid AND enabled = 1 AND workshop_id = coalesce(:workshop_id, workshop_id)
        RETURNING {_COLUMNS}
    """
    found = await db.all(StoredWebhook, sql, uid=uid, workshop_id=workshop_id)
    return sorted(found, key=lambda each: each.id)


async def add_missing_makers(db: Write, most: int) -> int:
    """Looks up who made the webhooks of a version before. Returns how many were looked up."""
    sql = """
        UPDATE webhooks SET created_by = coalesce((
            SELECT max(e.actor_uid) FROM audit_entries e
            WHERE e.workshop_id = webhooks.workshop_id AND e.action = 'webhook.created' AND e.object_id = webhooks.id
        ), '') WHERE id IN (SELECT id FROM webhooks WHERE created_by IS NULL ORDER BY id LIMIT :most)
    """
    return await db.run(sql, most=most)


async def save_failing(db: Write, webhook_id: str, since: Instant | None) -> None:
    """Of the first failure after a success; None after a success."""
    sql = "UPDATE webhooks SET failing_since = :since WHERE id = :id AND (failing_since IS NULL OR :is_over = 1)"
    await db.run(sql, id=webhook_id, since=since, is_over=int(since is None))


async def delete(db: Write, webhook_id: str) -> None:
    await db.run("DELETE FROM webhooks WHERE id = :id", id=webhook_id)


async def list_behind(db: Read, limit: int) -> list[str]:
    """The ids of some whose workshop's log goes on after what they have heard of; by chance, so that each comes soon.

    Not of those for which as many deliveries wait as may.
    """
    sql = """
        SELECT w.id FROM webhooks w JOIN workshop_counters c ON c.workshop_id = w.workshop_id
        WHERE w.enabled = 1 AND w.read_version < c.version AND (
            SELECT count(*) FROM webhook_deliveries d WHERE d.webhook_id = w.id AND d.status = 'pending'
        ) < :most ORDER BY random() LIMIT :limit
    """
    return await db.all(str, sql, limit=limit, most=MOST_WAITING)


async def save_read(db: Write, webhook: StoredWebhook, version: int) -> bool:
    """False where another worker has gone on meanwhile."""
    sql = "UPDATE webhooks SET read_version = :version WHERE id = :id AND read_version = :before"
    return await db.run(sql, id=webhook.id, version=version, before=webhook.read_version) > 0
