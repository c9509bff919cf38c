"""States of estimates in SQL: `draft`, `confirmed` or `changed`."""

_CONTENT = ("name", "recipient_name", "markup_percent", "discount_percent", "line_items", "facts", "customer_id")


def state_with(**values: str) -> str:
    """The SQL of the state of an estimate with these values of its columns; the others stay as they are.

    The content decides, not the time: an estimate that was changed and changed back is as confirmed.
    """
    of = {name: f"estimates.{name}" for name in _CONTENT} | values
    return f"""
        CASE WHEN latest_revision = 0 THEN 'draft' WHEN EXISTS (
            SELECT 1 FROM revisions r
            WHERE r.estimate_id = :id AND r.revision_number = estimates.latest_revision AND r.name = {of["name"]}
                AND coalesce(r.own_recipient, r.recipient_name, '') = coalesce({of["recipient_name"]}, '')
                AND r.markup_percent = {of["markup_percent"]} AND r.discount_percent = {of["discount_percent"]}
                AND r.line_items = {of["line_items"]}
                AND coalesce(r.own_facts, r.facts, '{{}}') = coalesce({of["facts"]}, '{{}}')
                AND coalesce(r.customer_id, '') = coalesce({of["customer_id"]}, '')
        ) THEN 'confirmed' ELSE 'changed' END"""
