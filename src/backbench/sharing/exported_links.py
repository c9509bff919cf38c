"""What an export has about sharing an estimate: its links, decisions with their evidence, and comments."""

from msgspec import Struct

from backbench.sharing.comments import EstimateComment
from backbench.sharing.decisions import DecisionEvidence
from backbench.sharing.links import Link, StoredLink
from backbench.values.times import Instant


class ExportedLink(Link, frozen=True, rename="camel", kw_only=True):
    """A link with what it shows, as canonical JSON. Tokens are not stored, and so not exported."""

    pdf_hash: str
    document: str
    receipt_email: str | None


class ExportedSharing(Struct, frozen=True):
    links: list[ExportedLink]
    decisions: list[DecisionEvidence]
    comments: list[EstimateComment]


def exported_link(stored: StoredLink, now: Instant) -> ExportedLink:
    link = stored.to_response(now)
    return ExportedLink(
        **{name: getattr(link, name) for name in Link.__struct_fields__},
        pdf_hash=stored.pdf_hash,
        document=stored.document,
        receipt_email=stored.client_email,
    )
