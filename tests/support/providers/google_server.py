"""Test server of an OpenID provider, in a thread: signs in the users added to it; its tokens can be falsified."""

import contextlib
import warnings
from base64 import urlsafe_b64decode
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urlsplit

import flask
import httpx
from joserfc import jwt
from joserfc.jwk import OctKey, RSAKey
from msgspec import json

from tests.support.providers.servers import served, wsgi_server

with warnings.catch_warnings():
    # It uses a deprecated module of Authlib, which warns regardless of the filters.
    import authlib.deprecate  # type: ignore[import-untyped]  # has no types

    warnings.simplefilter("ignore")
    import authlib.jose  # type: ignore[import-untyped]  # has no types
    import oidc_provider_mock  # type: ignore[import-untyped]  # has no types

Claims = dict[str, Any]


class Provider:
    """The provider: records requests, and returns correct tokens unless a test changes its attributes."""

    def __init__(self) -> None:
        self.issuer = ""
        self._own_key: object = None
        self._signing_key: RSAKey | None = None
        self.reset()

    def reset(self) -> None:
        """Restores correct tokens, and clears the recorded requests."""
        self.requests: list[tuple[str, dict[str, str]]] = []
        self.change_claims: Callable[[Claims], Claims] = lambda claims: claims
        self.signs_with: RSAKey | OctKey | None = None
        self.algorithm = "RS256"
        self.token_answer: tuple[str, int] | None = None
        self._is_rotating = False

    def app(self) -> flask.Flask:
        app: flask.Flask = oidc_provider_mock.app(require_nonce=True)
        app.before_request(self._before)
        app.after_request(self._after)
        return app

    def know(self, subject: str, **claims: Any) -> None:
        httpx.put(f"{self.issuer}/users/{subject}", json=claims, verify=False, timeout=60).raise_for_status()

    def rotate(self) -> None:
        """Replaces the signing key at the next request."""
        self._is_rotating = True

    def asked(self, path: str) -> list[dict[str, str]]:
        return [form for requested_path, form in self.requests if requested_path == path]

    async def consent(self, address: str, subject: str) -> str:
        """Signs the user in at the authorization URL. Returns path and query of the redirect."""
        async with httpx.AsyncClient(verify=False, timeout=60) as browser:
            redirect = urlsplit((await browser.post(address, data={"sub": subject})).headers["location"])
        return f"{redirect.path}?{redirect.query}"

    def _before(self) -> tuple[str, int] | None:
        self.requests.append((flask.request.path, flask.request.form.to_dict()))
        if self._is_rotating:
            self._is_rotating = False
            flask.g.oidc_provider_mock_storage.jwk = authlib.jose.RSAKey.generate_key(is_private=True)
        return self.token_answer if flask.request.path == "/oauth2/token" else None

    def _after(self, response: flask.Response) -> flask.Response:
        if flask.request.path == "/oauth2/token" and response.status_code == 200:
            token = json.decode(response.get_data())
            token["id_token"] = self._sign_again(token["id_token"])
            response.set_data(json.encode(token))
        return response

    def _sign_again(self, id_token: str) -> str:
        payload = id_token.split(".")[1]
        claims = self.change_claims(json.decode(urlsafe_b64decode(payload + "=" * (-len(payload) % 4))))
        own_key = flask.g.oidc_provider_mock_storage.jwk
        if own_key is not self._own_key:
            # The numbers of a private key are checked, which takes longer than all else of a sign-in.
            self._own_key, self._signing_key = own_key, RSAKey.import_key(own_key.as_dict(is_private=True))
        key = self.signs_with or self._signing_key
        assert key is not None
        header = {"alg": self.algorithm, "kid": own_key.as_dict()["kid"]}
        return jwt.encode(header, claims, key, algorithms=[self.algorithm])


@contextlib.contextmanager
def provider() -> Iterator[Provider]:
    running = Provider()
    with served(wsgi_server(running.app())) as server:
        running.issuer = f"http://127.0.0.1:{server.server_port}"
        yield running
