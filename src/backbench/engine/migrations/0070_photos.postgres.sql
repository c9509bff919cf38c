-- Usable from 23.
-- Photos of orders. The blob of a photo has its id, and has the image in its first size_bytes, the thumbnail after them. Rows go
-- with their order, also where a node of the version before deletes it: the trigger records the blob as orphaned, and frees what
-- the image takes of the workshop's storage.
CREATE TABLE photos (
    workshop_id TEXT COLLATE "C" NOT NULL,
    order_id TEXT COLLATE "C" NOT NULL REFERENCES orders (id) ON DELETE CASCADE,
    id TEXT COLLATE "C" NOT NULL UNIQUE,
    position BIGINT NOT NULL,
    kind TEXT COLLATE "C" NOT NULL CHECK (kind IN ('before', 'during', 'after', 'detail')),
    caption TEXT COLLATE "C",
    shared BIGINT NOT NULL CHECK (shared IN (0, 1)),
    taken_at TEXT COLLATE "C" NOT NULL,
    width BIGINT NOT NULL,
    height BIGINT NOT NULL,
    size_bytes BIGINT NOT NULL CHECK (size_bytes > 0),
    thumb_bytes BIGINT NOT NULL CHECK (thumb_bytes > 0),
    created_at TEXT COLLATE "C" NOT NULL,
    created_by_uid TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (order_id, id)
);
CREATE INDEX photos_workshop ON photos (workshop_id, id);

CREATE FUNCTION orphan_photo() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO stray_bytes (id, is_upload, due_at) VALUES (OLD.id, 0, '') ON CONFLICT (id) DO NOTHING;
    UPDATE workshops SET storage_used_bytes = storage_used_bytes - OLD.size_bytes WHERE id = OLD.workshop_id;
    RETURN NULL;
END $$;
CREATE TRIGGER photos_orphaned AFTER DELETE ON photos FOR EACH ROW EXECUTE FUNCTION orphan_photo();
