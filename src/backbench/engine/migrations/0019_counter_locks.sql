-- SQLite has one writer at a time, so there is nothing to change: see the file for PostgreSQL.
SELECT 1;
