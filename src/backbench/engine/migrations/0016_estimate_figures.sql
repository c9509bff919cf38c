-- What lists of estimates need, so that they read neither line items nor revisions. Each write of an estimate maintains
-- it. `figures`: the number of its line items, and their sums rounded to 0, 2 and 3 decimals (domain/estimating/figures).
-- NULL where they are still to be computed: SQLite cannot multiply these decimals exactly (docs/decisions/line-items.md).
ALTER TABLE estimates ADD COLUMN figures TEXT;
ALTER TABLE estimates ADD COLUMN name_folded TEXT;
ALTER TABLE estimates ADD COLUMN recipient_folded TEXT;
-- Whether the estimate is as its latest revision.
ALTER TABLE estimates ADD COLUMN state TEXT NOT NULL DEFAULT 'draft'
    CHECK (state IN ('draft', 'confirmed', 'changed'));
ALTER TABLE revisions ADD COLUMN figures TEXT;

UPDATE estimates SET state = CASE WHEN EXISTS (
        SELECT 1 FROM revisions r
        WHERE r.estimate_id = estimates.id AND r.revision_number = estimates.latest_revision
            AND r.name = estimates.name AND coalesce(r.recipient_name, '') = coalesce(estimates.recipient_name, '')
            AND r.markup_percent = estimates.markup_percent AND r.discount_percent = estimates.discount_percent
            AND r.line_items = estimates.line_items
            AND coalesce(r.facts, '{}') = coalesce(estimates.facts, '{}')
    ) THEN 'confirmed' ELSE 'changed' END
WHERE latest_revision > 0;

CREATE INDEX estimates_updated ON estimates (workshop_id, updated_at, id, state);
CREATE INDEX estimates_without_figures ON estimates (id) WHERE figures IS NULL;
CREATE INDEX revisions_without_figures ON revisions (id) WHERE figures IS NULL;

-- The estimate that the order was made from, also after that was deleted.
ALTER TABLE orders ADD COLUMN estimate_id TEXT;
CREATE INDEX orders_estimate ON orders (estimate_id, created_at) WHERE estimate_id IS NOT NULL;

-- 1 is the first grid of the workshop; 0 is a grid that has not been given a position.
ALTER TABLE grids ADD COLUMN position BIGINT NOT NULL DEFAULT 0;

-- The time of use is the time of the estimate's last change, which would have to be written to every row.
CREATE TABLE new_line_uses (
    workshop_id TEXT NOT NULL REFERENCES workshops (id) ON DELETE CASCADE,
    label TEXT NOT NULL,
    unit TEXT NOT NULL,
    estimate_id TEXT NOT NULL REFERENCES estimates (id) ON DELETE CASCADE,
    unit_price TEXT NOT NULL,
    PRIMARY KEY (workshop_id, label, unit, estimate_id)
);
INSERT INTO new_line_uses (workshop_id, label, unit, estimate_id, unit_price)
SELECT workshop_id, label, unit, estimate_id, unit_price FROM line_uses;
DROP TABLE line_uses;
ALTER TABLE new_line_uses RENAME TO line_uses;
CREATE INDEX line_uses_estimate ON line_uses (estimate_id);
