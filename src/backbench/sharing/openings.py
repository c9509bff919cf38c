"""Openings of a link: that the client's page was shown, as its script reports."""

from backbench.accounts import sessions
from backbench.accounts.credentials import SeparateLookup
from backbench.accounts.sessions import digest
from backbench.engine.database import Read, Write
from backbench.sharing import links
from backbench.sharing.links import LinkCall
from backbench.values.times import Instant, later
from backbench.workshops import members
from backbench.workshops.audit import Audited, Unchanged

# A page that is loaded again and again fills neither the log of changes nor the screens of members.
_EVENT_SECONDS = 600


async def add(db: Write, call: LinkCall, session: str | None) -> Audited[None] | Unchanged[None]:
    """Count an opening, unless it is that of a member of the workshop. `session`: the secret of its cookie."""
    link = call.caller.link
    if await lookup_member(db, link.workshop_id, session, call.now) is not None:
        return Unchanged(None)
    last = await links.lock_last_opening(db, link.id)
    await links.save_opening(db, link.id, call.now)
    if last is not None and later(last, _EVENT_SECONDS) > call.now:
        return Unchanged(None)
    return Audited(None, link.workshop_id, link.estimate_id)


async def lookup_member(db: Read, workshop_id: str, session: str | None, now: Instant) -> str | None:
    """The member of the workshop who is signed in with the session, by uid; None for anybody else."""
    if not session:
        return None
    found = await SeparateLookup(db).active(sessions.ACTIVE, digest(session), now)
    if found is None or await members.lookup_role(db, workshop_id, found.account_id) is None:
        return None
    return found.account_id
