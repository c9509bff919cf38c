"""Emails about shared estimates, rendered just before they are sent."""

from collections.abc import Awaitable, Callable, Mapping
from urllib.parse import urlsplit

import msgspec
from msgspec import UNSET

from backbench.domain.accounts.sessions import digest
from backbench.domain.estimating.document_settings import DocumentSettings
from backbench.domain.mail.details import CommentDetails, DecisionDetails, SharedLinkDetails
from backbench.domain.mail.emails import OutgoingEmail, QueuedEmail, render_email
from backbench.domain.mail.sharing_values import (
    estimate_label,
    quoted_text,
    signer,
    total_label,
    validity,
    workshop_label,
)
from backbench.domain.sharing.client_documents import summary_of
from backbench.domain.sharing.decisions import StoredDecision
from backbench.domain.sharing.links import new_token, page_url, receipt_email
from backbench.domain.values import locales
from backbench.domain.values.times import Instant, local_date, local_time
from backbench.storage.engine.database import Write
from backbench.storage.estimating import document_settings, revisions
from backbench.storage.sharing import comments, decisions, links
from backbench.storage.workshops import members

Renderer = Callable[[Write, QueuedEmail, Instant], Awaitable[OutgoingEmail | None]]


class SharingEmails:
    """Renders emails whose links start with `public_url`. The token in a link is made here: one for each attempt."""

    def __init__(self, public_url: str) -> None:
        self._public_url = public_url
        self._host = urlsplit(public_url).netloc
        self.renderers: Mapping[str, Renderer] = {
            "estimate_shared": self._shared,
            "decision_receipt": self._receipt,
            "estimate_decided": self._decided,
            "estimate_commented": self._commented,
        }

    async def _shared(self, db: Write, email: QueuedEmail, now: Instant) -> OutgoingEmail | None:
        """None if the link was revoked meanwhile."""
        details = msgspec.json.decode(email.details, type=SharedLinkDetails)
        link = await links.find(db, details.link_id)
        if link.revoked_at is not None:
            return None
        confirmed = await revisions.find_confirmed(db, link.estimate_id, link.revision_number)
        snapshot, locale = confirmed.snapshot, link.locale
        await links.add_token(db, link.id, digest(token := new_token()), now)
        valid_until = "" if snapshot.valid_until is None else locales.day(snapshot.valid_until, locale)
        content = render_email(
            f"estimate_shared_{details.tone}",
            locale,
            page_url(self._public_url, token),
            host=self._host,
            workshop=workshop_label(snapshot.name, locale),
            estimate=estimate_label(confirmed.revision.name, snapshot.number, locale),
            message=details.message,
            valid_until=validity(valid_until, locale),
        )
        settings = await document_settings.find(db, link.workshop_id)
        return OutgoingEmail(email.id, email.email, email.created_at, content, receipt_email(settings.email))

    async def _receipt(self, db: Write, email: QueuedEmail, _now: Instant) -> OutgoingEmail:
        decision = await _decision(db, email)
        settings = await document_settings.find(db, decision.workshop_id)
        content = render_email(
            f"decision_receipt_{decision.outcome}",
            email.locale,
            host=self._host,
            **_values(decision, settings, email),
        )
        return OutgoingEmail(email.id, email.email, email.created_at, content, receipt_email(settings.email))

    async def _decided(self, db: Write, email: QueuedEmail, _now: Instant) -> OutgoingEmail | None:
        """None if the recipient no longer owns the workshop."""
        decision = await _decision(db, email)
        if await members.lookup_role(db, decision.workshop_id, email.account_id or "") != "owner":
            return None
        settings = await document_settings.find(db, decision.workshop_id)
        content = render_email(
            f"estimate_decided_{decision.outcome}",
            email.locale,
            self._public_url + "/",
            host=self._host,
            reason=quoted_text(decision.reason or "", email.locale),
            **_values(decision, settings, email),
        )
        return OutgoingEmail(email.id, email.email, email.created_at, content)

    async def _commented(self, db: Write, email: QueuedEmail, _now: Instant) -> OutgoingEmail | None:
        """None if the recipient no longer owns the workshop."""
        comment = await comments.find(db, msgspec.json.decode(email.details, type=CommentDetails).comment_id)
        link = await links.find(db, comment.link_id)
        if await members.lookup_role(db, link.workshop_id, email.account_id or "") != "owner":
            return None
        confirmed = await revisions.find_confirmed(db, link.estimate_id, link.revision_number)
        content = render_email(
            "estimate_commented",
            email.locale,
            self._public_url + "/",
            host=self._host,
            estimate=estimate_label(confirmed.revision.name, confirmed.snapshot.number, email.locale),
            name=signer(comment.name, email.locale),
            text=quoted_text(comment.text, email.locale),
        )
        return OutgoingEmail(email.id, email.email, email.created_at, content)


async def _decision(db: Write, email: QueuedEmail) -> StoredDecision:
    return await decisions.find(db, msgspec.json.decode(email.details, type=DecisionDetails).decision_id)


def _values(decision: StoredDecision, settings: DocumentSettings, email: QueuedEmail) -> dict[str, str]:
    """The evidence, from the document that was hashed."""
    shown, locale = summary_of(decision.document), email.locale
    zone = "UTC" if settings.time_zone is UNSET else settings.time_zone
    day = locales.day(local_date(decision.decided_at, zone), locale)
    return {
        "workshop": workshop_label(shown.workshop_name, locale),
        "estimate": estimate_label(shown.name, shown.number, locale),
        "name": signer(decision.name or "", locale),
        "decided_at": f"{day}, {local_time(decision.decided_at, zone)} ({zone})",
        "total_label": total_label(shown.tax_label if shown.is_taxed else "", locale),
        "total": locales.money(shown.total, shown.currency, locale),
        "document_hash": decision.document_hash,
        "pdf_hash": decision.pdf_hash or "",
    }
