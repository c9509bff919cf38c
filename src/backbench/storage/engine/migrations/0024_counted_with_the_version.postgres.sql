-- Usable from 23.
-- The data of a workshop is counted by the write that takes the version, and not by triggers
-- (docs/decisions/counted-with-the-version.md). counted_version is the version at which the rows were summed up last; the
-- sweep sums them up again where the version has moved since, and so also what nodes of the release before do not count.
-- They call add_audit_entry and add_audit_entry_within, which the next release drops.
SET CONSTRAINTS ALL IMMEDIATE;
ALTER TABLE workshop_counters ADD COLUMN counted_version BIGINT NOT NULL DEFAULT -1;

DROP FUNCTION count_data() CASCADE;
DROP FUNCTION add_uncounted() CASCADE;
DROP FUNCTION count_stored_response() CASCADE;
DROP FUNCTION subtract_stored_responses() CASCADE;
DROP FUNCTION data_bytes(orders);
DROP FUNCTION data_bytes(estimates);
DROP FUNCTION data_bytes(revisions);
DROP FUNCTION data_bytes(handoffs);
DROP FUNCTION data_bytes(grids);
DROP FUNCTION data_bytes(links);
DROP FUNCTION data_bytes(decisions);
DROP FUNCTION data_bytes(link_comments);
