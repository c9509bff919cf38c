-- Usable from 23.
-- The data of a workshop is counted by the write that takes the version, and not by triggers
-- (docs/decisions/data-quota.md). counted_version is the version at which the rows were summed up last; the
-- sweep sums them up again where the version has moved since, and so also what nodes of the release before do not count.
-- They call add_audit_entry and add_audit_entry_within, which the next release drops, with what the triggers called.
ALTER TABLE workshop_counters ADD COLUMN counted_version BIGINT NOT NULL DEFAULT -1;

DROP TRIGGER orders_data ON orders;
DROP TRIGGER orders_data_added ON orders;
DROP TRIGGER estimates_data ON estimates;
DROP TRIGGER estimates_data_added ON estimates;
DROP TRIGGER revisions_data ON revisions;
DROP TRIGGER revisions_data_added ON revisions;
DROP TRIGGER handoffs_data ON handoffs;
DROP TRIGGER handoffs_data_added ON handoffs;
DROP TRIGGER grids_data ON grids;
DROP TRIGGER grids_data_added ON grids;
DROP TRIGGER links_data ON links;
DROP TRIGGER links_data_added ON links;
DROP TRIGGER decisions_data ON decisions;
DROP TRIGGER decisions_data_added ON decisions;
DROP TRIGGER link_comments_data ON link_comments;
DROP TRIGGER link_comments_data_added ON link_comments;
DROP TRIGGER idempotency_keys_stored ON idempotency_keys;
DROP TRIGGER idempotency_keys_added ON idempotency_keys;
DROP TRIGGER idempotency_keys_deleted ON idempotency_keys;
