-- Usable from 23.
-- Who answers for a webhook: the owner who made it, or enabled it last. It ends with that ownership. NULL for those of a
-- version before until the sweep has looked it up; '' where no log says it (connections/webhooks.py).
ALTER TABLE webhooks ADD COLUMN created_by TEXT;
CREATE INDEX webhooks_maker ON webhooks (created_by) WHERE enabled = 1;
