-- What documents show: the facts of an estimate, and of a revision the facts, letterhead, settings and dates as they were when
-- it was confirmed. series_number is the estimate's number in the series of the workshop, number the one that is shown.
ALTER TABLE estimates ADD COLUMN facts TEXT;
ALTER TABLE estimates ADD COLUMN series_number TEXT;
ALTER TABLE estimates ADD COLUMN number TEXT;
ALTER TABLE revisions ADD COLUMN facts TEXT;
ALTER TABLE revisions ADD COLUMN snapshot TEXT;
ALTER TABLE revisions ADD COLUMN logo_file_id TEXT;
CREATE INDEX revisions_logo ON revisions (logo_file_id) WHERE logo_file_id IS NOT NULL;
-- Set for an image that a member deleted, and that revisions still show as logo.
ALTER TABLE files ADD COLUMN deleted_at TEXT;

-- The latest number of each year.
CREATE TABLE document_series (
    workshop_id TEXT NOT NULL REFERENCES workshops (id) ON DELETE CASCADE,
    year BIGINT NOT NULL,
    latest BIGINT NOT NULL,
    PRIMARY KEY (workshop_id, year)
);

-- The settings are JSON that begins with the currency.
UPDATE workshops SET document_settings = '{"timeZone":"' || coalesce((
    SELECT CASE a.locale WHEN 'pl' THEN 'Europe/Warsaw' ELSE 'Europe/Dublin' END
    FROM members m JOIN accounts a ON a.id = m.account_id
    WHERE m.workshop_id = workshops.id AND m.role = 'owner' ORDER BY m.joined_at, a.id LIMIT 1
), 'Europe/Dublin') || '",' || substr(document_settings, 2);

-- Revisions from before get the letterhead and settings of this moment, and the dates that their documents showed: in UTC.
UPDATE revisions SET snapshot = (
    SELECT json_build_object(
        'name', w.name, 'logo', w.logo, 'tagline', w.tagline, 'crafterName', w.crafter_name,
        'titleFont', w.title_font, 'accentColor', w.accent_color, 'settings', w.document_settings::json,
        'issuedOn', substr(revisions.created_at, 1, 10),
        'validUntil', CASE WHEN coalesce((w.document_settings::json ->> 'validDays')::int, 30) > 0 THEN
            substr(revisions.created_at, 1, 10)::date + coalesce((w.document_settings::json ->> 'validDays')::int, 30) END
    )::text FROM workshops w WHERE w.id = revisions.workshop_id
);

CREATE OR REPLACE FUNCTION data_bytes(entry estimates) RETURNS BIGINT LANGUAGE sql IMMUTABLE AS $$
    SELECT (500 + octet_length(entry.name) + octet_length(entry.line_items)
        + octet_length(coalesce(entry.recipient_name, '')) + octet_length(coalesce(entry.facts, '')))::bigint
$$;
CREATE OR REPLACE FUNCTION data_bytes(entry revisions) RETURNS BIGINT LANGUAGE sql IMMUTABLE AS $$
    SELECT (500 + octet_length(entry.name) + octet_length(entry.line_items)
        + octet_length(coalesce(entry.recipient_name, '')) + octet_length(coalesce(entry.terms, ''))
        + octet_length(coalesce(entry.facts, '')) + octet_length(coalesce(entry.snapshot, '')))::bigint
$$;
UPDATE workshop_counters SET data_bytes = data_bytes + (
    SELECT coalesce(sum(octet_length(snapshot)), 0) FROM revisions r WHERE r.workshop_id = workshop_counters.workshop_id
);
