-- Links with which a client sees one revision without an account. document: the canonical JSON of what is shown,
-- document_hash its SHA-256. They never change; neither does the PDF that was drawn for the link.
CREATE TABLE links (
    workshop_id TEXT NOT NULL REFERENCES workshops (id) ON DELETE CASCADE,
    estimate_id TEXT NOT NULL REFERENCES estimates (id) ON DELETE CASCADE,
    created_at TEXT NOT NULL,
    id TEXT NOT NULL UNIQUE,
    created_by_uid TEXT NOT NULL,
    revision_number BIGINT NOT NULL,
    locale TEXT NOT NULL CHECK (locale IN ('pl', 'en')),
    toggles TEXT NOT NULL,
    can_decide BIGINT NOT NULL CHECK (can_decide IN (0, 1)),
    expires_at TEXT,
    revoked_at TEXT,
    pdf_export_id TEXT REFERENCES pdf_exports (id) ON DELETE SET NULL,
    pdf_hash TEXT NOT NULL,
    document TEXT NOT NULL,
    document_hash TEXT NOT NULL,
    receipt_email TEXT,
    openings BIGINT NOT NULL DEFAULT 0,
    first_opened_at TEXT,
    last_opened_at TEXT,
    PRIMARY KEY (workshop_id, estimate_id, created_at, id)
);
CREATE INDEX links_estimate ON links (estimate_id, revision_number);
CREATE INDEX links_pdf_export ON links (pdf_export_id);

-- A link has a token for the member who created it, and another one for each email.
CREATE TABLE link_tokens (
    token_hash TEXT NOT NULL PRIMARY KEY,
    link_id TEXT NOT NULL REFERENCES links (id) ON DELETE CASCADE,
    created_at TEXT NOT NULL
);
CREATE INDEX link_tokens_link ON link_tokens (link_id, created_at);

-- Decisions with their evidence, which stays when a decision is voided. openings, signature and consent are JSON.
CREATE TABLE decisions (
    workshop_id TEXT NOT NULL REFERENCES workshops (id) ON DELETE CASCADE,
    estimate_id TEXT NOT NULL REFERENCES estimates (id) ON DELETE CASCADE,
    recorded_at TEXT NOT NULL,
    id TEXT NOT NULL UNIQUE,
    link_id TEXT REFERENCES links (id) ON DELETE CASCADE,
    revision_number BIGINT NOT NULL,
    outcome TEXT NOT NULL CHECK (outcome IN ('accepted', 'declined')),
    method TEXT NOT NULL CHECK (method IN ('link', 'in_person', 'phone', 'email', 'message')),
    name TEXT,
    reason TEXT,
    decided_at TEXT NOT NULL,
    recorded_by_uid TEXT,
    locale TEXT NOT NULL,
    document TEXT NOT NULL,
    document_hash TEXT NOT NULL,
    pdf_hash TEXT,
    signature TEXT,
    consent TEXT,
    address TEXT,
    user_agent TEXT,
    openings TEXT,
    voided_at TEXT,
    voided_by_uid TEXT,
    void_reason TEXT,
    PRIMARY KEY (workshop_id, estimate_id, recorded_at, id)
);
-- At most one decision of an estimate stands.
CREATE UNIQUE INDEX decisions_standing ON decisions (estimate_id) WHERE voided_at IS NULL;
CREATE INDEX decisions_estimate ON decisions (estimate_id, recorded_at);
CREATE INDEX decisions_link ON decisions (link_id);

CREATE TABLE link_comments (
    workshop_id TEXT NOT NULL REFERENCES workshops (id) ON DELETE CASCADE,
    estimate_id TEXT NOT NULL REFERENCES estimates (id) ON DELETE CASCADE,
    created_at TEXT NOT NULL,
    id TEXT NOT NULL UNIQUE,
    link_id TEXT NOT NULL REFERENCES links (id) ON DELETE CASCADE,
    author TEXT NOT NULL CHECK (author IN ('client', 'workshop')),
    author_uid TEXT,
    name TEXT NOT NULL,
    text TEXT NOT NULL,
    PRIMARY KEY (workshop_id, estimate_id, created_at, id)
);
CREATE INDEX link_comments_link ON link_comments (link_id, created_at);
CREATE INDEX link_comments_estimate ON link_comments (estimate_id, created_at);

-- They count as data of the workshop (docs/decisions/data-quota.md).
CREATE TRIGGER links_data_added AFTER INSERT ON links BEGIN
    UPDATE workshop_counters SET data_bytes = data_bytes + 1000 + octet_length(NEW.document)
    WHERE workshop_id = NEW.workshop_id;
END;
CREATE TRIGGER links_data_deleted AFTER DELETE ON links BEGIN
    UPDATE workshop_counters SET data_bytes = data_bytes - (1000 + octet_length(OLD.document))
    WHERE workshop_id = OLD.workshop_id;
END;
CREATE TRIGGER decisions_data_added AFTER INSERT ON decisions BEGIN
    UPDATE workshop_counters SET data_bytes = data_bytes + 1000 + octet_length(NEW.document)
        + octet_length(coalesce(NEW.signature, '')) + octet_length(coalesce(NEW.name, ''))
        + octet_length(coalesce(NEW.reason, '')) + octet_length(coalesce(NEW.void_reason, ''))
    WHERE workshop_id = NEW.workshop_id;
END;
CREATE TRIGGER decisions_data_changed AFTER UPDATE OF void_reason ON decisions BEGIN
    UPDATE workshop_counters SET data_bytes = data_bytes + octet_length(coalesce(NEW.void_reason, ''))
        - octet_length(coalesce(OLD.void_reason, ''))
    WHERE workshop_id = NEW.workshop_id;
END;
CREATE TRIGGER decisions_data_deleted AFTER DELETE ON decisions BEGIN
    UPDATE workshop_counters SET data_bytes = data_bytes - (1000 + octet_length(OLD.document)
        + octet_length(coalesce(OLD.signature, '')) + octet_length(coalesce(OLD.name, ''))
        + octet_length(coalesce(OLD.reason, '')) + octet_length(coalesce(OLD.void_reason, '')))
    WHERE workshop_id = OLD.workshop_id;
END;
CREATE TRIGGER link_comments_data_added AFTER INSERT ON link_comments BEGIN
    UPDATE workshop_counters SET data_bytes = data_bytes + 500 + octet_length(NEW.name) + octet_length(NEW.text)
    WHERE workshop_id = NEW.workshop_id;
END;
CREATE TRIGGER link_comments_data_deleted AFTER DELETE ON link_comments BEGIN
    UPDATE workshop_counters SET data_bytes = data_bytes - (500 + octet_length(OLD.name) + octet_length(OLD.text))
    WHERE workshop_id = OLD.workshop_id;
END;
