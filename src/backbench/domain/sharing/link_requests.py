"""Requests about links: create one, change it, and mail it."""

from msgspec import UNSET, Struct, UnsetType

from backbench.domain.documents.documents import PdfExportOptions
from backbench.domain.documents.pdf_exports import NewPdfExport
from backbench.domain.drafting.plain_text import has_address
from backbench.domain.sharing.links import Moment, RevisionNumber
from backbench.domain.values.enums import DocumentLocale, MessageTone
from backbench.domain.values.errors import FieldError
from backbench.domain.values.scalars import Email, LongText


class NewLink(Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """Defaults: the latest revision, the default toggles, and the end of the estimate's validity."""

    locale: DocumentLocale
    revision_number: RevisionNumber | UnsetType = UNSET
    toggles: PdfExportOptions | UnsetType = UNSET
    expires_at: Moment | UnsetType = UNSET
    can_decide: bool = True

    def to_export(self) -> NewPdfExport:
        """The PDF that is bound to the link."""
        return NewPdfExport(self.locale, False, self.toggles, self.revision_number)


class LinkEdit(Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """`expiresAt` null: the link follows the end of the estimate's validity."""

    revision_number: RevisionNumber | UnsetType = UNSET
    expires_at: Moment | UnsetType | None = UNSET
    can_decide: bool | UnsetType = UNSET


class LinkMail(Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    email: Email
    tone: MessageTone
    message: LongText = ""

    def field_errors(self) -> list[FieldError]:
        """An account could otherwise send any link to anybody in the name of this server."""
        if not has_address(self.message):
            return []
        return [FieldError("/message", "address", "No links and no addresses: the email has the link of the estimate")]
