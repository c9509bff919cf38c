"""Google sign-in: the state of an OpenID Connect flow, and the profile from the ID token."""

import re

from msgspec import Struct

from backbench.domain.values.enums import UserLocale

# How long a flow may take, from the redirect to Google to the callback.
FLOW_SECONDS = 600
_DISALLOWED = r"[^\p{L}\p{M}\p{Nd} '’.,\-&]+"


class GoogleFlow(Struct, frozen=True):
    """A sign-in in progress. `browser` is the digest of the cookie of the browser that started it."""

    nonce: str
    verifier: str
    browser: str


class GoogleProfile(Struct, frozen=True):
    """The claims of an ID token whose signature, issuer, audience, times and nonce were verified."""

    issuer: str
    subject: str
    email: str | None
    is_email_verified: bool
    name: str | None
    locale: str | None

    def account_name(self) -> str:
        """The name without characters that account names do not allow; if none are left, the part before the @."""
        # At first use: the library takes a thirtieth of a start.
        import regex

        for text in (self.name or "", (self.email or "").partition("@")[0]):
            allowed = re.sub(r" {2,}", " ", regex.sub(_DISALLOWED, " ", text)).strip()[:100].strip()
            if allowed:
                return allowed
        return "Craftsperson"

    def account_locale(self) -> UserLocale:
        return "pl" if (self.locale or "").lower().startswith("pl") else "en"
