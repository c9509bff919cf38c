-- Usable from 23.
-- Files of tiles, customers and orders. The table that was read from a file is a blob with the id of the import, which is
-- reserved for a day and never recorded: the sweep deletes it. Lists and mappings are JSON. The entries of the log that
-- an import added have the versions from `first_version` to `last_version`: by them it is undone.
CREATE TABLE imports (
    id TEXT NOT NULL PRIMARY KEY,
    workshop_id TEXT NOT NULL REFERENCES workshops (id) ON DELETE CASCADE,
    kind TEXT NOT NULL CHECK (kind IN ('tiles', 'customers', 'orders')),
    file_name TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('proposed', 'done', 'undone')),
    created_at TEXT NOT NULL,
    created_by_uid TEXT NOT NULL,
    headings TEXT NOT NULL,
    mapping TEXT NOT NULL,
    row_count BIGINT NOT NULL,
    sample TEXT NOT NULL,
    errors TEXT NOT NULL,
    rows_with_errors BIGINT NOT NULL,
    result TEXT,
    run_at TEXT,
    undone_at TEXT,
    first_version BIGINT,
    last_version BIGINT
);
CREATE INDEX imports_workshop ON imports (workshop_id, created_at, id);
CREATE INDEX imports_created ON imports (created_at);

-- How the files of a workshop are mapped, by the set of their headings. `headings` is JSON: the heading of each field.
CREATE TABLE import_mappings (
    workshop_id TEXT NOT NULL REFERENCES workshops (id) ON DELETE CASCADE,
    kind TEXT NOT NULL,
    signature TEXT NOT NULL,
    headings TEXT NOT NULL,
    used_at TEXT NOT NULL,
    PRIMARY KEY (workshop_id, kind, signature)
);
