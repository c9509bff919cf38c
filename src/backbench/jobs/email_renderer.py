"""Decides, when a mail is sent, whether it is still wanted, whom it goes to and what link it carries."""

from collections.abc import Awaitable, Callable

import msgspec

from backbench.domain.accounts.accounts import Account, SignUp
from backbench.domain.accounts.sessions import new_secret
from backbench.domain.mail.emails import Envelope, Letter, QueuedEmail, letter, quoted
from backbench.domain.values.numbers import to_json_text
from backbench.domain.values.times import Instant, later
from backbench.storage.accounts import accounts, feedback, tokens
from backbench.storage.engine.database import Write
from backbench.storage.workshops import invitations, workshops

VERIFY_SECONDS = 24 * 3600
RESET_SECONDS = 3600


class Writer:
    """Writes letters whose links lead to `public_url`.

    A link's secret is made here and only its digest is kept. A mail that is tried again gets a link of its own, and
    the links of earlier tries stay good until they expire: one of them may have arrived after all.
    """

    def __init__(self, public_url: str) -> None:
        self._public_url = public_url
        self._ways: dict[str, Callable[[Write, QueuedEmail, Instant], Awaitable[Envelope | None]]] = {
            "verify": self._verification,
            "resend": self._verification_again,
            "reset": self._reset,
            "invitation": self._invitation,
            "feedback": self._feedback,
        }

    async def write(self, db: Write, mail: QueuedEmail, now: Instant) -> Envelope | None:
        """None, or NotFound, where nobody is to be written to any more."""
        way = self._ways.get(mail.kind)
        if way is not None:
            return await way(db, mail, now)
        return _addressed(mail, letter(mail.kind, mail.locale, self._public_url + "/"))

    async def _verification(self, db: Write, mail: QueuedEmail, now: Instant) -> Envelope | None:
        account = await accounts.find(db, mail.account_id or "")
        if account.status != "pending":
            return None
        return await self._to_confirm(db, mail, account, msgspec.json.decode(mail.details, type=SignUp), now)

    async def _verification_again(self, db: Write, mail: QueuedEmail, now: Instant) -> Envelope | None:
        account = await accounts.lookup_by_email(db, mail.email)
        if account is None or account.status != "pending":
            return None
        return await self._to_confirm(db, mail, account, _last_sent(account), now)

    async def _to_confirm(self, db: Write, mail: QueuedEmail, account: Account, wish: SignUp, now: Instant) -> Envelope:
        secret = new_secret()
        await tokens.add(
            db,
            secret,
            "verify",
            account_id=account.id,
            details=to_json_text(wish),
            expires_at=later(now, VERIFY_SECONDS),
        )
        link = self._link("verify", wish.locale, secret)
        return _addressed(mail, letter("verify", wish.locale, link), to=wish.email)

    async def _reset(self, db: Write, mail: QueuedEmail, now: Instant) -> Envelope | None:
        account = await accounts.lookup_by_email(db, mail.email)
        if account is None or account.status != "active":
            return None
        secret = new_secret()
        expires_at = later(now, RESET_SECONDS)
        await tokens.add(db, secret, "reset", account_id=account.id, expires_at=expires_at)
        link = self._link("reset", account.locale, secret)
        # To the stored address, never to the one that was typed: the two may differ where a mail server cares.
        return _addressed(mail, letter("reset", account.locale, link), to=account.email)

    async def _invitation(self, db: Write, mail: QueuedEmail, now: Instant) -> Envelope | None:
        invitation = await invitations.find(db, mail.invitation_id or "", now)
        workshop = await workshops.find(db, invitation.workshop_id)
        inviter = await accounts.find(db, invitation.invited_by)
        invited = await accounts.lookup_by_email(db, invitation.email)
        locale = mail.locale if invited is None else invited.locale
        secret = new_secret()
        await tokens.add(db, secret, "invitation", invitation_id=invitation.id, expires_at=invitation.expires_at)
        link = self._link("join", locale, secret)
        names = {"inviter": quoted(inviter.name), "workshop": quoted(workshop.name)}
        return _addressed(mail, letter("invitation", locale, link, **names))

    async def _feedback(self, db: Write, mail: QueuedEmail, _now: Instant) -> Envelope | None:
        told = await feedback.find(db, msgspec.json.decode(mail.details, type=str))
        sender = await accounts.find(db, mail.account_id or "")
        values = {
            "topic": told.kind.capitalize(),
            "title": told.title,
            "sender": f"{sender.name} <{told.email}>",
            "message": told.message,
            "where": told.path or "",
        }
        return _addressed(mail, letter("feedback", mail.locale, **values), reply_to=told.email)

    def _link(self, page: str, locale: str, secret: str) -> str:
        # In the fragment, which browsers keep to themselves: no log and no Referer ever holds it.
        return f"{self._public_url}/{page}/?lang={locale}#token={secret}"


def _addressed(mail: QueuedEmail, written: Letter, to: str | None = None, reply_to: str | None = None) -> Envelope:
    return Envelope(id=mail.id, to=to or mail.email, at=mail.created_at, letter=written, reply_to=reply_to)


def _last_sent(account: Account) -> SignUp:
    return SignUp(
        email=account.email,
        name=account.name,
        locale=account.locale,
        password_hash=account.password_hash,
        terms_version=account.terms_version,
        terms_accepted_at=account.terms_accepted_at,
    )
