-- Files are deleted explicitly before their estimate or workshop, never by cascade: their blobs must be recorded in
-- stray_bytes.
DROP TABLE pdf_exports;
DROP TABLE files;

CREATE TABLE files (
    workshop_id TEXT NOT NULL REFERENCES workshops (id),
    created_at TEXT NOT NULL,
    id TEXT NOT NULL UNIQUE,
    category TEXT NOT NULL CHECK (category IN ('grid_tile_icon', 'estimate_pdf')),
    content_type TEXT NOT NULL,
    size_bytes BIGINT NOT NULL CHECK (size_bytes > 0),
    uploaded_by_uid TEXT NOT NULL,
    name TEXT,
    -- Set for files made from an estimate: their scope is the estimate, that of all others the workshop.
    estimate_id TEXT REFERENCES estimates (id),
    PRIMARY KEY (workshop_id, created_at, id)
);
CREATE INDEX files_estimate ON files (estimate_id);

-- A generated PDF is a file with the same id, and is deleted with it.
CREATE TABLE pdf_exports (
    workshop_id TEXT NOT NULL REFERENCES workshops (id) ON DELETE CASCADE,
    estimate_id TEXT NOT NULL REFERENCES estimates (id) ON DELETE CASCADE,
    generated_at TEXT NOT NULL,
    id TEXT NOT NULL UNIQUE REFERENCES files (id) ON DELETE CASCADE,
    revision_number BIGINT NOT NULL,
    toggles TEXT NOT NULL,
    created_by_uid TEXT NOT NULL,
    locale TEXT CHECK (locale IN ('pl', 'en')),
    preliminary BIGINT CHECK (preliminary IN (0, 1)),
    PRIMARY KEY (workshop_id, estimate_id, generated_at, id)
);
CREATE INDEX pdf_exports_estimate ON pdf_exports (estimate_id, generated_at);

-- Orphaned blobs: to be deleted once due_at has passed. Those of deleted files, and those of uploads (is_upload) until
-- their file is recorded, so that blobs without a record that a crash leaves are found here, too.
CREATE TABLE stray_bytes (
    id TEXT NOT NULL PRIMARY KEY,
    is_upload BIGINT NOT NULL CHECK (is_upload IN (0, 1)),
    due_at TEXT NOT NULL
);
CREATE INDEX stray_bytes_due ON stray_bytes (due_at);

-- One row for each label and unit that an estimate uses, in the order in which they are counted.
CREATE TABLE line_uses (
    workshop_id TEXT NOT NULL REFERENCES workshops (id) ON DELETE CASCADE,
    label TEXT NOT NULL,
    unit TEXT NOT NULL,
    used_at TEXT NOT NULL,
    estimate_id TEXT NOT NULL REFERENCES estimates (id) ON DELETE CASCADE,
    unit_price TEXT NOT NULL,
    PRIMARY KEY (workshop_id, label, unit, used_at, estimate_id)
);
CREATE INDEX line_uses_estimate ON line_uses (estimate_id);

-- The currency and the tax of the revision when it was confirmed; later settings do not change its sums.
ALTER TABLE revisions ADD COLUMN terms TEXT;
