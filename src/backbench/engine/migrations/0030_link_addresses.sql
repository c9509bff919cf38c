-- Usable from 23.
-- Each address of a link has a token. kind: `shown` to a member, `printed` on the PDF, or `mailed`; NULL for those made
-- before the kind was stored. Whether one still works is judged by its maker and its key at each use.
ALTER TABLE link_tokens ADD COLUMN kind TEXT;
ALTER TABLE link_tokens ADD COLUMN made_by_uid TEXT;
ALTER TABLE link_tokens ADD COLUMN key_id TEXT;
ALTER TABLE link_tokens ADD COLUMN mailed_to TEXT;
ALTER TABLE link_tokens ADD COLUMN ended_at TEXT;
CREATE INDEX link_tokens_maker ON link_tokens (made_by_uid);

-- mailed_to: where the link was mailed last; receipt_email stays the address of the revision's recipient.
-- own_expiry: 1 where expires_at was given, and does not follow the validity of the revision.
ALTER TABLE links ADD COLUMN mailed_to TEXT;
ALTER TABLE links ADD COLUMN own_expiry BIGINT NOT NULL DEFAULT 0;

-- What the evidence of a decision has besides. link_address: JSON of the address that was used. The names are those of
-- that moment. superseded_by: the decision about a newer revision that took the place of a decline.
ALTER TABLE decisions ADD COLUMN link_address TEXT;
ALTER TABLE decisions ADD COLUMN signed_in_uid TEXT;
ALTER TABLE decisions ADD COLUMN pdf_export_id TEXT;
ALTER TABLE decisions ADD COLUMN receipt_email TEXT;
ALTER TABLE decisions ADD COLUMN recorded_by_name TEXT;
ALTER TABLE decisions ADD COLUMN voided_by_name TEXT;
ALTER TABLE decisions ADD COLUMN superseded_by TEXT;
CREATE INDEX decisions_pdf_export ON decisions (pdf_export_id);

-- Decisions of estimates that were deleted since: their evidence stays while the workshop does.
CREATE TABLE kept_decisions (
    workshop_id TEXT NOT NULL REFERENCES workshops (id) ON DELETE CASCADE,
    estimate_id TEXT NOT NULL,
    recorded_at TEXT NOT NULL,
    id TEXT NOT NULL UNIQUE,
    link_id TEXT,
    revision_number BIGINT NOT NULL,
    outcome TEXT NOT NULL,
    method TEXT NOT NULL,
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
    link_address TEXT,
    signed_in_uid TEXT,
    pdf_export_id TEXT,
    receipt_email TEXT,
    recorded_by_name TEXT,
    voided_by_name TEXT,
    superseded_by TEXT,
    PRIMARY KEY (workshop_id, recorded_at, id)
);
