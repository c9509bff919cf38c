"""Signing in with Google: what a browser is sent away with, and what Google vouches for when it comes back."""

import re

import regex
from msgspec import Struct

from backbench.domain.values.enums import UserLocale

# How long somebody may take at Google's.
SECONDS = 600
_FOREIGN = regex.compile(r"[^\p{L}\p{M}\p{Nd} '’.,\-&]+")


class GoogleFlow(Struct, frozen=True):
    """One sign-in under way. `browser` is the digest of the cookie that only the browser which began it has."""

    nonce: str
    verifier: str
    browser: str


class GoogleProfile(Struct, frozen=True):
    """Out of an ID token whose signature, issuer, audience, times and nonce hold."""

    issuer: str
    subject: str
    email: str | None
    is_email_verified: bool
    name: str | None
    locale: str | None

    def account_name(self) -> str:
        """The name as far as an account may bear it; else what stands before the @."""
        for text in (self.name or "", (self.email or "").partition("@")[0]):
            allowed = re.sub(r" {2,}", " ", _FOREIGN.sub(" ", text)).strip()[:100].strip()
            if allowed:
                return allowed
        return "Craftsperson"

    def account_locale(self) -> UserLocale:
        return "pl" if (self.locale or "").lower().startswith("pl") else "en"
