-- SQLite changes the row of the counters in place, so there is nothing to change: see the file for PostgreSQL.
SELECT 1;
