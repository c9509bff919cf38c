-- The plan that the host granted, stored apart from the plan in effect, so that it is in effect again when a subscription
-- ends.
ALTER TABLE workshops ADD COLUMN given_until TEXT;
ALTER TABLE workshops ADD COLUMN given_source TEXT CHECK (given_source IN ('grant', 'trial'));
UPDATE workshops SET given_source = plan_source, given_until = plan_expires_at
WHERE plan = 'pro' AND (plan_source = 'grant' OR (plan_source = 'trial' AND trial_started_at IS NULL));
