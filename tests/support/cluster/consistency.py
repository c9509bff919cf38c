"""Checks of a database after a failover: no acknowledged write is missing, and its own rules hold."""

from typing import Protocol

import msgspec

from tests.support.cluster.load import Journal


class Server(Protocol):
    def run(self, sql: str, database: str = "postgres") -> str:
        """The unaligned output of psql."""


# Each returns rows only where its rule is broken.
_RULES = {
    "versions of a workshop are 1, 2, 3 … and the counter is the last one": """
        SELECT v.workshop_id, v.version, count(*), min(a.version), max(a.version) FROM workshop_counters v
        JOIN audit_entries a ON a.workshop_id = v.workshop_id GROUP BY v.workshop_id, v.version
        HAVING count(*) <> v.version OR min(a.version) <> 1 OR max(a.version) <> v.version""",
    "the counter names the last entry": """
        SELECT v.workshop_id FROM workshop_counters v JOIN audit_entries a
        ON a.workshop_id = v.workshop_id AND a.version = v.version WHERE a.id <> v.last_entry_id""",
    "each order was created once, and each move has its entry": """
        SELECT o.id FROM orders o LEFT JOIN audit_entries a ON a.workshop_id = o.workshop_id AND a.object_id = o.id
        GROUP BY o.id, o.status_history HAVING count(*) FILTER (WHERE a.action = 'order.created') <> 1
        OR count(*) FILTER (WHERE a.action = 'order.moved') <> json_array_length(o.status_history::json) - 1""",
    "each revision has its entry": """
        SELECT e.id FROM estimates e WHERE (SELECT count(*) FROM revisions r WHERE r.estimate_id = e.id)
        <> (SELECT count(*) FROM audit_entries a WHERE a.object_id = e.id AND a.action = 'estimate.confirmed')""",
    "revisions are numbered 1, 2, 3 …": """
        SELECT estimate_id FROM revisions GROUP BY estimate_id
        HAVING count(*) <> max(revision_number) OR min(revision_number) <> 1""",
    "an idempotency key has created one order": """
        SELECT customer_name FROM orders WHERE customer_name <> ''
        GROUP BY workshop_id, customer_name HAVING count(*) > 1""",
    "an order is where its history says": """
        SELECT id FROM orders WHERE status <> status_history::json->-1->>'status'
        OR last_activity_at <> status_history::json->-1->>'at'""",
    "stored responses are complete": """
        SELECT key_hash FROM idempotency_keys WHERE status IS NULL OR body IS NULL
        UNION ALL SELECT key_hash FROM link_idempotency_keys WHERE status IS NULL OR body IS NULL""",
    "stored responses are counted": """
        SELECT c.account_id FROM account_counters c JOIN idempotency_keys k ON k.account_id = c.account_id
        GROUP BY c.account_id, c.stored_bytes HAVING c.stored_bytes <> sum(300 + octet_length(k.body))
        UNION ALL SELECT c.workshop_id FROM link_counters c JOIN link_idempotency_keys k USING (workshop_id)
        GROUP BY c.workshop_id, c.stored_bytes HAVING c.stored_bytes <> sum(300 + octet_length(k.body))""",
}
_ORDERS = """
    SELECT coalesce(json_agg(json_build_object('id', id, 'title', title, 'key', customer_name, 'moves',
        (SELECT json_agg(entry->>'status') FROM json_array_elements(status_history::json) entry))), '[]')
    FROM orders WHERE customer_name LIKE '{name} %'"""
_REVISIONS = "SELECT count(*) FROM revisions"


class FoundOrder(msgspec.Struct):
    id: str
    title: str
    key: str
    # The first one is that of the creation.
    moves: list[str]


def check_rules(server: Server, database: str) -> None:
    sql = " UNION ALL ".join(f"SELECT '{rule}: ' || broken::text FROM ({rows}) broken" for rule, rows in _RULES.items())
    assert server.run(sql, database) == ""


def revision_count(server: Server, database: str) -> int:
    return int(server.run(_REVISIONS, database))


def lost_writes(journal: Journal, server: Server, database: str) -> list[str]:
    """The acknowledged writes that are not in the database. Fails for writes that were never sent, or made twice."""
    listed = server.run(_ORDERS.replace("{name}", journal.name), database)
    found = {each.id: each for each in msgspec.json.decode(listed, type=list[FoundOrder])}
    lost: list[str] = []
    for order_id, expected in journal.orders.items():
        order = found.pop(order_id, None)
        if order is None:
            lost.append(f"order {expected.title} with {len(expected.moves)} moves")
            continue
        if order.title not in (expected.title, expected.title_in_doubt):
            lost.append(f"title {expected.title}: found {order.title}")
        moves = order.moves[1:]
        if moves not in (expected.moves, [*expected.moves, expected.move_in_doubt]):
            assert moves == expected.moves[: len(moves)], f"{expected}: moved as {moves}"
            lost.append(f"{len(expected.moves) - len(moves)} moves of order {expected.title}")
    assert {order.key for order in found.values()} <= journal.unknown_orders
    revisions = revision_count(server, database)
    assert revisions <= journal.confirmed + journal.unknown_confirmations
    lost += ["a revision"] * (journal.confirmed - revisions)
    return lost
