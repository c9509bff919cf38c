"""Emails about shared estimates, rendered just before they are sent."""

from collections.abc import Awaitable, Callable, Mapping
from urllib.parse import urlsplit

import msgspec
from msgspec import UNSET

from backbench.accounts.sessions import digest
from backbench.billing.plans import PlanRules
from backbench.documents.titles import transfer_title
from backbench.engine.database import Write
from backbench.estimating import document_settings, files, revisions
from backbench.estimating.document_settings import DocumentSettings
from backbench.estimating.revisions import ConfirmedRevision
from backbench.mail.details import CommentsDetails, DecisionDetails, LinkDetails, QuestionsDetails
from backbench.mail.email_text import shown_name
from backbench.mail.outbox import EmailContent, OutgoingEmail, QueuedEmail, render_email
from backbench.mail.sharing_values import (
    contact,
    deposit_rows,
    early_start_line,
    estimate_label,
    method_label,
    name_row,
    offer_values,
    quoted_text,
    sender_via,
    signer,
    subject_label,
    title_values,
    total_label,
    validity,
    workshop_label,
)
from backbench.orders import order_details, order_questions
from backbench.sharing import comments, decisions, link_access, links
from backbench.sharing.client_documents import summary_of
from backbench.sharing.decisions import StoredDecision, early_start_in
from backbench.sharing.links import LinkAddress, StoredLink, end_of, new_token, page_url, receipt_email
from backbench.values import locales
from backbench.values.colours import palette
from backbench.values.enums import DocumentTitle, UserLocale
from backbench.values.text import quoted
from backbench.values.times import Instant, local_date, local_time
from backbench.words import words
from backbench.workshops import members, workshops

Renderer = Callable[[Write, QueuedEmail, Instant], Awaitable[OutgoingEmail | None]]
# A client can have sent twenty in an hour.
_MOST_COMMENTS = 20


class SharingEmails:
    """Renders emails whose links start with `public_url`. The token in a link is made here: one for each attempt."""

    def __init__(self, public_url: str, plan_rules: PlanRules) -> None:
        self._public_url = public_url
        self._plan_rules = plan_rules
        self._host = urlsplit(public_url).netloc
        self.renderers: Mapping[str, Renderer] = {
            "estimate_shared": self._shared,
            "estimate_revised": self._revised,
            "comment_answered": self._answered,
            "decision_voided": self._voided,
            "decision_recorded": self._recorded,
            "decision_receipt": self._receipt,
            "estimate_decided": self._decided,
            "estimate_commented": self._commented,
            "order_asked": self._asked,
        }

    async def _shared(self, db: Write, email: QueuedEmail, now: Instant) -> OutgoingEmail | None:
        details = msgspec.json.decode(email.details, type=LinkDetails)
        link = await links.find(db, details.link_id)
        is_revised = await revisions.is_revised(db, link.estimate_id, link.revision_number)
        kind = "estimate_shared_again" if is_revised else "estimate_shared"
        return await self._with_link(db, email, now, f"{kind}_{details.tone}", message=details.message)

    async def _revised(self, db: Write, email: QueuedEmail, now: Instant) -> OutgoingEmail | None:
        """None if the link shows an older revision, or another one was confirmed meanwhile."""
        link = await links.find(db, msgspec.json.decode(email.details, type=LinkDetails).link_id)
        if link.state(now) == "superseded":
            return None
        return await self._with_link(db, email, now, "estimate_revised")

    async def _answered(self, db: Write, email: QueuedEmail, now: Instant) -> OutgoingEmail | None:
        details = msgspec.json.decode(email.details, type=LinkDetails)
        comment = await comments.find(db, details.comment_id)
        text = quoted_text(comment.text, email.locale, "page")
        return await self._with_link(db, email, now, "comment_answered", text=text)

    async def _voided(self, db: Write, email: QueuedEmail, now: Instant) -> OutgoingEmail | None:
        decision = await _decision(db, email)
        settings = await document_settings.find(db, decision.workshop_id)
        # The page does not have it.
        text = quoted_text(decision.void_reason or "", email.locale, "workshop")
        at = locales.day(local_date(decision.decided_at, _zone(settings)), email.locale)
        return await self._with_link(db, email, now, "decision_voided", text=text, decided_at=at)

    async def _recorded(self, db: Write, email: QueuedEmail, now: Instant) -> OutgoingEmail | None:
        """None if the decision has been voided meanwhile."""
        decision = await _decision(db, email)
        if decision.voided_at is not None:
            return None
        settings = await document_settings.find(db, decision.workshop_id)
        values = {**_values(decision, settings, email), "method": method_label(decision.method, email.locale)}
        return await self._with_link(db, email, now, f"decision_recorded_{decision.outcome}", **values)

    async def _with_link(
        self, db: Write, email: QueuedEmail, now: Instant, kind: str, **values: str
    ) -> OutgoingEmail | None:
        """An email to the client with a new address of the link, about the state in which the link is now.

        None if the link was revoked meanwhile.
        """
        details = msgspec.json.decode(email.details, type=LinkDetails)
        link = await links.find(db, details.link_id)
        if link.revoked_at is not None:
            return None
        confirmed = await revisions.find_confirmed(db, link.estimate_id, link.revision_number)
        await link_access.add(db, link.id, digest(token := new_token()), _mailed(email, details, link, now))
        settings = await document_settings.find(db, link.workshop_id)
        sent_with = await self._sent_with(db, link, email.locale, now)
        content = render_email(
            kind,
            email.locale,
            page_url(self._public_url, token),
            color=palette(confirmed.snapshot.accent_color).text,
            sent_with=sent_with,
            **{**_shown(confirmed, link, settings, email.locale, now), **values},
        )
        return _from_workshop(email, content, confirmed.snapshot.name, settings, has_mark=sent_with != "")

    async def _sent_with(self, db: Write, link: StoredLink | None, locale: UserLocale, now: Instant) -> str:
        """The brand mark, or "" where the client page has none: by the plan of this moment."""
        if link is not None and not link.toggles.show_brand_mark:
            plan = (await workshops.find(db, link.workshop_id)).plan_at(now, self._plan_rules)
            if plan.may_hide_brand_mark:
                return ""
        return words(locale).email.sent_with.format(host=self._host)

    async def _receipt(self, db: Write, email: QueuedEmail, now: Instant) -> OutgoingEmail:
        """With the PDF that the client could download."""
        decision = await _decision(db, email)
        link = await links.lookup_active(db, decision.link_id) if decision.link_id else None
        sent_with = await self._sent_with(db, link, email.locale, now)
        settings = await document_settings.find(db, decision.workshop_id)
        content = render_email(
            f"decision_receipt_{decision.outcome}",
            email.locale,
            sent_with=sent_with,
            **_values(decision, settings, email),
        )
        file = await files.lookup_with_deleted(db, decision.pdf_export_id) if decision.pdf_export_id else None
        name = summary_of(decision.document).workshop_name
        outgoing = _from_workshop(email, content, name, settings, has_mark=sent_with != "")
        return msgspec.structs.replace(outgoing, files=() if file is None else (file,))

    async def _decided(self, db: Write, email: QueuedEmail, _now: Instant) -> OutgoingEmail | None:
        """None if the recipient no longer owns the workshop."""
        decision = await _decision(db, email)
        if await members.lookup_role(db, decision.workshop_id, email.account_id or "") != "owner":
            return None
        settings = await document_settings.find(db, decision.workshop_id)
        content = render_email(
            f"estimate_decided_{decision.outcome}",
            email.locale,
            self._estimate_url(decision.estimate_id),
            host=self._host,
            reason=quoted_text(decision.reason or "", email.locale, "app"),
            **_values(decision, settings, email),
        )
        return OutgoingEmail(email.id, email.email, email.created_at, content)

    async def _commented(self, db: Write, email: QueuedEmail, _now: Instant) -> OutgoingEmail | None:
        """None if the recipient no longer owns the workshop, or no link is left."""
        details = msgspec.json.decode(email.details, type=CommentsDetails)
        if details.comment_id:
            found = [await comments.find(db, details.comment_id)]
        else:
            found = await comments.list_of_client(db, details.estimate_id, details.since, _MOST_COMMENTS)
        if not found:
            return None
        link = await links.find(db, found[0].link_id)
        if await members.lookup_role(db, link.workshop_id, email.account_id or "") != "owner":
            return None
        confirmed = await revisions.find_confirmed(db, link.estimate_id, link.revision_number)
        newest = await links.lookup_newest(db, link.estimate_id)
        locale = email.locale
        label = estimate_label(confirmed.revision.name, confirmed.snapshot.number, locale)
        content = render_email(
            "estimate_commented",
            locale,
            self._estimate_url(link.estimate_id),
            host=self._host,
            subject=subject_label(label, shown_name(confirmed.recipient_name) or ""),
            estimate=label,
            texts=_questions([(comment.name, comment.text) for comment in found], locale),
            answer_shown="" if newest is None else words(locale).email.answer_shown,
            **title_values(_title(confirmed), locale),
        )
        return OutgoingEmail(email.id, email.email, email.created_at, content)

    async def _asked(self, db: Write, email: QueuedEmail, _now: Instant) -> OutgoingEmail | None:
        """None if the recipient no longer owns the workshop."""
        details = msgspec.json.decode(email.details, type=QuestionsDetails)
        found = await order_questions.list_of_customer(db, details.order_id, details.since, _MOST_COMMENTS)
        stored = await order_details.find(db, details.order_id)
        order, locale = stored.order, email.locale
        if not found or await members.lookup_role(db, order.workshop_id, email.account_id or "") != "owner":
            return None
        number, title = stored.facts.number, shown_name(order.title)
        label = str(number) if title is None else f"{number} {quoted(title, locale)}"
        content = render_email(
            "order_asked",
            locale,
            f"{self._public_url}/orders/{order.id}",
            host=self._host,
            subject=subject_label(label, shown_name(order.customer_name) or ""),
            order=label,
            texts=_questions([(question.name, question.text) for question in found], locale),
        )
        return OutgoingEmail(email.id, email.email, email.created_at, content)

    def _estimate_url(self, estimate_id: str) -> str:
        """The estimate in the app."""
        return f"{self._public_url}/estimates/{estimate_id}"


def _questions(found: list[tuple[str, str]], locale: UserLocale) -> str:
    """Who wrote, and what."""
    return "\n\n".join(f"{signer(name, locale)}:\n{quoted_text(text, locale, 'app')}" for name, text in found)


async def _decision(db: Write, email: QueuedEmail) -> StoredDecision:
    return await decisions.find(db, msgspec.json.decode(email.details, type=DecisionDetails).decision_id)


def _mailed(email: QueuedEmail, details: LinkDetails, link: StoredLink, now: Instant) -> LinkAddress:
    return LinkAddress("mailed", now, details.by_uid or link.created_by_uid, details.key_id or UNSET, email=email.email)


def _from_workshop(
    email: QueuedEmail,
    content: EmailContent,
    workshop_name: str,
    settings: DocumentSettings,
    *,
    has_mark: bool,
) -> OutgoingEmail:
    """In the name of the workshop, which also gets the reply."""
    name = shown_name(workshop_name) or ""
    return OutgoingEmail(
        email.id,
        email.email,
        email.created_at,
        content,
        reply_to=receipt_email(settings.email),
        sender_name=name,
        via=sender_via(name, email.locale) if has_mark else "",
    )


def _shown(
    confirmed: ConfirmedRevision, link: StoredLink, settings: DocumentSettings, locale: UserLocale, now: Instant
) -> dict[str, str]:
    """What an email says of a revision, and of what the client can do with the link."""
    snapshot, title = confirmed.snapshot, _title(confirmed)
    return {
        "workshop": workshop_label(snapshot.name, locale),
        "contact": contact(settings.phone, settings.email),
        "estimate": estimate_label(confirmed.revision.name, snapshot.number, locale),
        "revision": str(link.revision_number),
        "valid_until": validity(_end(confirmed, link, settings, locale, now), title, locale),
        **offer_values("answer" if link.may_be_decided(now) else "read", title, locale),
        **title_values(title, locale),
    }


def _end(
    confirmed: ConfirmedRevision, link: StoredLink, settings: DocumentSettings, locale: UserLocale, now: Instant
) -> str:
    """The last day of the validity, or the time at which the link ends by itself; "" once that does not matter."""
    valid_until = confirmed.snapshot.valid_until
    if link.expires_at is None or link.is_decided or link.state(now) != "open":
        return ""
    if valid_until is not None and link.expires_at == end_of(valid_until):
        return locales.day(valid_until, locale)
    return _moment(link.expires_at, settings, locale)


def _title(confirmed: ConfirmedRevision) -> DocumentTitle:
    return confirmed.facts.title(confirmed.snapshot.settings)


def _values(decision: StoredDecision, settings: DocumentSettings, email: QueuedEmail) -> dict[str, str]:
    """The evidence, from the document that was hashed."""
    shown, locale = summary_of(decision.document), email.locale
    estimate, total = (
        estimate_label(shown.name, shown.number, locale),
        locales.money(shown.total, shown.currency, locale),
    )
    transfer = transfer_title(shown.title, shown.number, decision.locale)
    deposit = "" if shown.deposit is None else locales.money(shown.deposit, shown.currency, locale)
    return {
        "workshop": workshop_label(shown.workshop_name, locale),
        "contact": contact(settings.phone, settings.email),
        "estimate": estimate,
        "subject": subject_label(estimate, shown_name(decision.name or "") or "", total),
        "name_row": name_row(decision.name or "", locale),
        "decided_at": _moment(decision.decided_at, settings, locale),
        "total_label": total_label(shown.tax_label if shown.is_taxed else "", locale),
        "total": total,
        # Nothing is due for what was declined.
        "deposit_rows": deposit_rows(deposit, shown.iban, transfer, locale) if decision.outcome == "accepted" else "",
        "early_start": early_start_line(early_start_in(decision.consent, decision.locale), locale),
        "document_hash": decision.document_hash,
        "pdf_hash": decision.pdf_hash or "",
        **title_values(shown.title, locale),
    }


def _moment(at: Instant, settings: DocumentSettings, locale: UserLocale) -> str:
    zone = _zone(settings)
    return f"{locales.day(local_date(at, zone), locale)}, {local_time(at, zone)} ({zone})"


def _zone(settings: DocumentSettings) -> str:
    return "UTC" if settings.time_zone is UNSET else settings.time_zone
