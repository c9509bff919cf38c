"""Examples of accounts, sessions and API keys."""

from collections.abc import Mapping
from typing import Any

from msgspec import structs

from backbench.accounts.accounts import (
    AuthenticatedUser,
    Credentials,
    MeProfile,
    NewAccount,
    PasswordResetRequest,
    ProfileEdit,
    SignedIn,
    VerificationRequest,
)
from backbench.accounts.api_keys import ApiKey, ApiKeysList, ApiKeyWorkshop, CurrentApiKey, IssuedApiKey, NewApiKey
from backbench.accounts.deletion import AccountDeletion
from backbench.accounts.feedback import AccountDataExportFeedback, NewFeedback
from backbench.accounts.passwords import PasswordChange, PasswordReset
from backbench.accounts.sessions import SessionResponse, SessionsList
from backbench.accounts.sign_up import Verification
from backbench.reference.examples.ids import (
    ANNA_UID,
    API_KEY_ID,
    CHANGED_AT,
    CREATED_AT,
    EMAIL,
    FEEDBACK_ID,
    MOVED_AT,
    OTHER_SESSION_ID,
    PASSWORD,
    SESSION_ID,
    SIGNED_IN_AT,
    SIGNED_UP_AT,
    TOKEN,
    USER_AGENT,
    WORKSHOP_ID,
)
from backbench.reference.examples.workshops import WORKSHOP

USER = AuthenticatedUser(uid=ANNA_UID, email=EMAIL, name="Anna Kowalska", locale="en")
PROFILE = MeProfile(name="Anna Kowalska", email=EMAIL, locale="en", sign_in_methods=["password", "google"])
SESSIONS = [
    SessionResponse(id=SESSION_ID, created_at=SIGNED_IN_AT, last_seen_at=MOVED_AT, user_agent=USER_AGENT, current=True),
    SessionResponse(
        id=OTHER_SESSION_ID,
        created_at=SIGNED_UP_AT,
        last_seen_at=CREATED_AT,
        user_agent="Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15",
        current=False,
    ),
]
NEW_API_KEY = ApiKey(
    id=API_KEY_ID,
    name="Web shop",
    prefix="bbk_EXAMPLE0",
    scopes=["orders:read", "orders:write"],
    created_at=CREATED_AT,
    workshop_id=WORKSHOP_ID,
    expires_at="2027-11-16T00:00:00.000Z",
)
API_KEY = structs.replace(NEW_API_KEY, last_used_at=MOVED_AT)
FEEDBACK = AccountDataExportFeedback(
    id=FEEDBACK_ID,
    kind="support",
    title="Copying a grid to another workshop",
    message="Is there a way to use the same grid in two workshops?",
    email=EMAIL,
    locale="en",
    created_at=CHANGED_AT,
    path="/grids",
    user_agent=USER_AGENT,
)
BODIES: Mapping[str, Any] = {
    "signIn": Credentials(email=EMAIL, password=PASSWORD),
    "signUp": NewAccount(name="Anna Kowalska", email=EMAIL, password=PASSWORD, accept_terms=True, locale="en"),
    "verifyAccount": Verification(token=TOKEN, password=PASSWORD),
    "resendVerification": VerificationRequest(email=EMAIL),
    "requestPasswordReset": PasswordResetRequest(email=EMAIL),
    "resetPassword": PasswordReset(token=TOKEN, password="a plane and two saws"),  # noqa: S106 - an example
    "changePassword": PasswordChange(current_password=PASSWORD, new_password="a plane and two saws"),  # noqa: S106 - an example
    "deleteAccount": AccountDeletion(password=PASSWORD),
    "createFeedback": NewFeedback(kind="support", title=FEEDBACK.title, message=FEEDBACK.message, path="/grids"),
    "updateProfile": ProfileEdit(name="Anna Kowalska", locale="en"),
    "createApiKey": NewApiKey(
        name="Web shop",
        scopes=["orders:read", "orders:write"],
        expires_at="2027-11-16T00:00:00.000Z",
        workshop_id=WORKSHOP_ID,
    ),
}
RESPONSES: Mapping[str, Any] = {
    "signIn": SignedIn(USER),
    "verifyAccount": SignedIn(USER),
    "joinWorkshop": SignedIn(USER),
    "createFeedback": FEEDBACK,
    "getProfile": PROFILE,
    "updateProfile": PROFILE,
    "listSessions": SessionsList(SESSIONS),
    "listApiKeys": ApiKeysList([API_KEY]),
    "getApiKey": CurrentApiKey(API_KEY_ID, API_KEY.name, API_KEY.scopes, [ApiKeyWorkshop(WORKSHOP_ID, WORKSHOP.name)]),
    "createApiKey": IssuedApiKey(NEW_API_KEY, "bbk_EXAMPLE0EXAMPLE0EXAMPLE0EXAMPLE0EXAMPLE0EXAMPLE00"),
}
