"""Google sign-in, or any other OpenID provider: authorization code flow with PKCE, state and nonce.

Authlib implements the protocol. It is an optional extra and is imported where it is used.
"""

import asyncio
import re
import ssl
import time
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from msgspec import Struct

from backbench.values.enums import UserLocale
from backbench.values.errors import FieldError, Unavailable, ValidationError

_DISALLOWED = r"[^\p{L}\p{M}\p{Nd} '’.,\-&]+"


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


_TIMEOUT_SECONDS = 3.0
# A provider that does not respond is not asked again for each request.
_FAILURE_SECONDS = 30.0
_METADATA_SECONDS = 3600.0
# Keys are fetched again if a signature matches none of them, but not for every forged signature.
_MIN_KEYS_AGE_SECONDS = 10.0
_MAX_KEYS_AGE_SECONDS = 3600.0
_ALGORITHMS = ("RS256", "RS384", "RS512", "ES256", "ES384", "ES512", "PS256", "PS384", "PS512", "EdDSA")
_LEEWAY_SECONDS = 60
_SCOPE = "openid email profile"


class Google:
    """An OAuth client of one provider. Raises Unavailable if the provider cannot be reached."""

    def __init__(
        self,
        issuer: str,
        client_id: str,
        client_secret: str,
        redirect_uri: str,
        *,
        min_keys_age: float = _MIN_KEYS_AGE_SECONDS,
    ) -> None:
        """`min_keys_age`: seconds before the keys are fetched again for a signature that matches none of them."""
        self.issuer = issuer.rstrip("/")
        self._client_id = client_id
        self._client_secret = client_secret
        self._redirect_uri = redirect_uri
        self._min_keys_age = min_keys_age
        self._tls = ssl.create_default_context() if issuer.startswith("https:") else False
        self._metadata = _Fetched(self._fetch_metadata)
        self._keys = _Fetched(self._fetch_keys)

    async def authorization_url(self, state: str, nonce: str, verifier: str) -> str:
        """The provider's page to which the browser is redirected."""
        metadata = await self._current_metadata()
        async with self._client() as client:
            url, _ = client.create_authorization_url(
                metadata["authorization_endpoint"], state=state, nonce=nonce, code_verifier=verifier
            )
        return str(url)

    async def profile(self, code: str, nonce: str, verifier: str) -> GoogleProfile:
        """Exchanges the authorization code for the user's profile.

        Raises ValidationError unless the ID token is valid for this client and this flow.
        """
        metadata = await self._current_metadata()
        token = await self._exchange(str(metadata["token_endpoint"]), code, verifier)
        claims = await self._verified_claims(token, nonce)
        return GoogleProfile(
            issuer=self.issuer,
            subject=str(claims["sub"]),
            email=_text(claims.get("email")),
            is_email_verified=claims.get("email_verified") is True,
            name=_text(claims.get("name")),
            locale=_text(claims.get("locale")),
        )

    async def _exchange(self, endpoint: str, code: str, verifier: str) -> Mapping[str, Any]:
        import httpx2
        from authlib.integrations.base_client import OAuthError  # type: ignore[import-untyped]  # has no types

        try:
            async with asyncio.timeout(_TIMEOUT_SECONDS), self._client() as client:
                token: Mapping[str, Any] = await client.fetch_token(
                    endpoint, grant_type="authorization_code", code=code, code_verifier=verifier
                )
        except OAuthError:
            raise _invalid_code() from None
        except (httpx2.HTTPError, ValueError, TimeoutError) as error:
            raise _unavailable(error) from error
        return token

    async def _verified_claims(self, token: Mapping[str, Any], nonce: str) -> Mapping[str, Any]:
        """The claims of the ID token, with its signature, issuer, audience, times and nonce verified."""
        from authlib.oidc.core import CodeIDToken  # type: ignore[import-untyped]  # has no types
        from joserfc.errors import JoseError

        encoded = token.get("id_token")
        if not isinstance(encoded, str):
            raise _invalid_code()
        try:
            header, stated = await self._decoded(encoded)
            claims: Mapping[str, Any] = CodeIDToken(
                stated,
                header,
                options={
                    "iss": {"essential": True, "value": self.issuer},
                    "aud": {"essential": True, "value": self._client_id},
                },
                params={
                    "nonce": nonce,
                    "client_id": self._client_id,
                    "access_token": token.get("access_token"),
                },
            )
            claims.validate(leeway=_LEEWAY_SECONDS)  # type: ignore[attr-defined]  # Authlib has no types
        except (JoseError, ValueError):
            raise _invalid_code() from None
        return claims

    async def _decoded(self, encoded: str) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
        """Header and claims of a token with a valid signature. Fetches the keys again after a key rotation."""
        from joserfc import jwt
        from joserfc.errors import BadSignatureError, InvalidKeyIdError
        from joserfc.jwk import KeySet
        from joserfc.jws import JWSRegistry

        registry = JWSRegistry(algorithms=list(_ALGORITHMS), strict_check_header=False)
        try:
            cached = KeySet.import_key_set(await self._current_keys(_MAX_KEYS_AGE_SECONDS))  # type: ignore[arg-type]  # as JSON
            decoded = jwt.decode(encoded, cached, registry=registry)
        except (InvalidKeyIdError, BadSignatureError):
            fresh = KeySet.import_key_set(await self._current_keys(self._min_keys_age))  # type: ignore[arg-type]  # as JSON
            decoded = jwt.decode(encoded, fresh, registry=registry)
        return decoded.header, decoded.claims

    async def _current_metadata(self) -> Mapping[str, Any]:
        return await self._metadata.current(_METADATA_SECONDS)

    async def _current_keys(self, max_age: float) -> Mapping[str, Any]:
        """The provider's keys, at most `max_age` seconds old."""
        return await self._keys.current(max_age)

    async def _fetch_metadata(self) -> Mapping[str, Any]:
        found = await self._fetch(f"{self.issuer}/.well-known/openid-configuration")
        if found.get("issuer") != self.issuer:
            raise _unavailable(ValueError("the metadata has another issuer"))
        return found

    async def _fetch_keys(self) -> Mapping[str, Any]:
        return await self._fetch(str((await self._current_metadata())["jwks_uri"]))

    async def _fetch(self, url: str) -> Mapping[str, Any]:
        import httpx2

        try:
            async with asyncio.timeout(_TIMEOUT_SECONDS), self._client() as client:
                response = await client.request("GET", url, withhold_token=True)
                response.raise_for_status()
                found: Mapping[str, Any] = response.json()
        except (httpx2.HTTPError, ValueError, TimeoutError) as error:
            raise _unavailable(error) from error
        return found

    def _client(self) -> Any:
        from authlib.integrations.httpx_client import AsyncOAuth2Client  # type: ignore[import-untyped]  # has no types

        return AsyncOAuth2Client(
            self._client_id,
            self._client_secret,
            scope=_SCOPE,
            redirect_uri=self._redirect_uri,
            code_challenge_method="S256",
            timeout=_TIMEOUT_SECONDS,
            verify=self._tls,
        )


class _Fetched:
    """A document of the provider. Requests that need it at the same time share one fetch, and its failure."""

    def __init__(self, fetch: Callable[[], Awaitable[Mapping[str, Any]]]) -> None:
        self._fetch = fetch
        self._document: Mapping[str, Any] | None = None
        self._fetched_at = 0.0
        self._failure: Unavailable | None = None
        self._failed_at = 0.0
        self._fetching: asyncio.Task[Mapping[str, Any]] | None = None

    async def current(self, max_age: float) -> Mapping[str, Any]:
        """The document, at most `max_age` seconds old. Raises Unavailable, also for 30 seconds after a failure."""
        now = time.monotonic()
        if self._document is not None and now - self._fetched_at <= max_age:
            return self._document
        if self._failure is not None and now - self._failed_at < _FAILURE_SECONDS:
            raise Unavailable(self._failure.code, self._failure.detail, self._failure.wait)
        if self._fetching is None:
            self._fetching = asyncio.create_task(self._refresh())
            # Retrieved even if every client that waited has disconnected; asyncio would log it as lost otherwise.
            self._fetching.add_done_callback(lambda task: task.cancelled() or task.exception())
        # Shielded: a client that disconnects must not end the fetch of the others.
        return await asyncio.shield(self._fetching)

    async def _refresh(self) -> Mapping[str, Any]:
        try:
            document = await self._fetch()
        except Unavailable as failure:
            self._failure, self._failed_at = failure, time.monotonic()
            raise
        else:
            self._document, self._fetched_at, self._failure = document, time.monotonic(), None
            return document
        finally:
            self._fetching = None


def _text(claim: object) -> str | None:
    return claim if isinstance(claim, str) and claim else None


def _invalid_code() -> ValidationError:
    return ValidationError(FieldError("/code", "not_valid", "The provider did not confirm this sign-in"))


def _unavailable(error: Exception) -> Unavailable:
    return Unavailable("unavailable", f"The sign-in provider is unavailable ({type(error).__name__})", wait=30)
