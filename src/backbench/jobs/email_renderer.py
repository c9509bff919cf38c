"""Email renderer: renders a queued email just before it is sent, with its recipient and the link it contains."""

from collections.abc import Awaitable, Callable
from urllib.parse import urlsplit

import msgspec

from backbench.accounts import accounts, api_keys, feedback, tokens
from backbench.accounts.accounts import Account, SignUp
from backbench.accounts.page_links import page_link
from backbench.accounts.sessions import new_secret
from backbench.accounts.tokens import StoredToken
from backbench.billing.plans import FREE, MIB, PlanRules
from backbench.connections import webhooks
from backbench.engine.database import Write
from backbench.jobs.sharing_emails import SharingEmails
from backbench.mail.details import MembershipDetails, PlanEndDetails, WebhookDetails
from backbench.mail.email_text import key_label, shown_name
from backbench.mail.outbox import EmailContent, OutgoingEmail, QueuedEmail, render_email
from backbench.values import locales
from backbench.values.enums import UserLocale
from backbench.values.numbers import to_json_text
from backbench.values.times import Instant, later, parse
from backbench.words import words
from backbench.workshops import members, team, workshops

VERIFY_SECONDS = 24 * 3600
RESET_SECONDS = 3600
_LISTED_KEYS = 10


class EmailRenderer:
    """Renders emails whose links start with `public_url`.

    The secret of a link is made here, and only its digest is stored. Each attempt gets a new secret. The secrets of
    earlier attempts stay valid until they expire, since one of those emails may have arrived.
    """

    def __init__(self, public_url: str, plan_rules: PlanRules) -> None:
        self._public_url = public_url
        self._host = urlsplit(public_url).netloc
        self._renderers: dict[str, Callable[[Write, QueuedEmail, Instant], Awaitable[OutgoingEmail | None]]] = {
            "verify": self._verification,
            "resend": self._repeated_verification,
            "reset": self._reset,
            "activated": self._activated,
            "invitation": self._invitation,
            "feedback": self._feedback,
            "api_key_created": self._api_key_created,
            "invitation_accepted": self._invitation_accepted,
            "member_removed": self._member_removed,
            "trial_ending": self._plan_end,
            "plan_ending": self._plan_end,
            "webhook_disabled": self._webhook_disabled,
            "webhook_owner_left": self._webhook_disabled,
            **SharingEmails(public_url, plan_rules).renderers,
        }

    async def render(self, db: Write, email: QueuedEmail, now: Instant) -> OutgoingEmail | None:
        """Returns None, or raises NotFound, if the email has no recipient any more."""
        renderer = self._renderers.get(email.kind)
        if renderer is not None:
            return await renderer(db, email, now)
        return self._notice(email)

    async def _verification(self, db: Write, email: QueuedEmail, now: Instant) -> OutgoingEmail | None:
        account = await accounts.find(db, email.account_id or "")
        if account.status != "pending":
            return None
        return await self._confirmation(db, email, account, msgspec.json.decode(email.details, type=SignUp), now)

    async def _repeated_verification(self, db: Write, email: QueuedEmail, now: Instant) -> OutgoingEmail | None:
        account = await accounts.lookup_by_email(db, email.email)
        if account is None or account.status != "pending":
            return None
        return await self._confirmation(db, email, account, _latest_sign_up(account), now)

    async def _confirmation(
        self, db: Write, email: QueuedEmail, account: Account, sign_up: SignUp, now: Instant
    ) -> OutgoingEmail:
        secret = new_secret()
        token = StoredToken(account.id, details=to_json_text(sign_up))
        await tokens.add(db, secret, "verify", later(now, VERIFY_SECONDS), token)
        link = page_link(self._public_url, "verify", sign_up.locale, secret)
        return _outgoing(email, self._content("verify", sign_up.locale, link), to=sign_up.email)

    async def _reset(self, db: Write, email: QueuedEmail, now: Instant) -> OutgoingEmail | None:
        """To a pending account the email of its sign-up: with that link it chooses its first password."""
        account = await accounts.lookup_by_email(db, email.email)
        if account is None:
            return None
        if account.status == "pending":
            return await self._confirmation(db, email, account, _latest_sign_up(account), now)
        return await self._choice_of_password(db, email, account, RESET_SECONDS, now)

    async def _activated(self, db: Write, email: QueuedEmail, now: Instant) -> OutgoingEmail | None:
        account = await accounts.find(db, email.account_id or "")
        return await self._choice_of_password(db, email, account, VERIFY_SECONDS, now)

    async def _choice_of_password(
        self, db: Write, email: QueuedEmail, account: Account, seconds: int, now: Instant
    ) -> OutgoingEmail | None:
        """An email with a link to choose a password, valid for `seconds`."""
        if account.status != "active":
            return None
        secret = new_secret()
        await tokens.add(db, secret, "reset", later(now, seconds), StoredToken(account.id))
        labels = [key_label(key.prefix, key.name) for key in await api_keys.list_active(db, account.id, now)]
        link = page_link(self._public_url, "reset", account.locale, secret, keys=len(labels))
        # To the stored address, not the requested one: for a case-sensitive server the two may be different mailboxes.
        content = self._content(email.kind, account.locale, link, keys=_keys(labels, account.locale))
        return _outgoing(email, content, to=account.email)

    async def _invitation(self, db: Write, email: QueuedEmail, now: Instant) -> OutgoingEmail | None:
        invitation = await team.lookup_open(db, email.invitation_id or "", now)
        if invitation is None:
            return None
        workshop = await workshops.find(db, invitation.workshop_id)
        inviter = await accounts.find(db, invitation.invited_by_uid)
        invited = await accounts.lookup_by_email(db, invitation.email)
        locale = email.locale if invited is None else invited.locale
        secret = new_secret()
        await tokens.add(db, secret, "invitation", invitation.expires_at, StoredToken(invitation_id=invitation.id))
        link = page_link(self._public_url, "join", locale, secret)
        names = {
            "inviter": shown_name(inviter.name) or words(locale).email.somebody,
            "workshop": _shown_workshop(workshop.name, locale),
        }
        return _outgoing(email, self._content("invitation", locale, link, **names))

    async def _feedback(self, db: Write, email: QueuedEmail, _now: Instant) -> OutgoingEmail | None:
        sent = await feedback.find(db, msgspec.json.decode(email.details, type=str))
        sender = await accounts.find(db, email.account_id or "")
        values = {
            "topic": sent.kind.capitalize(),
            "title": sent.title,
            "sender": f"{shown_name(sender.name) or words(email.locale).email.somebody} <{sent.email}>",
            "message": sent.message,
            "where": sent.path or "",
        }
        return _outgoing(email, self._content("feedback", email.locale, **values), reply_to=sent.email)

    async def _api_key_created(self, _db: Write, email: QueuedEmail, _now: Instant) -> OutgoingEmail | None:
        label = msgspec.json.decode(email.details, type=str)
        return self._notice(email, key=label)

    async def _invitation_accepted(self, db: Write, email: QueuedEmail, _now: Instant) -> OutgoingEmail | None:
        details = msgspec.json.decode(email.details, type=MembershipDetails)
        member = await accounts.find(db, details.member_id)
        workshop = await workshops.find(db, details.workshop_id)
        return self._notice(
            email,
            member=shown_name(member.name) or words(email.locale).email.somebody,
            workshop=_shown_workshop(workshop.name, email.locale),
        )

    async def _member_removed(self, db: Write, email: QueuedEmail, _now: Instant) -> OutgoingEmail | None:
        """None if the member is back."""
        details = msgspec.json.decode(email.details, type=MembershipDetails)
        workshop = await workshops.find(db, details.workshop_id)
        if await members.lookup_role(db, details.workshop_id, details.member_id) is not None:
            return None
        return self._notice(email, workshop=_shown_workshop(workshop.name, email.locale))

    async def _plan_end(self, db: Write, email: QueuedEmail, _now: Instant) -> OutgoingEmail | None:
        """None if the plan no longer ends then, or the recipient no longer owns the workshop."""
        details = msgspec.json.decode(email.details, type=PlanEndDetails)
        workshop = await workshops.find(db, details.workshop_id)
        role = await members.lookup_role(db, workshop.id, email.account_id or "")
        if role != "owner" or workshop.plan != "pro" or workshop.plan_expires_at != details.ends_at:
            return None
        return self._notice(
            email,
            workshop=_shown_workshop(workshop.name, email.locale),
            date=locales.day(parse(details.ends_at).date(), email.locale),
            storage=f"{FREE.storage_bytes // MIB} MB",
            revisions=str(FREE.revisions_per_estimate),
        )

    async def _webhook_disabled(self, db: Write, email: QueuedEmail, _now: Instant) -> OutgoingEmail | None:
        """None if it was enabled since, or the recipient no longer owns the workshop."""
        details = msgspec.json.decode(email.details, type=WebhookDetails)
        workshop = await workshops.find(db, details.workshop_id)
        webhook = await webhooks.find(db, details.webhook_id)
        role = await members.lookup_role(db, workshop.id, email.account_id or "")
        if role != "owner" or webhook.enabled:
            return None
        link = f"{self._public_url}/shop/connections/webhooks"
        # The path of an address may be a secret.
        values = {"workshop": _shown_workshop(workshop.name, email.locale), "receiver": urlsplit(webhook.url).netloc}
        return _outgoing(email, self._content(email.kind, email.locale, link, **values))

    def _notice(self, email: QueuedEmail, **values: str) -> OutgoingEmail:
        """An email whose button opens the service."""
        return _outgoing(email, self._content(email.kind, email.locale, self._public_url + "/", **values))

    def _content(self, kind: str, locale: UserLocale, link: str | None = None, **values: str) -> EmailContent:
        return render_email(kind, locale, link, host=self._host, **values)


def _shown_workshop(name: str, locale: UserLocale) -> str:
    shown = shown_name(name)
    return words(locale).email.a_workshop if shown is None else words(locale).email.the_workshop.format(name=shown)


def _keys(labels: list[str], locale: UserLocale) -> str:
    """The paragraph about the account's API keys; empty if it has none."""
    if not labels:
        return ""
    listed = ", ".join(labels[:_LISTED_KEYS])
    if len(labels) > _LISTED_KEYS:
        listed += " " + words(locale).email.more_keys.format(count=len(labels) - _LISTED_KEYS)
    return words(locale).email.keys.format(labels=listed)


def _outgoing(
    email: QueuedEmail, content: EmailContent, to: str | None = None, reply_to: str | None = None
) -> OutgoingEmail:
    return OutgoingEmail(
        id=email.id, to=to or email.email, created_at=email.created_at, content=content, reply_to=reply_to
    )


def _latest_sign_up(account: Account) -> SignUp:
    return SignUp(
        email=account.email,
        name=account.name,
        locale=account.locale,
        terms_version=account.terms_version,
        terms_accepted_at=account.terms_accepted_at,
    )
