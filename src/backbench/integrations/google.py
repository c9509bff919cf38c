"""Google, or any other OpenID provider: authorization code flow with PKCE, state and nonce.

Authlib speaks the protocol; it is an optional extra and is imported where it is used.
"""

import asyncio
import ssl
import time
from collections.abc import Mapping
from typing import Any

from backbench.domain.accounts.google import GoogleProfile
from backbench.domain.values.errors import FieldError, Unavailable, ValidationError

_SECONDS = 10.0
_METADATA_SECONDS = 3600.0
# Keys are fetched anew for a signature that none of them fits, but not for every made-up one.
_KEYS_LEAST_SECONDS = 10.0
_KEYS_MOST_SECONDS = 3600.0
_ALGORITHMS = ("RS256", "RS384", "RS512", "ES256", "ES384", "ES512", "PS256", "PS384", "PS512", "EdDSA")
_LEEWAY_SECONDS = 60
_SCOPE = "openid email profile"


class Google:
    """One client of one provider. Raises Unavailable when the provider cannot be reached."""

    def __init__(
        self,
        issuer: str,
        client_id: str,
        client_secret: str,
        redirect_uri: str,
        *,
        keys_seconds: float = _KEYS_LEAST_SECONDS,
    ) -> None:
        """`keys_seconds` is how long the keys are trusted to be the present ones when a signature fits none."""
        self.issuer = issuer.rstrip("/")
        self._client_id = client_id
        self._client_secret = client_secret
        self._redirect_uri = redirect_uri
        self._keys_seconds = keys_seconds
        self._tls = ssl.create_default_context() if issuer.startswith("https:") else False
        self._metadata: tuple[float, Mapping[str, Any]] | None = None
        self._keys: tuple[float, Mapping[str, Any]] | None = None
        self._fetching = asyncio.Lock()

    async def address(self, state: str, nonce: str, verifier: str) -> str:
        """Where the browser is sent."""
        metadata = await self._known_metadata()
        async with self._client() as client:
            url, _ = client.create_authorization_url(
                metadata["authorization_endpoint"], state=state, nonce=nonce, code_verifier=verifier
            )
        return str(url)

    async def profile(self, code: str, nonce: str, verifier: str) -> GoogleProfile:
        """Whom the code stands for. ValidationError unless the provider vouches for it, to us, for this very flow."""
        metadata = await self._known_metadata()
        token = await self._exchanged(str(metadata["token_endpoint"]), code, verifier)
        claims = await self._checked(token, nonce)
        return GoogleProfile(
            issuer=self.issuer,
            subject=str(claims["sub"]),
            email=_text(claims.get("email")),
            is_email_verified=claims.get("email_verified") is True,
            name=_text(claims.get("name")),
            locale=_text(claims.get("locale")),
        )

    async def _exchanged(self, endpoint: str, code: str, verifier: str) -> Mapping[str, Any]:
        import httpx2
        from authlib.integrations.base_client import OAuthError  # type: ignore[import-untyped]  # has no types

        try:
            async with self._client() as client:
                token: Mapping[str, Any] = await client.fetch_token(
                    endpoint, grant_type="authorization_code", code=code, code_verifier=verifier
                )
        except OAuthError:
            raise _not_vouched_for() from None
        except (httpx2.HTTPError, ValueError) as trouble:
            raise _unavailable(trouble) from trouble
        return token

    async def _checked(self, token: Mapping[str, Any], nonce: str) -> Mapping[str, Any]:
        """The claims of the ID token: signature, issuer, audience, times and nonce hold."""
        from authlib.oidc.core import CodeIDToken  # type: ignore[import-untyped]  # has no types
        from joserfc.errors import JoseError

        encoded = token.get("id_token")
        if not isinstance(encoded, str):
            raise _not_vouched_for()
        try:
            header, stated = await self._signed(encoded)
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
            raise _not_vouched_for() from None
        return claims

    async def _signed(self, encoded: str) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
        """Header and claims, signed with a key of the provider's; keys that have been changed since are fetched."""
        from joserfc import jwt
        from joserfc.errors import BadSignatureError, InvalidKeyIdError
        from joserfc.jwk import KeySet
        from joserfc.jws import JWSRegistry

        registry = JWSRegistry(algorithms=list(_ALGORITHMS), strict_check_header=False)
        try:
            known = KeySet.import_key_set(await self._known_keys(_KEYS_MOST_SECONDS))  # type: ignore[arg-type]  # as JSON
            decoded = jwt.decode(encoded, known, registry=registry)
        except (InvalidKeyIdError, BadSignatureError):
            fresh = KeySet.import_key_set(await self._known_keys(self._keys_seconds))  # type: ignore[arg-type]  # as JSON
            decoded = jwt.decode(encoded, fresh, registry=registry)
        return decoded.header, decoded.claims

    async def _known_metadata(self) -> Mapping[str, Any]:
        async with self._fetching:
            if self._metadata is None or time.monotonic() - self._metadata[0] > _METADATA_SECONDS:
                found = await self._fetch(f"{self.issuer}/.well-known/openid-configuration")
                if found.get("issuer") != self.issuer:
                    raise _unavailable(ValueError("it names another issuer"))
                self._metadata = (time.monotonic(), found)
            return self._metadata[1]

    async def _known_keys(self, oldest: float) -> Mapping[str, Any]:
        """The provider's keys, at most `oldest` seconds old."""
        metadata = await self._known_metadata()
        async with self._fetching:
            if self._keys is None or time.monotonic() - self._keys[0] > oldest:
                self._keys = (time.monotonic(), await self._fetch(str(metadata["jwks_uri"])))
            return self._keys[1]

    async def _fetch(self, url: str) -> Mapping[str, Any]:
        import httpx2

        try:
            async with self._client() as client:
                answer = await client.request("GET", url, withhold_token=True)
                answer.raise_for_status()
                found: Mapping[str, Any] = answer.json()
        except (httpx2.HTTPError, ValueError) as trouble:
            raise _unavailable(trouble) from trouble
        return found

    def _client(self) -> Any:
        from authlib.integrations.httpx_client import AsyncOAuth2Client  # type: ignore[import-untyped]  # has no types

        return AsyncOAuth2Client(
            self._client_id,
            self._client_secret,
            scope=_SCOPE,
            redirect_uri=self._redirect_uri,
            code_challenge_method="S256",
            timeout=_SECONDS,
            verify=self._tls,
        )


def _text(claim: object) -> str | None:
    return claim if isinstance(claim, str) and claim else None


def _not_vouched_for() -> ValidationError:
    return ValidationError(FieldError("/code", "not_valid", "The provider does not vouch for this"))


def _unavailable(trouble: Exception) -> Unavailable:
    return Unavailable("unavailable", f"The sign-in provider cannot be used now ({type(trouble).__name__})", wait=30)
