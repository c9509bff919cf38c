-- Audit actions become event types (order.moved), which do not follow from the names of modules and functions.
-- Actions that this list does not name are left as they are.
CREATE TABLE audit_event_types (action TEXT PRIMARY KEY, event TEXT NOT NULL);

INSERT INTO audit_event_types (action, event) VALUES
    ('workshops.create', 'workshop.created'),
    ('workshops.edit', 'workshop.updated'),
    ('workshops.write_context', 'workshop.updated'),
    ('synthesis.synthesize', 'workshop.updated'),
    ('document_settings.write', 'workshop.updated'),
    ('invitations.invite', 'invitation.created'),
    ('invitations.withdraw', 'invitation.deleted'),
    ('invitations.accept', 'member.joined'),
    ('members.edit', 'member.updated'),
    ('members.remove', 'member.left'),
    ('accounts.remove', 'member.left'),
    ('billing.start_trial', 'plan.changed'),
    ('orders.create', 'order.created'),
    ('orders.edit', 'order.updated'),
    ('orders.change_status', 'order.moved'),
    ('orders.remove', 'order.deleted'),
    ('estimates.start_work', 'order.created'),
    ('estimates.create', 'estimate.created'),
    ('estimates.duplicate', 'estimate.created'),
    ('estimates.edit', 'estimate.updated'),
    ('estimates.remove', 'estimate.deleted'),
    ('estimates.confirm', 'estimate.confirmed'),
    ('estimates.hand_off', 'handoff.created'),
    ('pdf_exports.create', 'pdf.created'),
    ('pdf_exports.remove', 'pdf.deleted'),
    ('grids.create', 'grid.created'),
    ('grids.edit', 'grid.updated'),
    ('grids.remove', 'grid.deleted'),
    ('files.upload', 'file.created'),
    ('files.remove', 'file.deleted');

UPDATE audit_entries
SET action = (SELECT event FROM audit_event_types WHERE audit_event_types.action = audit_entries.action)
WHERE action IN (SELECT action FROM audit_event_types);

DROP TABLE audit_event_types;
