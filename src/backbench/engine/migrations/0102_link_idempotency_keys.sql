-- Usable from 23.
-- Stored responses of requests that clients sent with a link, as those of accounts in `idempotency_keys`: they belong to the
-- workshop, so that they stay when its owners change. Those that are stored until now, with the first owner, are copied.
CREATE TABLE link_idempotency_keys (
    workshop_id TEXT NOT NULL REFERENCES workshops (id) ON DELETE CASCADE,
    request TEXT NOT NULL,
    key_hash TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    status BIGINT,
    body TEXT,
    ends_at TEXT NOT NULL,
    PRIMARY KEY (workshop_id, request, key_hash)
);
CREATE INDEX link_idempotency_keys_ends ON link_idempotency_keys (ends_at);
INSERT INTO link_idempotency_keys (workshop_id, request, key_hash, fingerprint, status, body, ends_at)
SELECT coalesce(l.workshop_id, d.workshop_id), k.request, k.key_hash, k.fingerprint, k.status, k.body, k.ends_at
FROM idempotency_keys k
LEFT JOIN links l ON l.id = substr(k.request, length(k.request) - 35)
LEFT JOIN order_details d ON d.order_id = substr(k.request, length(k.request) - 35)
WHERE k.status IS NOT NULL AND k.request LIKE '% by %link %' AND coalesce(l.workshop_id, d.workshop_id) IS NOT NULL
ON CONFLICT DO NOTHING;
CREATE TABLE link_counters (
    workshop_id TEXT NOT NULL PRIMARY KEY REFERENCES workshops (id) ON DELETE CASCADE,
    stored_bytes BIGINT NOT NULL
);
INSERT INTO link_counters (workshop_id, stored_bytes)
SELECT workshop_id, sum(300 + octet_length(coalesce(body, ''))) FROM link_idempotency_keys GROUP BY workshop_id;
