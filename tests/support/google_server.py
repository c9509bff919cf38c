"""A real OpenID provider for tests, in a thread: whoever it is told of signs in, and it can be told to lie."""

import contextlib
import threading
import warnings
from base64 import urlsafe_b64decode
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import parse_qs, urlsplit

import flask
import httpx
import werkzeug.serving
from joserfc import jwt
from joserfc.jwk import OctKey, RSAKey
from msgspec import json

with warnings.catch_warnings():
    # It uses a module of Authlib that Authlib would like to be rid of, and says so whatever the filters are.
    import authlib.deprecate  # type: ignore[import-untyped]  # has no types

    warnings.simplefilter("ignore")
    import authlib.jose  # type: ignore[import-untyped]  # has no types
    import oidc_provider_mock  # type: ignore[import-untyped]  # has no types

Claims = dict[str, Any]


class Provider:
    """What the provider knows and does."""

    def __init__(self) -> None:
        self.issuer = ""
        self.reset()

    def reset(self) -> None:
        """Tells the truth again, and has been asked nothing."""
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
        """New keys from the next request on."""
        self._is_rotating = True

    def asked(self, path: str) -> list[dict[str, str]]:
        return [form for asked_path, form in self.requests if asked_path == path]

    async def consent(self, address: str, subject: str) -> str:
        """Somebody signs in at the page that a browser was sent to; where it is sent then, path and query."""
        async with httpx.AsyncClient(verify=False, timeout=60) as browser:
            back = urlsplit((await browser.post(address, data={"sub": subject})).headers["location"])
        return f"{back.path}?{back.query}"

    def _before(self) -> tuple[str, int] | None:
        self.requests.append((flask.request.path, flask.request.form.to_dict()))
        if self._is_rotating:
            self._is_rotating = False
            flask.g.oidc_provider_mock_storage.jwk = authlib.jose.RSAKey.generate_key(is_private=True)
        return self.token_answer if flask.request.path == "/oauth2/token" else None

    def _after(self, answer: flask.Response) -> flask.Response:
        if flask.request.path == "/oauth2/token" and answer.status_code == 200:
            token = json.decode(answer.get_data())
            token["id_token"] = self._signed_anew(token["id_token"])
            answer.set_data(json.encode(token))
        return answer

    def _signed_anew(self, id_token: str) -> str:
        payload = id_token.split(".")[1]
        claims = self.change_claims(json.decode(urlsafe_b64decode(payload + "=" * (-len(payload) % 4))))
        own = flask.g.oidc_provider_mock_storage.jwk
        key = self.signs_with or RSAKey.import_key(own.as_dict(is_private=True))
        header = {"alg": self.algorithm, "kid": own.as_dict()["kid"]}
        return jwt.encode(header, claims, key, algorithms=[self.algorithm])


@contextlib.contextmanager
def provider() -> Iterator[Provider]:
    running = Provider()
    server = werkzeug.serving.make_server("127.0.0.1", 0, running.app(), threaded=True)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    running.issuer = f"http://127.0.0.1:{server.server_port}"
    try:
        yield running
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def query(address: str) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(urlsplit(address).query).items()}
