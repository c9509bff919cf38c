"""Email renderer: renders a queued email just before it is sent, with its recipient and the link it contains."""

from collections.abc import Awaitable, Callable

import msgspec

from backbench.domain.accounts.accounts import Account, SignUp
from backbench.domain.accounts.sessions import new_secret
from backbench.domain.mail.emails import EmailContent, OutgoingEmail, QueuedEmail, quoted, render_email
from backbench.domain.values.numbers import to_json_text
from backbench.domain.values.times import Instant, later
from backbench.storage.accounts import accounts, feedback, tokens
from backbench.storage.engine.database import Write
from backbench.storage.workshops import invitations, workshops

VERIFY_SECONDS = 24 * 3600
RESET_SECONDS = 3600


class EmailRenderer:
    """Renders emails whose links start with `public_url`.

    The secret of a link is made here, and only its digest is stored. Each attempt gets a new secret. The secrets of
    earlier attempts stay valid until they expire, since one of those emails may have arrived.
    """

    def __init__(self, public_url: str) -> None:
        self._public_url = public_url
        self._renderers: dict[str, Callable[[Write, QueuedEmail, Instant], Awaitable[OutgoingEmail | None]]] = {
            "verify": self._verification,
            "resend": self._repeated_verification,
            "reset": self._reset,
            "activated": self._activated,
            "invitation": self._invitation,
            "feedback": self._feedback,
        }

    async def render(self, db: Write, email: QueuedEmail, now: Instant) -> OutgoingEmail | None:
        """Returns None, or raises NotFound, if the email has no recipient any more."""
        renderer = self._renderers.get(email.kind)
        if renderer is not None:
            return await renderer(db, email, now)
        return _outgoing(email, render_email(email.kind, email.locale, self._public_url + "/"))

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
        await tokens.add(
            db,
            secret,
            "verify",
            account_id=account.id,
            details=to_json_text(sign_up),
            expires_at=later(now, VERIFY_SECONDS),
        )
        link = self._link("verify", sign_up.locale, secret)
        return _outgoing(email, render_email("verify", sign_up.locale, link), to=sign_up.email)

    async def _reset(self, db: Write, email: QueuedEmail, now: Instant) -> OutgoingEmail | None:
        account = await accounts.lookup_by_email(db, email.email)
        return None if account is None else await self._choice_of_password(db, email, account, RESET_SECONDS, now)

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
        await tokens.add(db, secret, "reset", account_id=account.id, expires_at=later(now, seconds))
        link = self._link("reset", account.locale, secret)
        # To the stored address, not the requested one: for a case-sensitive server the two may be different mailboxes.
        return _outgoing(email, render_email(email.kind, account.locale, link), to=account.email)

    async def _invitation(self, db: Write, email: QueuedEmail, now: Instant) -> OutgoingEmail | None:
        invitation = await invitations.find(db, email.invitation_id or "", now)
        workshop = await workshops.find(db, invitation.workshop_id)
        inviter = await accounts.find(db, invitation.invited_by)
        invited = await accounts.lookup_by_email(db, invitation.email)
        locale = email.locale if invited is None else invited.locale
        secret = new_secret()
        await tokens.add(db, secret, "invitation", invitation_id=invitation.id, expires_at=invitation.expires_at)
        link = self._link("join", locale, secret)
        names = {"inviter": quoted(inviter.name), "workshop": quoted(workshop.name)}
        return _outgoing(email, render_email("invitation", locale, link, **names))

    async def _feedback(self, db: Write, email: QueuedEmail, _now: Instant) -> OutgoingEmail | None:
        sent = await feedback.find(db, msgspec.json.decode(email.details, type=str))
        sender = await accounts.find(db, email.account_id or "")
        values = {
            "topic": sent.kind.capitalize(),
            "title": sent.title,
            "sender": f"{sender.name} <{sent.email}>",
            "message": sent.message,
            "where": sent.path or "",
        }
        return _outgoing(email, render_email("feedback", email.locale, **values), reply_to=sent.email)

    def _link(self, page: str, locale: str, secret: str) -> str:
        # In the fragment, which browsers do not send: it appears in no log and no Referer header.
        return f"{self._public_url}/{page}/?lang={locale}#token={secret}"


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
