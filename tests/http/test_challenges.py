"""WWW-Authenticate: what a 401, or a 403 for a missing scope, tells a client about its credentials (RFC 6750)."""

import pytest

from backbench.accounts import api_keys
from backbench.hosting import administration
from backbench.values import times
from tests.people import App

INVALID = 'Bearer error="invalid_token"'


async def test_a_request_without_credentials_is_challenged(app: App) -> None:
    response = await app.anonymous().get("/me")
    assert (response.status_code, response.content, response.headers["www-authenticate"]) == (401, b"", "Bearer")


async def test_wrong_passwords_and_sessions_are_challenged_without_an_error(app: App) -> None:
    anna = await app.owner("Anna")
    assert (await anna.sign_in("wrong password")).headers["www-authenticate"] == "Bearer"
    stranger = app.anonymous()
    stranger.browser.cookies.set("session", "invented")
    assert (await stranger.get("/me")).headers["www-authenticate"] == "Bearer"
    response = await stranger.get("/me", authorization="Basic YTpi")
    assert (response.status_code, response.headers["www-authenticate"]) == (401, "Bearer")


@pytest.mark.parametrize("secret", ["", "nonsense", "revoked", "unknown"])
async def test_a_token_that_is_not_valid_is_named_so(app: App, secret: str) -> None:
    anna = await app.owner("Anna")
    program = await anna.integrator("orders:read")
    if secret == "revoked":
        await app.db.write(lambda db: administration.end_all_access(db, anna.uid, times.now()))
        secret = program.bearer or ""
    elif secret == "unknown":
        secret = api_keys.new_secret()
    program.bearer = secret
    response = await program.get(f"/workshops/{anna.workshop}/orders")
    assert (response.status_code, response.content, response.headers["www-authenticate"]) == (401, b"", INVALID)


async def test_a_valid_key_on_an_operation_for_sessions_gets_that_reason(app: App) -> None:
    program = await (await app.owner("Anna")).integrator("orders:read")
    for path in ("/me", "/workshops"):
        response = await program.get(path)
        assert (response.status_code, response.content) == (401, b"")
        assert response.headers["www-authenticate"] == (
            'Bearer error="invalid_request", error_description="This operation takes a session, not an API key"'
        )
    program.bearer = api_keys.new_secret()
    assert (await program.get("/me")).headers["www-authenticate"] == INVALID


async def test_a_missing_scope_is_named(app: App) -> None:
    anna = await app.owner("Anna")
    program = await anna.integrator("orders:read")
    response = await program.post(f"/workshops/{anna.workshop}/orders", {"title": "Chair"})
    assert (response.status_code, response.content) == (403, b"")
    assert response.headers["www-authenticate"] == 'Bearer error="insufficient_scope", scope="orders:write"'


async def test_other_rejections_carry_no_challenge(app: App) -> None:
    anna, jan = await app.owner("Anna"), await app.owner("Jan")
    order = await anna.order()
    program = await jan.integrator("orders:read")
    for response in (
        await program.get(f"/orders/{order['id']}"),
        await jan.get(f"/orders/{order['id']}"),
        await jan.patch("/me", {"locale": "pl"}, x_csrf_token="x"),
    ):
        assert response.status_code == 403
        assert "www-authenticate" not in response.headers
