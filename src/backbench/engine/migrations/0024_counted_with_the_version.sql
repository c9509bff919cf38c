-- Usable from 23.
-- The data of a workshop is counted by the write that takes the version, and not by triggers
-- (docs/decisions/data-quota.md). counted_version is the version at which the rows were summed up last; the
-- sweep sums them up again where the version has moved since, and so also what nodes of the release before do not count.
ALTER TABLE workshop_counters ADD COLUMN counted_version BIGINT NOT NULL DEFAULT -1;

DROP TRIGGER orders_data_added;
DROP TRIGGER orders_data_changed;
DROP TRIGGER orders_data_deleted;
DROP TRIGGER estimates_data_added;
DROP TRIGGER estimates_data_changed;
DROP TRIGGER estimates_data_deleted;
DROP TRIGGER revisions_data_added;
DROP TRIGGER revisions_data_deleted;
DROP TRIGGER handoffs_data_added;
DROP TRIGGER handoffs_data_deleted;
DROP TRIGGER grids_data_added;
DROP TRIGGER grids_data_changed;
DROP TRIGGER grids_data_deleted;
DROP TRIGGER links_data_added;
DROP TRIGGER links_data_deleted;
DROP TRIGGER decisions_data_added;
DROP TRIGGER decisions_data_changed;
DROP TRIGGER decisions_data_deleted;
DROP TRIGGER link_comments_data_added;
DROP TRIGGER link_comments_data_deleted;
DROP TRIGGER idempotency_keys_stored;
DROP TRIGGER idempotency_keys_added;
DROP TRIGGER idempotency_keys_deleted;
