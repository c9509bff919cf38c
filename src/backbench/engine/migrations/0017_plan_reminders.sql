-- The end of the plan that the owners were reminded of: each end is announced once, by any of the workers.
ALTER TABLE workshops ADD COLUMN plan_end_announced TEXT;
CREATE INDEX workshops_plan_expires ON workshops (plan_expires_at) WHERE plan_expires_at IS NOT NULL;
