CREATE TABLE workshops (
    id TEXT NOT NULL PRIMARY KEY,
    name TEXT NOT NULL,
    tagline TEXT NOT NULL,
    logo TEXT NOT NULL,
    crafter_name TEXT NOT NULL,
    crafter_avatar_seed TEXT NOT NULL,
    background TEXT NOT NULL,
    custom_background TEXT,
    title_font TEXT NOT NULL,
    accent_color TEXT,
    plan TEXT NOT NULL CHECK (plan IN ('free', 'pro')),
    plan_expires_at TEXT,
    plan_source TEXT CHECK (plan_source IN ('grant', 'trial', 'subscription')),
    trial_started_at TEXT,
    context_notes TEXT,
    context_updated_at TEXT,
    context_derived TEXT,
    is_default BIGINT NOT NULL CHECK (is_default IN (0, 1)),
    billing_customer_id TEXT,
    billing_subscription_id TEXT,
    billing_cancel_at_period_end BIGINT NOT NULL DEFAULT 0,
    storage_used_bytes BIGINT NOT NULL DEFAULT 0,
    document_settings TEXT NOT NULL,
    created_at TEXT NOT NULL
);

CREATE TABLE members (
    workshop_id TEXT NOT NULL REFERENCES workshops (id) ON DELETE CASCADE,
    account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    role TEXT NOT NULL CHECK (role IN ('owner', 'member')),
    joined_at TEXT NOT NULL,
    PRIMARY KEY (workshop_id, account_id)
);
CREATE INDEX members_account ON members (account_id, workshop_id);

CREATE TABLE ai_attempts (
    workshop_id TEXT NOT NULL REFERENCES workshops (id) ON DELETE CASCADE,
    kind TEXT NOT NULL CHECK (kind IN ('context_synthesis', 'message_draft')),
    at TEXT NOT NULL,
    id TEXT NOT NULL,
    PRIMARY KEY (workshop_id, kind, at, id)
);
