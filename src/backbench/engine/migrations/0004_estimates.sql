-- line_items: the list as JSON text. It is read and replaced as a whole, never queried by item.
CREATE TABLE estimates (
    workshop_id TEXT NOT NULL REFERENCES workshops (id) ON DELETE CASCADE,
    created_at TEXT NOT NULL,
    id TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    recipient_name TEXT,
    markup_percent TEXT NOT NULL,
    discount_percent TEXT NOT NULL,
    line_items TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    latest_revision BIGINT NOT NULL DEFAULT 0,
    PRIMARY KEY (workshop_id, created_at, id)
);

-- Snapshots: inserted once, never updated.
CREATE TABLE revisions (
    workshop_id TEXT NOT NULL REFERENCES workshops (id) ON DELETE CASCADE,
    estimate_id TEXT NOT NULL REFERENCES estimates (id) ON DELETE CASCADE,
    revision_number BIGINT NOT NULL CHECK (revision_number >= 1),
    id TEXT NOT NULL UNIQUE,
    created_at TEXT NOT NULL,
    created_by_uid TEXT NOT NULL,
    name TEXT NOT NULL,
    recipient_name TEXT,
    markup_percent TEXT NOT NULL,
    discount_percent TEXT NOT NULL,
    line_items TEXT NOT NULL,
    PRIMARY KEY (workshop_id, estimate_id, revision_number)
);
CREATE INDEX revisions_estimate ON revisions (estimate_id, revision_number);

CREATE TABLE files (
    workshop_id TEXT NOT NULL REFERENCES workshops (id) ON DELETE CASCADE,
    created_at TEXT NOT NULL,
    id TEXT NOT NULL UNIQUE,
    category TEXT NOT NULL CHECK (category IN ('grid_tile_icon', 'estimate_pdf')),
    scope TEXT NOT NULL CHECK (scope IN ('estimate', 'workshop')),
    scope_id TEXT NOT NULL,
    content_type TEXT NOT NULL,
    size_bytes BIGINT NOT NULL,
    uploaded_by_uid TEXT NOT NULL,
    name TEXT,
    estimate_id TEXT,
    PRIMARY KEY (workshop_id, created_at, id)
);

CREATE TABLE pdf_exports (
    workshop_id TEXT NOT NULL REFERENCES workshops (id) ON DELETE CASCADE,
    estimate_id TEXT NOT NULL REFERENCES estimates (id) ON DELETE CASCADE,
    generated_at TEXT NOT NULL,
    id TEXT NOT NULL UNIQUE,
    revision_number BIGINT NOT NULL,
    toggles TEXT NOT NULL,
    created_by_uid TEXT NOT NULL,
    locale TEXT CHECK (locale IN ('pl', 'en')),
    preliminary BIGINT CHECK (preliminary IN (0, 1)),
    file_id TEXT NOT NULL,
    PRIMARY KEY (workshop_id, estimate_id, generated_at, id)
);
CREATE INDEX pdf_exports_estimate ON pdf_exports (estimate_id, generated_at);

CREATE TABLE handoffs (
    workshop_id TEXT NOT NULL REFERENCES workshops (id) ON DELETE CASCADE,
    estimate_id TEXT NOT NULL REFERENCES estimates (id) ON DELETE CASCADE,
    created_at TEXT NOT NULL,
    id TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    locale TEXT NOT NULL,
    preliminary BIGINT NOT NULL CHECK (preliminary IN (0, 1)),
    tone TEXT NOT NULL,
    ai_drafted BIGINT NOT NULL CHECK (ai_drafted IN (0, 1)),
    revision_number BIGINT NOT NULL,
    created_by_uid TEXT NOT NULL,
    pdf_export_id TEXT,
    PRIMARY KEY (workshop_id, estimate_id, created_at, id)
);
CREATE INDEX handoffs_estimate ON handoffs (estimate_id, created_at);

CREATE TABLE grids (
    workshop_id TEXT NOT NULL REFERENCES workshops (id) ON DELETE CASCADE,
    created_at TEXT NOT NULL,
    id TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    icon_size TEXT NOT NULL CHECK (icon_size IN ('small', 'medium', 'large')),
    buttons TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    PRIMARY KEY (workshop_id, created_at, id)
);
