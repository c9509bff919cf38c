-- Usable from 23.
-- Numbers that members gave documents themselves, by the estimate that has each; no two documents of a workshop have one.
-- A number outlives its estimate where a revision showed it. Where two documents have the same from before, it is one's.
-- The numbers of the series are those up to `latest` of their year; `own` lists those of the year, between commas, that are
-- a document's own: the series skips them. It is empty until it is needed first.
CREATE TABLE document_numbers (
    workshop_id TEXT NOT NULL REFERENCES workshops (id) ON DELETE CASCADE,
    number TEXT NOT NULL,
    estimate_id TEXT NOT NULL,
    PRIMARY KEY (workshop_id, number)
);
ALTER TABLE document_series ADD COLUMN own TEXT NOT NULL DEFAULT '';

INSERT INTO document_numbers (workshop_id, number, estimate_id)
SELECT workshop_id, number, min(id) FROM estimates
WHERE number IS NOT NULL AND number <> coalesce(series_number, '') GROUP BY workshop_id, number;
