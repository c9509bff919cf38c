"""What each table is to the whole workshop, once: how much a row counts, what people wrote in it, what it belongs to.

The bytes of the data quota, the search of an erasure, what an import may delete again and the names of customers derive
from this. A test fails for a table of the database that is not here.
"""

from collections.abc import Iterable, Sequence
from typing import Literal

from msgspec import Struct

# What an erasure names what it kept by.
KeptKind = Literal[
    "order", "question", "photo", "payment", "estimate", "revision", "decision", "comment", "customer", "workshop",
    "invoice",
]  # fmt: skip


class Table(Struct, frozen=True):
    """A table of a workshop, with the column `workshop_id`.

    bytes: what a row counts besides its texts. Where it counts nothing, `uncounted` says what limits the table.
    names, texts: columns that people write: names stand alone, such as that of an order's customer. They are searched
    for a person who is erased, as `kind`. Where they are not, `unsearched` says why.
    others: further columns whose texts count.
    archive: the entry of the data archive that has the rows.
    id: the column of the object that the row is, or is of.
    of: the table to whose rows they belong: a row that has some stays where an import is undone.
    """

    name: str
    bytes: int = 500
    uncounted: str = ""
    kind: KeptKind | None = None
    unsearched: str = ""
    names: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    id: str = "id"
    archive: str = ""
    of: Literal["", "orders"] = ""
    names_customer: bool = False

    @property
    def counted(self) -> tuple[str, ...]:
        return (*self.names, *self.texts, *self.others)

    @property
    def workshop(self) -> str:
        """The column of the workshop."""
        return "id" if self.name == "workshops" else "workshop_id"


_FIXED = "it says how a document was confirmed, and stays as it is"


def _decisions(name: str, archive: str) -> Table:
    others = ("document", "signature")
    texts = ("reason", "void_reason")
    return Table(name, archive=archive, kind="decision", bytes=1000, names=("name",), texts=texts, others=others)


TABLES = (
    # Orders, and what belongs to one
    Table("orders", archive="data-export", kind="order", names=("customer_name",), texts=("title", "notes"),
        others=("status_history",)),
    Table("order_details", archive="order-details", kind="order", id="order_id", bytes=0, names_customer=True,
        names=("collected_by",), texts=("phone", "item", "place")),
    Table("order_questions", archive="order-questions", kind="question", of="orders", names=("name",), texts=("text",)),
    Table("order_notices", archive="order-notices", bytes=300, of="orders"),
    Table("order_signatures", archive="order-signatures", kind="order", id="order_id", of="orders", bytes=300,
        names=("name",), others=("strokes",)),
    Table("payment_series", uncounted="two a year"),
    Table("payments", archive="payments", kind="payment", of="orders", texts=("note", "reason")),
    Table("invoices", archive="invoices", unsearched="issued ones are kept, and drafts are deleted with their buyer",
        of="orders", bytes=1000, names_customer=True, others=("facts", "content", "snapshot")),
    Table("invoice_series", uncounted="one for each kind and month"),
    Table("photos", archive="photos", kind="photo", of="orders", bytes=300, texts=("caption",)),
    # Estimates, and what belongs to one
    Table("estimates", archive="data-export", kind="estimate", names_customer=True,
        names=("recipient_name",), texts=("name", "facts", "line_items")),
    Table("revisions", archive="data-export", unsearched=_FIXED, names_customer=True, names=("recipient_name",),
        others=("name", "line_items", "terms", "facts", "own_facts", "snapshot")),
    Table("handoffs", archive="hand-offs"),
    Table("links", archive="sharing", bytes=1000, others=("document",)),
    Table("link_comments", archive="sharing", kind="comment", names=("name",), texts=("text",)),
    _decisions("decisions", "sharing"),
    _decisions("kept_decisions", "kept-decisions"),
    Table("line_uses", uncounted="lines of estimates, which count"),
    Table("pdf_exports", archive="pdf-exports", uncounted="storage, in bytes"),
    Table("document_numbers", archive="documents", uncounted="one for each entry of the log, which counts"),
    Table("document_series", uncounted="one a year"),
    # The rest of the workshop
    Table("workshops", archive="data-export", kind="workshop", uncounted="one", texts=("context_notes",)),
    Table("customers", archive="customers", kind="customer", texts=("notes",),
        others=("name", "phones", "emails", "address", "site_address", "tax_id", "given")),
    Table("change_effects", uncounted="one or two for each entry of the log, which counts"),
    Table("customer_keys", uncounted="phones, addresses and tax ids of customers, which count"),
    Table("grids", archive="data-export", others=("name", "buttons")),
    Table("audit_entries", archive="audit", bytes=300),
    Table("imports", unsearched="what waits and file names are deleted, and what was imported is searched where it is",
        others=(
            "file_name", "headings", "mapping", "sample", "errors", "notes", "questions", "duplicates", "result",
        )),
    Table("import_mappings", bytes=300, others=("signature", "headings")),
    Table("files", archive="files", uncounted="storage, in bytes"),
    Table("ai_attempts", uncounted="drafts a day, and kept for a day"),
    Table("api_keys", uncounted="keys of an account"),
    Table("billing_customers", uncounted="one at the payment provider"),
    Table("billing_subscriptions", uncounted="purchases"),
    Table("calendars", uncounted="feeds of a member"),
    Table("inbox_dismissals", uncounted="one for each entry of the log, which counts"),
    Table("inbox_reads", uncounted="one a member, with items that the inbox has"),
    Table("invitations", uncounted="invitations of a workshop"),
    Table("link_counters", uncounted="one"),
    Table("link_idempotency_keys", uncounted="kept for days, with a limit of their own"),
    Table("members", archive="members", uncounted="one an account that accepted an invitation"),
    Table("order_series", uncounted="one"),
    Table("push_messages", uncounted="subscriptions of members, and kept for a day"),
    Table("push_watches", uncounted="one"),
    Table("webhook_deliveries", uncounted="a thousand that wait, and a hundred others, of each webhook"),
    Table("webhooks", uncounted="ten"),
    Table("workshop_counters", uncounted="one"),
)  # fmt: skip
COUNTED = tuple(table for table in TABLES if not table.uncounted)
SEARCHED = tuple((table.kind, table) for table in TABLES if table.kind)


def counted_rows(condition: str) -> str:
    """The bytes of each row of the tables that count, as SQL."""
    return " UNION ALL ".join(
        f"SELECT {table.workshop} AS workshop_id, {_sum(table)} AS bytes FROM {table.name} {condition}"
        for table in COUNTED
    )


def _sum(table: Table) -> str:
    return " + ".join([str(table.bytes), *(f"octet_length(coalesce({column}, ''))" for column in table.counted)])


def written(table: Table) -> str:
    """What people wrote in each row of a table, as SQL: `id`, `names` and `text`."""
    return f"SELECT {table.id} AS id, {_joined(table.names)} AS names, {_joined(table.texts)} AS text FROM {table.name}"


def _joined(columns: Iterable[str]) -> str:
    return " || '\n' || ".join(f"coalesce({column}, '')" for column in columns) or "''"


def unused(table: Literal["orders", "customers"], alias: str) -> str:
    """The condition that nothing belongs to a row or names it, as SQL."""
    refers: Sequence[tuple[str, str]] = (
        [(each.name, "order_id") for each in TABLES if each.of == "orders"]
        if table == "orders"
        else [(each.name, "customer_id") for each in TABLES if each.names_customer]
    )
    return " ".join(f"AND NOT EXISTS (SELECT 1 FROM {name} r WHERE r.{column} = {alias}.id)" for name, column in refers)
