"""Stored responses of Idempotency-Keys: a request that is sent again changes nothing twice."""

import asyncio
import hashlib
import re
from collections.abc import Callable, Sequence, Set

from msgspec import Struct, structs

from backbench.engine.database import Read, Value, Write
from backbench.values.errors import Conflict
from backbench.values.numbers import to_json_text
from backbench.values.times import Instant, later

MAX_KEY_LENGTH = 255
# How long a response is stored unless the settings say otherwise.
STORED_SECONDS = 14 * 86_400


class Store(Struct, frozen=True):
    """The table of stored responses, its column of whom they belong to, and the table that counts their bytes."""

    table: str
    owner: str
    counters: str
    # Of an error: whose responses are too many.
    whose: str

    @property
    def columns(self) -> str:
        """Of the primary key."""
        return f"{self.owner}, request, key_hash"

    @property
    def is_key(self) -> str:
        return f"{self.owner} = :owner_id AND request = :request AND key_hash = :key_hash"

    @property
    def is_claimed(self) -> str:
        return f"{self.is_key} AND status IS NULL AND body = :token"


OF_ACCOUNTS = Store("idempotency_keys", "account_id", "account_counters", "your account")
# What clients sent with links belongs to the workshop, which stays when its owners change.
OF_LINKS = Store("link_idempotency_keys", "workshop_id", "link_counters", "the links of this workshop")
STORES = (OF_ACCOUNTS, OF_LINKS)


class IdempotentRequest(Struct, frozen=True):
    """A request with an Idempotency-Key: whose it is, the method and path, and the key's hash.

    `token` is new for every request: it tells the request that has claimed the key from its repetitions.
    """

    store: Store
    owner_id: str
    request: str
    key_hash: str
    token: str
    fingerprint: str
    ends_at: Instant


class StoredResponse(Struct, frozen=True):
    """The stored response. `status` is None while the first request is in progress."""

    fingerprint: str
    status: int | None
    body: str | None


def fingerprint(body: bytes) -> str:
    return hashlib.sha256(body).hexdigest()


# Statements


# Responses stored for an account, or for the links of a workshop: a few hundred thousand orders, or a thousand of the
# largest estimates.
MAX_STORED_BYTES = 256 * 1024 * 1024
# What a key counts besides the body of its response.
_KEY_BYTES = 300
# The ids in a request and in its response.
_ID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_RESPONSES_AT_ONCE = 200
# How long a request may take that began before responses were read, and whose own is stored afterwards.
_LONGEST_REQUEST_SECONDS = 3600
_ERASED_AT_ONCE = 500


async def claim(db: Write, request: IdempotentRequest, now: Instant) -> bool:
    """Claims the key. False when it is taken; waits until a concurrent transaction with the same key has ended.

    A key that is taken is written anew. Otherwise PostgreSQL would not wait for its standby at the commit, and a replay
    would acknowledge what only the primary has: after a commit whose wait for the standby was cancelled, for example.
    """
    store = request.store
    await db.run(f"DELETE FROM {store.table} WHERE {store.is_key} AND ends_at <= :now", **_key_of(request), now=now)
    claimed = await db.add_new(
        store.table,
        key=store.columns,
        **{store.owner: request.owner_id},
        request=request.request,
        key_hash=request.key_hash,
        fingerprint=request.fingerprint,
        body=request.token,
        ends_at=request.ends_at,
    )
    if not claimed:
        await db.run(f"UPDATE {store.table} SET ends_at = ends_at WHERE {store.is_key}", **_key_of(request))
    return claimed


async def lookup(db: Read, request: IdempotentRequest) -> StoredResponse | None:
    return await db.one(
        StoredResponse,
        f"""
        SELECT fingerprint, status, CASE WHEN status IS NOT NULL THEN body END AS body
        FROM {request.store.table} WHERE {request.store.is_key}
        """,
        **_key_of(request),
    )


async def is_stored(db: Read, request: IdempotentRequest, now: Instant) -> bool:
    """Whether the response is stored, and is not to be deleted by a claim."""
    store = request.store
    sql = f"SELECT 1 FROM {store.table} WHERE {store.is_key} AND status IS NOT NULL AND ends_at > :now"
    return await db.value(sql, **_key_of(request), now=now) is not None


async def renew(db: Write, request: IdempotentRequest, ends_at: Instant) -> bool:
    """Extends the claim. False when it is lost: expired and deleted, or claimed by a repetition since."""
    sql = f"UPDATE {request.store.table} SET ends_at = :ends_at WHERE {request.store.is_claimed}"
    return await db.run(sql, **_key_of(request), token=request.token, ends_at=ends_at) > 0


async def save_response(db: Write, request: IdempotentRequest, response: StoredResponse, ends_at: Instant) -> bool:
    """False when the claim has expired and a repetition has claimed the key since.

    An expired claim that nobody has taken over is as good as one that has not expired, also after it was deleted.
    Raises Conflict `plan_limit` where too much is stored for the account, or for the links of the workshop.
    """
    store = request.store
    saved = await db.run(
        f"""
        INSERT INTO {store.table} ({store.columns}, fingerprint, status, body, ends_at)
        VALUES (:owner_id, :request, :key_hash, :fingerprint, :status, :body, :ends_at)
        ON CONFLICT ({store.columns}) DO UPDATE
        SET fingerprint = excluded.fingerprint, status = excluded.status, body = excluded.body,
            ends_at = excluded.ends_at
        WHERE {store.table}.status IS NULL AND {store.table}.body = :token
        """,
        **_key_of(request),
        token=request.token,
        fingerprint=response.fingerprint,
        status=response.status,
        body=response.body,
        ends_at=ends_at,
    )
    if saved:
        await _count(db, store, request.owner_id, _KEY_BYTES + len((response.body or "").encode()))
    return saved > 0


async def _count(db: Write, store: Store, owner_id: str, added: int) -> None:
    """Raises Conflict `plan_limit` where too much was stored before."""
    stored: int = await db.value(
        f"""
        INSERT INTO {store.counters} ({store.owner}, stored_bytes) VALUES (:owner_id, :added)
        ON CONFLICT ({store.owner}) DO UPDATE SET stored_bytes = {store.counters}.stored_bytes + excluded.stored_bytes
        RETURNING stored_bytes
        """,
        owner_id=owner_id,
        added=added,
    )
    if stored - added > MAX_STORED_BYTES:
        raise Conflict(
            "plan_limit",
            f"Too many responses are stored for Idempotency-Keys of {store.whose}; send requests without one",
            limit=MAX_STORED_BYTES,
            current=stored - added,
        )


async def recount_stored(db: Write, least: int = MAX_STORED_BYTES // 2) -> None:
    """Corrects the counters of those with more than `least` bytes: what expired is still included in them."""
    for store in STORES:
        await db.run(
            f"""
            UPDATE {store.counters} SET stored_bytes = (
                SELECT CAST(coalesce(sum({_KEY_BYTES} + octet_length(coalesce(body, ''))), 0) AS BIGINT)
                FROM {store.table} k WHERE k.{store.owner} = {store.counters}.{store.owner} AND k.status IS NOT NULL
            )
            WHERE stored_bytes > :least
            """,
            least=least,
        )


async def release(db: Write, request: IdempotentRequest) -> None:
    """Deletes the claim of a request that failed."""
    sql = f"DELETE FROM {request.store.table} WHERE {request.store.is_claimed}"
    await db.run(sql, **_key_of(request), token=request.token)


async def delete_expired(db: Write, store: Store, now: Instant, limit: int) -> int:
    """Deletes at most `limit` keys, those that expired first. Returns how many."""
    return await db.run(
        f"""
        DELETE FROM {store.table} WHERE ({store.columns}) IN (
            SELECT {store.columns} FROM {store.table} WHERE ends_at <= :now ORDER BY ends_at LIMIT :limit
        )
        """,
        now=now,
        limit=limit,
    )


class StoredKey(Struct, frozen=True):
    owner_id: str
    request: str
    key_hash: str


class StoredKeys(Struct, frozen=True):
    """Keys of one store. `latest` is when the last one of all its stored responses ends."""

    store: Store
    keys: list[StoredKey]
    latest: Instant | None


class _Stored(Struct, frozen=True):
    owner_id: str
    request: str
    key_hash: str
    body: str


class PersonalData(Struct, frozen=True):
    """What is erased of a workshop: responses about these objects, and those that name a person."""

    workshop_id: str
    object_ids: Set[str]
    names_person: Callable[[str], bool]

    def is_in(self, stored: _Stored) -> bool:
        ids = {*_ID.findall(stored.request), *_ID.findall(stored.body), stored.owner_id}
        return bool(self.object_ids & ids) or (self.workshop_id in ids and self.names_person(stored.body))

    def select(self, stored: Sequence[_Stored]) -> list[StoredKey]:
        return [StoredKey(each.owner_id, each.request, each.key_hash) for each in stored if self.is_in(each)]


def _responses(store: Store) -> str:
    return f"""
        SELECT {store.owner} AS owner_id, request, key_hash, body FROM {store.table}
        WHERE status IS NOT NULL AND body IS NOT NULL
    """


async def find_personal(db: Read, personal: PersonalData) -> list[StoredKeys]:
    """The keys of the stored responses that are to be erased. Reads all of them: no transaction waits."""
    return [await _find_in(db, store, personal) for store in STORES]


async def _find_in(db: Read, store: Store, personal: PersonalData) -> StoredKeys:
    latest: Instant | None = await db.value(f"SELECT max(ends_at) FROM {store.table} WHERE status IS NOT NULL")
    sql = f"""
        {_responses(store)} AND ({store.columns}) > (:owner_id, :request, :key_hash)
        ORDER BY {store.columns} LIMIT :most
    """
    found: list[StoredKey] = []
    last = StoredKey("", "", "")
    while page := await db.all(_Stored, sql, most=_RESPONSES_AT_ONCE, **structs.asdict(last)):
        found += await asyncio.to_thread(personal.select, page)
        last = StoredKey(page[-1].owner_id, page[-1].request, page[-1].key_hash)
    return StoredKeys(store, found, latest)


async def erase_responses(db: Write, personal: PersonalData, found: Sequence[StoredKeys]) -> None:
    """Deletes the stored responses of these keys, and what is to be erased of those stored since they were found.

    Their keys stay, so that no repetition is executed: it gets a conflict, as for a response that held a secret.
    """
    for each in found:
        await _erase_in(db, personal, each)


async def _erase_in(db: Write, personal: PersonalData, found: StoredKeys) -> None:
    store = found.store
    # A response is stored for as long as those before it, so its end says when it was.
    since = later(found.latest, -_LONGEST_REQUEST_SECONDS) if found.latest else ""
    stored = await db.all(_Stored, f"{_responses(store)} AND ends_at >= :since", since=since)
    keys = {*found.keys, *personal.select(stored)}
    sent = db.catalog.rows_from_json(store.table, store.columns.split(", "))
    sql = f"UPDATE {store.table} SET body = NULL WHERE status IS NOT NULL AND ({store.columns}) IN ({sent})"
    rows = sorted(map(structs.astuple, keys))
    for start in range(0, len(rows), _ERASED_AT_ONCE):
        part = [dict(zip(store.columns.split(", "), row, strict=True)) for row in rows[start : start + _ERASED_AT_ONCE]]
        await db.run(sql, rows=to_json_text(part))


def _key_of(request: IdempotentRequest) -> dict[str, Value]:
    return {"owner_id": request.owner_id, "request": request.request, "key_hash": request.key_hash}
