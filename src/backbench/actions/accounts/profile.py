"""Profile of the signed-in account: read and update."""

from backbench.domain.accounts.accounts import MeProfile, ProfileEdit
from backbench.domain.accounts.calls import Call
from backbench.storage.accounts import accounts, identities
from backbench.storage.engine.database import Read, Write


async def get(db: Read, call: Call) -> MeProfile:
    """Read the profile of the signed-in account."""
    account = await accounts.find(db, call.uid)
    return MeProfile(
        name=account.name,
        email=account.email,
        locale=account.locale,
        sign_in_methods=account.sign_in_methods(has_identity=await identities.exists(db, account.id)),
    )


async def update(db: Write, call: Call, body: ProfileEdit) -> MeProfile:
    """Change name or locale of the signed-in account."""
    await accounts.save_profile(db, call.uid, body)
    return await get(db, call)
