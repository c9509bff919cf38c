"""Lists for the command line: all accounts, workshops, members and API keys of the server."""

from backbench.domain.billing.plans import PlanRules
from backbench.domain.operations.listings import ListedAccount, ListedKey, ListedMember, ListedWorkshop
from backbench.domain.values.times import Instant
from backbench.storage.accounts import accounts
from backbench.storage.engine.database import Read
from backbench.storage.operations import listings
from backbench.storage.workshops import workshops


async def list_accounts(db: Read) -> list[ListedAccount]:
    return await listings.list_accounts(db)


async def list_workshops(db: Read, rules: PlanRules, now: Instant) -> list[ListedWorkshop]:
    """With the plans that are in effect at `now`, as everywhere."""
    return await listings.list_workshops(db, rules, now)


async def list_members(db: Read, workshop_id: str) -> list[ListedMember]:
    """Raises NotFound."""
    await workshops.find(db, workshop_id)
    return await listings.list_members(db, workshop_id)


async def list_keys(db: Read, email: str | None) -> list[ListedKey]:
    """The keys of the account, or of all accounts. Raises NotFound."""
    account = None if email is None else await accounts.find_by_email(db, email)
    return await listings.list_keys(db, None if account is None else account.id)
