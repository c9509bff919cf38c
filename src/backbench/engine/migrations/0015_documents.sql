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
DROP TRIGGER estimates_data_added;
DROP TRIGGER estimates_data_changed;
DROP TRIGGER estimates_data_deleted;
DROP TRIGGER revisions_data_added;
DROP TRIGGER revisions_data_deleted;

UPDATE revisions SET snapshot = (
    SELECT json_object(
        'name', w.name, 'logo', w.logo, 'tagline', w.tagline, 'crafterName', w.crafter_name,
        'titleFont', w.title_font, 'accentColor', w.accent_color, 'settings', json(w.document_settings),
        'issuedOn', substr(revisions.created_at, 1, 10),
        'validUntil', CASE WHEN coalesce(json_extract(w.document_settings, '$.validDays'), 30) > 0 THEN date(
            substr(revisions.created_at, 1, 10), '+' || coalesce(json_extract(w.document_settings, '$.validDays'), 30) || ' days'
        ) END
    ) FROM workshops w WHERE w.id = revisions.workshop_id
);
UPDATE workshop_counters SET data_bytes = data_bytes + (
    SELECT coalesce(sum(octet_length(snapshot)), 0) FROM revisions r WHERE r.workshop_id = workshop_counters.workshop_id
);

CREATE TRIGGER estimates_data_added AFTER INSERT ON estimates BEGIN
    UPDATE workshop_counters SET data_bytes = data_bytes + 500 + octet_length(NEW.name)
        + octet_length(NEW.line_items) + octet_length(coalesce(NEW.recipient_name, ''))
        + octet_length(coalesce(NEW.facts, ''))
    WHERE workshop_id = NEW.workshop_id;
END;
CREATE TRIGGER estimates_data_changed AFTER UPDATE OF name, line_items, recipient_name, facts ON estimates BEGIN
    UPDATE workshop_counters SET data_bytes = data_bytes + (500 + octet_length(NEW.name)
        + octet_length(NEW.line_items) + octet_length(coalesce(NEW.recipient_name, ''))
        + octet_length(coalesce(NEW.facts, '')))
        - (500 + octet_length(OLD.name) + octet_length(OLD.line_items) + octet_length(coalesce(OLD.recipient_name, ''))
            + octet_length(coalesce(OLD.facts, '')))
    WHERE workshop_id = NEW.workshop_id;
END;
CREATE TRIGGER estimates_data_deleted AFTER DELETE ON estimates BEGIN
    UPDATE workshop_counters SET data_bytes = data_bytes - (500 + octet_length(OLD.name)
        + octet_length(OLD.line_items) + octet_length(coalesce(OLD.recipient_name, ''))
        + octet_length(coalesce(OLD.facts, '')))
    WHERE workshop_id = OLD.workshop_id;
END;

CREATE TRIGGER revisions_data_added AFTER INSERT ON revisions BEGIN
    UPDATE workshop_counters SET data_bytes = data_bytes + 500 + octet_length(NEW.name)
        + octet_length(NEW.line_items) + octet_length(coalesce(NEW.recipient_name, ''))
        + octet_length(coalesce(NEW.terms, '')) + octet_length(coalesce(NEW.facts, ''))
        + octet_length(coalesce(NEW.snapshot, ''))
    WHERE workshop_id = NEW.workshop_id;
END;
CREATE TRIGGER revisions_data_deleted AFTER DELETE ON revisions BEGIN
    UPDATE workshop_counters SET data_bytes = data_bytes - (500 + octet_length(OLD.name)
        + octet_length(OLD.line_items) + octet_length(coalesce(OLD.recipient_name, ''))
        + octet_length(coalesce(OLD.terms, '')) + octet_length(coalesce(OLD.facts, ''))
        + octet_length(coalesce(OLD.snapshot, '')))
    WHERE workshop_id = OLD.workshop_id;
END;
