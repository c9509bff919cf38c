"""What whoever watches the logs is told of: who was turned away, who signed in, and how an account is guarded now."""

from backbench.http.operations import Operation

# Guessing, probing and what does not fit its schema. Conflicts are everyday life, and a 404 is anybody's typing error.
REFUSED = frozenset({400, 401, 403, 413, 415, 422, 429})

_SIGNED_IN = "signed in"
EVENTS = {
    "accounts.remove": "account deleted",
    "accounts.sign_up": "sign-up begun",
    "accounts.verify": _SIGNED_IN,
    "google.callback": _SIGNED_IN,
    "google.unlink": "google unlinked",
    "passwords.change": "password changed",
    "passwords.reset": "password reset",
    "profile.end_session": "session ended",
    "profile.issue_key": "key issued",
    "profile.revoke_key": "key revoked",
    "sign_in.authenticate": _SIGNED_IN,
    "sign_in.logout": "signed out",
}


def event_of(operation: Operation) -> str | None:
    """What it is called in the log when the operation has been done; None where its doing is not noted."""
    return EVENTS.get(operation.name)


def as_it_went(event: str, uid: str | None) -> str:
    """Whoever comes back from Google and may not in, or has changed their mind, is led on all the same."""
    return "not signed in" if event == _SIGNED_IN and uid is None else event
