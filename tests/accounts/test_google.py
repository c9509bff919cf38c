"""Sign-in with Google against a real OpenID provider: account linking, callbacks and ID tokens."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import time
from collections.abc import AsyncIterator, Callable, Iterator
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from joserfc.jwk import OctKey, RSAKey

from backbench.hosting import administration
from backbench.integrations.google import Google, GoogleProfile
from backbench.settings import Settings
from backbench.values import times
from backbench.values.errors import Unavailable, ValidationError
from backbench.values.ids import new_id
from tests.people import PASSWORD, App, Person, pointers
from tests.support.database_dump import dump_of
from tests.support.databases import running_app
from tests.support.mailbox import emails_to, last_email_to, token_for
from tests.support.providers.servers import stream_server

if TYPE_CHECKING:
    from tests.support.providers.google_server import Claims, Provider

GOOGLE = "/api/auth/google"
# The provider uses a deprecated function of Authlib, in a thread of this process.
pytestmark = pytest.mark.filterwarnings("ignore:get_jwt_config")


@pytest.fixture(autouse=True)
def long_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy machine may need more than the three seconds that the provider has."""
    monkeypatch.setattr("backbench.integrations.google._TIMEOUT_SECONDS", 60.0)


@pytest.fixture(scope="module")
def running_provider() -> Iterator[Provider]:
    # Its libraries take 0.2 s, which no process should take that runs other tests.
    from tests.support.providers.google_server import provider

    with provider() as running:
        yield running


@pytest.fixture
def google(running_provider: Provider) -> Provider:
    """The provider in its initial state. Its key is made once, since that takes a quarter of a second."""
    running_provider.reset()
    return running_provider


@pytest.fixture
async def open_app(google: Provider, new_database_url: Callable[[], str]) -> AsyncIterator[App]:
    """An app in which anyone may sign up, also with Google."""
    async with running_app(new_database_url(), sign_up="open", **client_of(google)) as app:
        yield app


def query(address: str) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(urlsplit(address).query).items()}


def client_of(google: Provider) -> dict[str, str]:
    return {"google_issuer": google.issuer, "google_client_id": "backbench", "google_client_secret": "hush"}


async def start_sign_in(person: Person) -> str:
    """The URL of the provider to which the browser is redirected."""
    response = await person.browser.get(GOOGLE)
    assert (response.status_code, response.content) == (302, b"")
    return response.headers["location"]


async def sign_in_with_google(person: Person, google: Provider, subject: str) -> httpx.Response:
    return await person.browser.get(await google.consent(await start_sign_in(person), subject))


async def email_of(person: Person) -> str:
    email: str = (await person.get("/me")).json()["email"]
    return email


def must_be_refused(response: httpx.Response, person: Person) -> None:
    assert (response.status_code, response.headers["location"]) == (302, "/?sign-in=refused")
    assert "session" not in person.browser.cookies


async def test_a_first_sign_in_creates_an_account_and_a_workshop(open_app: App, google: Provider) -> None:
    zofia = open_app.anonymous()
    google.know("z-1", email=zofia.email, email_verified=True, name="Zofia <Żak>  (Łódź)", locale="pl-PL")
    response = await sign_in_with_google(zofia, google, "z-1")
    assert (response.status_code, response.headers["location"]) == (302, "/")
    me = (await zofia.get("/me")).json()
    assert me == {"name": "Zofia Żak Łódź", "email": zofia.email, "locale": "pl", "signInMethods": ["google"]}
    [workshop] = (await zofia.get("/workshops")).json()["workshops"]
    assert workshop["isDefault"]
    [linked] = (await zofia.get("/me/data-export")).json()["authProviders"]
    assert (linked["provider"], linked["subject"]) == ("google", "z-1")


async def test_a_returning_subject_gets_its_account_despite_another_address(open_app: App, google: Provider) -> None:
    zofia, again = open_app.anonymous(), open_app.anonymous()
    google.know("z-1", email=zofia.email, email_verified=True)
    await sign_in_with_google(zofia, google, "z-1")
    google.know("z-1", email="elsewhere@example.com", email_verified=False)
    await sign_in_with_google(again, google, "z-1")
    assert await email_of(again) == zofia.email


async def test_a_verified_account_is_linked_and_notified(open_app: App, google: Provider) -> None:
    anna = await open_app.person("Anna")
    browser = open_app.anonymous()
    google.know("a-1", email=anna.email.upper(), email_verified=True)
    await sign_in_with_google(browser, google, "a-1")
    assert (await browser.get("/me")).json()["signInMethods"] == ["password", "google"]
    assert (await last_email_to(open_app, anna.email))["Subject"] == "You can now sign in with Google"
    assert (await anna.get("/me")).status_code == 200, "the other sessions remain"


async def test_the_authorization_request_has_pkce_state_and_nonce(open_app: App, google: Provider) -> None:
    zofia = open_app.anonymous()
    google.know("z-1", email=zofia.email, email_verified=True)
    address = await start_sign_in(zofia)
    sent = query(address)
    assert (sent["response_type"], sent["client_id"]) == ("code", "backbench")
    assert sent["redirect_uri"] == f"http://127.0.0.1:8000{GOOGLE}/callback"
    assert set(sent["scope"].split()) == {"openid", "email", "profile"}
    assert sent["code_challenge_method"] == "S256"
    assert min(len(sent[name]) for name in ("state", "nonce", "code_challenge")) >= 43
    await zofia.browser.get(await google.consent(address, "z-1"))
    [token_request] = google.asked("/oauth2/token")
    digest = hashlib.sha256(token_request["code_verifier"].encode()).digest()
    assert base64.urlsafe_b64encode(digest).rstrip(b"=").decode() == sent["code_challenge"]


async def test_state_nonce_and_verifier_are_new_each_time(open_app: App) -> None:
    sent = [query(await start_sign_in(open_app.anonymous())) for _ in range(3)]
    for name in ("state", "nonce", "code_challenge"):
        assert len({each[name] for each in sent}) == 3


# Pre-hijacking, in both directions


async def test_an_attackers_unconfirmed_sign_up_ends_with_the_google_sign_in(open_app: App, google: Provider) -> None:
    """PocketBase CVE-2026-44166: Eve signs up with Zofia's address, never confirms it, and waits for Zofia."""
    zofia, eve = open_app.anonymous(), open_app.anonymous()
    body = {"name": "Eve", "email": zofia.email, "password": PASSWORD, "acceptTerms": True}
    await eve.post("/accounts", body)
    token = await token_for(open_app, zofia.email)
    google.know("z-1", email=zofia.email, email_verified=True, name="Zofia")
    await sign_in_with_google(zofia, google, "z-1")
    me = (await zofia.get("/me")).json()
    assert (me["name"], me["signInMethods"]) == ("Zofia", ["google"])
    assert (await Person(open_app, zofia.email).sign_in()).status_code == 401
    assert pointers(await eve.post("/accounts/verify", {"token": token, "password": PASSWORD})) == ["/token"]
    await eve.post("/accounts/verify/resend", {"email": zofia.email})
    assert len(await emails_to(open_app, zofia.email)) == 1


async def test_an_unverified_address_gets_no_account(open_app: App, google: Provider) -> None:
    anna, eve = await open_app.person("Anna"), open_app.anonymous()
    before = await dump_of(open_app.db)
    for verified in (False, "true", 1, None):
        google.know("e-1", email=anna.email, **({} if verified is None else {"email_verified": verified}))
        must_be_refused(await sign_in_with_google(eve, google, "e-1"), eve)
    assert await dump_of(open_app.db) == before


async def test_an_unverified_address_does_not_block_its_owner(open_app: App, google: Provider) -> None:
    zofia, eve = open_app.anonymous(), open_app.anonymous()
    google.know("e-1", email=zofia.email, email_verified=False)
    must_be_refused(await sign_in_with_google(eve, google, "e-1"), eve)
    body = {"name": "Zofia", "email": zofia.email, "password": PASSWORD, "acceptTerms": True}
    await zofia.post("/accounts", body)
    verification = {"token": await token_for(open_app, zofia.email), "password": PASSWORD}
    await zofia.post("/accounts/verify", verification)
    must_be_refused(await sign_in_with_google(eve, google, "e-1"), eve)
    assert (await zofia.get("/me")).json()["signInMethods"] == ["password"]


async def test_an_account_with_an_unverified_address_is_not_linked(open_app: App, google: Provider) -> None:
    """The host activated Eve's account without the email: the address may still be Zofia's."""
    zofia, eve = open_app.anonymous(), open_app.anonymous()
    await eve.post("/accounts", {"name": "Eve", "email": zofia.email, "password": PASSWORD, "acceptTerms": True})
    await open_app.db.write(lambda db: administration.activate(db, zofia.email, times.now(), new_id))
    google.know("z-1", email=zofia.email, email_verified=True)
    must_be_refused(await sign_in_with_google(zofia, google, "z-1"), zofia)


async def test_a_reassigned_address_does_not_transfer_the_account(open_app: App, google: Provider) -> None:
    old, new = open_app.anonymous(), open_app.anonymous()
    google.know("old-1", email=old.email, email_verified=True)
    await sign_in_with_google(old, google, "old-1")
    google.know("new-1", email=old.email, email_verified=True)
    must_be_refused(await sign_in_with_google(new, google, "new-1"), new)


async def test_a_similar_mailbox_is_not_linked(open_app: App, google: Provider) -> None:
    async def rename(db: Any) -> None:
        sql = "UPDATE accounts SET email = :email, email_key = :key WHERE id = :uid"
        await db.run(
            sql, email=f"stra\u00dfe.{anna.uid}@example.com", key=f"strasse.{anna.uid}@example.com", uid=anna.uid
        )

    anna, eve = await open_app.person("Anna"), open_app.anonymous()
    await open_app.db.write(rename)
    google.know("e-1", email=f"strasse.{anna.uid}@example.com", email_verified=True)
    must_be_refused(await sign_in_with_google(eve, google, "e-1"), eve)


# Sign-up settings and sessions


async def test_a_suspended_account_cannot_sign_in_with_google(open_app: App, google: Provider) -> None:
    zofia = open_app.anonymous()
    google.know("z-1", email=zofia.email, email_verified=True)
    await sign_in_with_google(zofia, google, "z-1")
    await open_app.db.write(lambda db: administration.suspend(db, zofia.email, times.now(), new_id))
    again = open_app.anonymous()
    must_be_refused(await sign_in_with_google(again, google, "z-1"), again)


async def test_invited_sign_up_applies_to_google(google: Provider, new_database_url: Callable[[], str]) -> None:
    async with running_app(new_database_url(), sign_up="invited", **client_of(google)) as app:
        anna, zofia = await app.owner("Anna"), app.anonymous()
        google.know("z-1", email=zofia.email, email_verified=True)
        must_be_refused(await sign_in_with_google(zofia, google, "z-1"), zofia)
        await anna.post(f"/workshops/{anna.workshop}/invitations", {"email": zofia.email, "role": "member"})
        assert (await sign_in_with_google(zofia, google, "z-1")).headers["location"] == "/"


async def test_closed_sign_up_applies_to_google(google: Provider, new_database_url: Callable[[], str]) -> None:
    async with running_app(new_database_url(), sign_up="closed", **client_of(google)) as app:
        anna, zofia = await app.person("Anna"), app.anonymous()
        google.know("z-1", email=zofia.email, email_verified=True)
        must_be_refused(await sign_in_with_google(zofia, google, "z-1"), zofia)
        google.know("a-1", email=anna.email, email_verified=True)
        assert (await sign_in_with_google(app.anonymous(), google, "a-1")).headers["location"] == "/"


async def test_signing_in_ends_the_presented_session(open_app: App, google: Provider) -> None:
    anna = await open_app.person("Anna")
    planted = anna.browser.cookies["session"]
    google.know("a-1", email=anna.email, email_verified=True)
    await sign_in_with_google(anna, google, "a-1")
    assert anna.browser.cookies["session"] != planted
    before = open_app.anonymous()
    before.browser.cookies.set("session", planted)
    assert (await before.get("/me")).status_code == 401


@pytest.mark.both_engines
async def test_parallel_first_sign_ins_create_one_account(open_app: App, google: Provider) -> None:
    email = open_app.anonymous().email
    google.know("z-1", email=email, email_verified=True)
    browsers = [open_app.anonymous() for _ in range(4)]
    callbacks = [await google.consent(await start_sign_in(browser), "z-1") for browser in browsers]
    responses = await asyncio.gather(
        *[browser.browser.get(address) for browser, address in zip(browsers, callbacks, strict=True)]
    )
    assert {response.headers["location"] for response in responses} == {"/"}
    assert {await email_of(browser) for browser in browsers} == {email}
    assert len((await browsers[0].get("/workshops")).json()["workshops"]) == 1


# The callback


async def test_a_state_can_be_used_once(open_app: App, google: Provider) -> None:
    zofia = open_app.anonymous()
    google.know("z-1", email=zofia.email, email_verified=True)
    address = await start_sign_in(zofia)
    flow = zofia.browser.cookies["google-flow"]
    callback = await google.consent(address, "z-1")
    assert (await zofia.browser.get(callback)).status_code == 302
    assert "google-flow" not in zofia.browser.cookies
    zofia.browser.cookies.set("google-flow", flow, domain="127.0.0.1", path=GOOGLE)
    assert pointers(await zofia.browser.get(callback)) == ["/state"]


async def test_a_callback_in_another_browser_signs_nobody_in(open_app: App, google: Provider) -> None:
    """Login CSRF: Eve makes Zofia's browser complete Eve's own sign-in."""
    eve, zofia = open_app.anonymous(), open_app.anonymous()
    google.know("e-1", email=eve.email, email_verified=True)
    callback = await google.consent(await start_sign_in(eve), "e-1")
    await start_sign_in(zofia)
    assert pointers(await zofia.browser.get(callback)) == ["/state"]
    assert "session" not in zofia.browser.cookies


async def test_a_cross_site_start_is_forbidden(open_app: App) -> None:
    """A user who is signed in at Google would otherwise be signed in here without consent."""
    for site, status in (("cross-site", 403), ("same-origin", 302), ("none", 302)):
        response = await open_app.anonymous().browser.get(GOOGLE, headers={"sec-fetch-site": site})
        assert response.status_code == status


async def test_the_flow_cookie_is_host_only_over_https(google: Provider, new_database_url: Callable[[], str]) -> None:
    https = {"public_url": "https://office.example.com", **client_of(google)}
    async with running_app(new_database_url(), sign_up="open", **https) as app:
        response = await app.anonymous().browser.get(GOOGLE)
    name, _, flags = response.headers["set-cookie"].partition("=")
    assert name == "__Host-google-flow"
    assert {"Path=/", "Secure", "HttpOnly", "SameSite=Lax"} <= set(flags.split("; "))
    assert "Domain" not in flags


async def test_an_expired_flow_is_rejected(open_app: App, google: Provider) -> None:
    zofia = open_app.anonymous()
    google.know("z-1", email=zofia.email, email_verified=True)
    callback = await google.consent(await start_sign_in(zofia), "z-1")
    await open_app.db.write(lambda db: db.run("UPDATE tokens SET expires_at = :now", now=times.now()))
    assert pointers(await zofia.browser.get(callback)) == ["/state"]


async def test_the_secrets_of_a_flow_are_not_stored_in_clear(open_app: App) -> None:
    zofia = open_app.anonymous()
    state = query(await start_sign_in(zofia))["state"]
    stored = repr(await dump_of(open_app.db))
    assert state not in stored
    assert zofia.browser.cookies["google-flow"] not in stored


async def test_a_callback_from_another_provider_is_rejected(open_app: App, google: Provider) -> None:
    zofia = open_app.anonymous()
    callback = await google.consent(await start_sign_in(zofia), "z-1")
    assert pointers(await zofia.browser.get(callback + "&iss=https%3A%2F%2Fevil.example")) == ["/iss"]


async def test_a_cancelled_sign_in_redirects_back_signed_out(open_app: App) -> None:
    zofia = open_app.anonymous()
    state = query(await start_sign_in(zofia))["state"]
    response = await zofia.browser.get(f"{GOOGLE}/callback?error=access_denied&state={state}")
    assert (response.status_code, response.headers["location"]) == (302, "/?sign-in=cancelled")
    assert "session" not in zofia.browser.cookies


@pytest.mark.parametrize("parameters", ["", "?code=x", "?state=x", "?code=x&state=x", "?error=access_denied&state=x"])
async def test_a_forged_callback_is_rejected(open_app: App, parameters: str) -> None:
    assert (await open_app.anonymous().browser.get(f"{GOOGLE}/callback{parameters}")).status_code == 400


async def test_an_unknown_authorization_code_is_rejected(open_app: App, google: Provider) -> None:
    zofia = open_app.anonymous()
    callback = await google.consent(await start_sign_in(zofia), "z-1")
    invented = callback.replace(f"code={query(callback)['code']}", "code=made-up")
    assert pointers(await zofia.browser.get(invented)) == ["/code"]


async def test_flows_from_one_ip_address_are_limited(open_app: App) -> None:
    anonymous = open_app.anonymous("10.9.9.9")

    async def exhaust(db: Any) -> None:
        await db.run(
            "INSERT INTO attempts (counted, number, ends_at) VALUES ('google from 10.9.9.9', 100, :ends_at)",
            ends_at=times.later(times.now(), 60),
        )

    await open_app.db.write(exhaust)
    assert (await anonymous.browser.get(GOOGLE)).status_code == 429


async def test_the_google_paths_are_404_without_google(app: App) -> None:
    for path in (GOOGLE, f"{GOOGLE}/callback?code=x&state=y"):
        response = await app.anonymous().browser.get(path)
        assert (response.status_code, response.content) == (404, b"")


async def test_an_unavailable_provider_is_503_for_google_only(new_database_url: Callable[[], str]) -> None:
    unreachable = {"google_issuer": "http://127.0.0.1:9", "google_client_id": "x", "google_client_secret": "y"}
    async with running_app(new_database_url(), **unreachable) as app:
        response = await app.anonymous().browser.get(GOOGLE)
        assert (response.status_code, response.json()["code"]) == (503, "unavailable")
        assert (await (await app.person("Anna")).get("/me")).status_code == 200


# Unlinking Google


async def test_google_can_be_unlinked_if_a_password_remains(open_app: App, google: Provider) -> None:
    anna = await open_app.person("Anna")
    google.know("a-1", email=anna.email, email_verified=True)
    await sign_in_with_google(open_app.anonymous(), google, "a-1")
    response = await anna.delete("/me/sign-in-methods/google")
    assert (await last_email_to(open_app, anna.email))["Subject"] == "Google sign-in was turned off"
    assert (response.status_code, response.content) == (204, b"")
    assert (await anna.get("/me")).json()["signInMethods"] == ["password"]
    assert (await anna.delete("/me/sign-in-methods/google")).status_code == 404


@pytest.mark.both_engines
async def test_the_last_sign_in_method_cannot_be_removed(open_app: App, google: Provider) -> None:
    zofia = open_app.anonymous()
    google.know("z-1", email=zofia.email, email_verified=True)
    await sign_in_with_google(zofia, google, "z-1")
    response = await zofia.delete("/me/sign-in-methods/google")
    assert (response.status_code, response.json()["code"]) == (409, "last_sign_in_method")
    await zofia.post("/password-resets", {"email": zofia.email})
    new = {"token": await token_for(open_app, zofia.email), "password": PASSWORD}
    assert (await zofia.post("/password-resets/confirm", new)).status_code == 204
    await zofia.sign_in()
    assert (await zofia.delete("/me/sign-in-methods/google")).status_code == 204


# Checks of the protocol in the integration


def client(google: Provider, keys_seconds: float = 10) -> Google:
    return Google(google.issuer, "backbench", "hush", "http://127.0.0.1/back", min_keys_age=keys_seconds)


async def profile(google: Provider, integration: Google | None = None, nonce: str = "n" * 43) -> GoogleProfile:
    """The profile from a complete authorization flow."""
    integration = integration or client(google)
    address = await integration.authorization_url("s" * 43, "n" * 43, "v" * 64)
    code = query(await google.consent(address, "z-1"))["code"]
    return await integration.profile(code, nonce, "v" * 64)


@pytest.fixture
async def silent_provider() -> AsyncIterator[tuple[str, list[asyncio.StreamWriter]]]:
    """The address of a provider that accepts connections and sends nothing, and its connections."""
    connections: list[asyncio.StreamWriter] = []

    async def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connections.append(writer)
        await reader.read()

    async with stream_server(accept) as port:
        yield f"http://127.0.0.1:{port}", connections


async def test_requests_share_one_fetch_and_its_failure(
    silent_provider: tuple[str, list[asyncio.StreamWriter]],
    new_database_url: Callable[[], str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("backbench.integrations.google._TIMEOUT_SECONDS", 0.2)
    issuer, connections = silent_provider
    names = {"google_client_id": "backbench", "google_client_secret": "hush"}
    async with running_app(new_database_url(), google_issuer=issuer, **names) as app:
        anybody = app.anonymous()
        together = await asyncio.gather(*[anybody.browser.get(GOOGLE) for _ in range(5)])
        later = await anybody.browser.get(GOOGLE)
        assert [response.status_code for response in (*together, later)] == [503] * 6
        assert len(connections) == 1
        assert later.headers["ratelimit"].startswith('"address";r=94;'), "every request counts"


async def test_rotated_provider_keys_are_fetched(google: Provider) -> None:
    integration = client(google, keys_seconds=0)
    assert (await profile(google, integration)).subject == "z-1"
    google.rotate()
    assert (await profile(google, integration)).subject == "z-1"
    assert len(google.asked("/jwks")) == 2
    await profile(google, integration)
    assert len(google.asked("/jwks")) == 2, "they are cached"


async def test_invalid_signatures_do_not_refetch_the_keys(google: Provider) -> None:
    integration = client(google)
    google.signs_with = RSAKey.generate_key()
    for _ in range(4):
        with pytest.raises(ValidationError):
            await profile(google, integration)
    assert len(google.asked("/jwks")) == 1


async def test_a_signature_with_another_key_is_rejected(google: Provider) -> None:
    google.signs_with = RSAKey.generate_key()
    with pytest.raises(ValidationError):
        await profile(google, client(google, keys_seconds=0))


async def test_a_signature_with_the_client_secret_is_rejected(google: Provider) -> None:
    google.signs_with, google.algorithm = OctKey.import_key("hush" * 10), "HS256"
    with pytest.raises(ValidationError):
        await profile(google)


WRONG_CLAIMS: dict[str, Callable[[Claims], Claims]] = {
    "issuer": lambda claims: {**claims, "iss": "https://evil.example"},
    "audience": lambda claims: {**claims, "aud": ["another client"]},
    "audience of another client, authorized for us": lambda claims: {
        **claims,
        "aud": ["another client"],
        "azp": "backbench",
    },
    "authorized party": lambda claims: {**claims, "aud": ["backbench", "other"], "azp": "other"},
    "expired": lambda claims: {**claims, "iat": time.time() - 7200, "exp": time.time() - 3600},
    "issued in the future": lambda claims: {**claims, "iat": time.time() + 3600, "exp": time.time() + 7200},
    "nonce": lambda claims: {**claims, "nonce": "another"},
    "no nonce": lambda claims: {name: value for name, value in claims.items() if name != "nonce"},
    "no subject": lambda claims: {name: value for name, value in claims.items() if name != "sub"},
    "no expiry": lambda claims: {name: value for name, value in claims.items() if name != "exp"},
    "access token": lambda claims: {**claims, "at_hash": "AAAAAAAAAAAAAAAAAAAAAA"},
}


@pytest.mark.parametrize("case", WRONG_CLAIMS)
async def test_an_id_token_with_wrong_claims_is_rejected(google: Provider, case: str) -> None:
    google.change_claims = WRONG_CLAIMS[case]
    with pytest.raises(ValidationError):
        await profile(google)


async def test_a_nonce_of_another_flow_is_rejected(google: Provider) -> None:
    with pytest.raises(ValidationError):
        await profile(google, nonce="m" * 43)


@pytest.mark.parametrize("response", [("<html>", 200), ("[]", 200), ("oops", 500), ("{}", 200)])
async def test_an_invalid_token_response_raises_an_error(google: Provider, response: tuple[str, int]) -> None:
    google.token_answer = response
    with pytest.raises((ValidationError, Unavailable)):
        await profile(google)


async def test_a_provider_with_another_issuer_is_rejected(google: Provider) -> None:
    integration = Google(google.issuer.replace("127.0.0.1", "localhost"), "x", "y", "http://127.0.0.1/back")
    integration.issuer = google.issuer + "/tenant"
    with pytest.raises(Unavailable):
        await integration.authorization_url("s", "n", "v")


@pytest.mark.parametrize(
    ("name", "email", "expected"),
    [
        ("Łucja O’Neil-Żak, Jr.", "x@example.com", "Łucja O’Neil-Żak, Jr."),
        ("<script>alert(1)</script>", "x@example.com", "script alert 1 script"),
        ("\u0000\n\t", "anna.kowalska@example.com", "anna.kowalska"),
        (None, None, "Craftsperson"),
        ("x" * 300, None, "x" * 100),
    ],
)
def test_a_name_from_google_becomes_a_valid_account_name(name: str | None, email: str | None, expected: str) -> None:
    found = GoogleProfile("https://g", "1", email, is_email_verified=True, name=name, locale=None)
    assert found.account_name() == expected


def test_the_default_issuer_is_google() -> None:
    assert Settings().google_issuer == "https://accounts.google.com"
