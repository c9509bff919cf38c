"""Security headers of every response of the running server: pages, the API, and errors of both."""

import re
import socket
from collections.abc import Callable, Iterator
from importlib import resources
from pathlib import Path
from typing import Any

import httpx
import pytest

from backbench.http.openapi.document import document
from backbench.http.openapi.pages import docs_page
from backbench.reference import reference
from backbench.routes import OPERATIONS
from backbench.values.enums import HstsScope
from tests.people import App, Person
from tests.support.databases import new_file, running_app
from tests.support.secret_log_check import LogOutput
from tests.support.server import Server, running_server
from tests.support.violations import violations

SITE = Path(str(resources.files("backbench") / "web"))
HSTS = "max-age=31536000; includeSubDomains"
PAGES = [
    ("GET", "/", 200),
    ("GET", "/verify/", 200),
    ("GET", "/verify", 307),
    ("GET", "/backbench.css", 200),
    ("GET", "/mail-links.js", 200),
    ("GET", "/api/docs", 200),
    ("GET", "/api/openapi.json", 200),
    ("GET", "/healthz", 200),
    ("GET", "/readyz", 200),
    ("GET", "/metrics", 200),
    ("GET", "/nowhere", 404),
    ("GET", "/%2e%2e/secrets", 404),
    ("POST", "/", 405),
    ("TRACE", "/", 405),
]
API_REQUESTS = [
    ("GET", "/api/me", 401),
    ("POST", "/api/authenticate", 415),
    ("GET", "/api/nowhere", 404),
    ("PUT", "/api/me", 405),
    ("OPTIONS", "/api/me", 204),
    ("TRACE", "/api/me", 405),
]


@pytest.fixture(scope="module")
def secure(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server whose public URL is https."""
    url = new_file(tmp_path_factory.mktemp("secure"))
    with running_server(url, BACKBENCH_PUBLIC_URL="https://office.example.com") as running:
        yield running


def send(service: Server, method: str, path: str, **headers: str) -> httpx.Response:
    """The response to exactly this request: no redirect is followed, and the path is not normalized."""
    with httpx.Client(base_url=service.url, trust_env=False, verify=False, timeout=60) as browser:
        return browser.send(browser.build_request(method, path, headers=headers))


@pytest.fixture(scope="module")
def responses(secure: Server) -> dict[str, httpx.Response]:
    """The response to each request of the lists above, by method and path."""
    return {f"{method} {path}": send(secure, method, path) for method, path, _ in (*PAGES, *API_REQUESTS)}


def test_the_csp_of_a_page_allows_only_own_files(responses: dict[str, httpx.Response]) -> None:
    with violations() as case:
        for method, path, _ in PAGES:
            with case(f"{method} {path}"):
                headers = responses[f"{method} {path}"].headers
                assert "unsafe" not in headers["content-security-policy"]
                assert set(headers["content-security-policy"].split("; ")) >= {
                    *("default-src 'none'", "script-src 'self'", "style-src 'self'", "object-src 'none'"),
                    *("base-uri 'none'", "frame-ancestors 'none'", "form-action 'self'"),
                }
                assert headers["x-frame-options"] == "DENY"
                assert headers["cross-origin-opener-policy"] == "same-origin"
                # The app reads codes; nobody else's page in it can.
                assert "camera=(self)," in headers["permissions-policy"]


def test_every_response_forbids_sniffing_framing_and_referrers(responses: dict[str, httpx.Response]) -> None:
    with violations() as case:
        for name, response in responses.items():
            with case(name):
                assert response.headers["x-content-type-options"] == "nosniff"
                assert response.headers["referrer-policy"] == "no-referrer"
                assert response.headers["cross-origin-resource-policy"] == "same-origin"
                policy = response.headers["content-security-policy"].split("; ")
                assert {"default-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"} <= set(policy)
                assert not [name for name in response.headers if name.startswith("access-control")]


def test_every_response_has_hsts_with_an_https_public_url(responses: dict[str, httpx.Response]) -> None:
    expected = {f"{method} {path}": (status, HSTS) for method, path, status in (*PAGES, *API_REQUESTS)}
    found = {name: (each.status_code, each.headers["strict-transport-security"]) for name, each in responses.items()}
    assert found == expected


@pytest.mark.parametrize(
    ("hsts", "header"),
    [("subdomains", HSTS), ("host", "max-age=31536000"), ("off", "max-age=0")],
)
async def test_the_host_chooses_what_hsts_covers(
    new_database_url: Callable[[], str], hsts: HstsScope, header: str
) -> None:
    async with running_app(new_database_url(), public_url="https://office.example.com", hsts=hsts) as app:
        for path in ("/", "/healthz", "/api/me"):
            response = await app.anonymous().browser.get(path)
            assert response.headers["strict-transport-security"] == header


async def test_there_is_no_hsts_header_over_plain_http(app: App) -> None:
    for path in ("/", "/healthz", "/api/me"):
        assert "strict-transport-security" not in (await app.anonymous().browser.get(path)).headers


@pytest.mark.parametrize("path", ["/verify", "//verify", "///verify"])
@pytest.mark.parametrize("host", ["elsewhere.example", "["])
def test_a_redirect_ignores_the_host_header(secure: Server, path: str, host: str) -> None:
    with socket.create_connection(("127.0.0.1", secure.port), timeout=60) as connection:
        connection.sendall(f"GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())
        response = read_all(connection)
    if host == "[":
        # An invalid host: the server may reject it, but must not redirect elsewhere.
        assert b"location: " not in response or b"location: /verify/\r\n" in response
    else:
        assert b"\r\nlocation: /verify/\r\n" in response


def test_length_with_chunked_encoding_is_400_and_closes_the_connection(secure: Server) -> None:
    """A proxy and a server that disagree about such a body allow request smuggling."""
    smuggled = b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"
    request = (
        b"POST /api/authenticate HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
        b"Content-Length: %d\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" % (5 + len(smuggled))
    )
    with socket.create_connection(("127.0.0.1", secure.port), timeout=60) as connection:
        connection.sendall(request + smuggled)
        response = read_all(connection)
    assert response.startswith(b"HTTP/1.1 400")
    assert response.count(b"HTTP/1.1 ") == 1


@pytest.mark.parametrize(
    "headers",
    [
        b"Content-Length: 2\r\nContent-Length: 3\r\n",
        b"Content-Length: +2\r\n",
        b"Content-Length : 2\r\n",
        b"Transfer-Encoding: chunked, identity\r\n",
    ],
)
def test_an_ambiguous_body_length_is_rejected(secure: Server, headers: bytes) -> None:
    with socket.create_connection(("127.0.0.1", secure.port), timeout=60) as connection:
        connection.sendall(b"POST /api/authenticate HTTP/1.1\r\nHost: x\r\n" + headers + b"\r\n{}")
        assert read_all(connection).startswith(b"HTTP/1.1 400")


def read_all(connection: socket.socket) -> bytes:
    """The bytes that the server sends until it closes the connection."""
    response = b""
    while piece := connection.recv(65536):
        response += piece
    return response


def test_no_page_has_an_inline_script_or_style() -> None:
    pages = [page.read_text("utf-8") for page in SITE.rglob("*.html")] + [
        docs_page(document(OPERATIONS, reference()), "/api/openapi.json")
    ]
    assert len(pages) > 3
    for page in pages:
        assert "<style" not in page
        assert " style=" not in page
        assert page.count("<script") == page.count("<script src=")


def test_password_fields_are_masked_and_support_password_managers() -> None:
    fields = [
        field
        for page in SITE.rglob("*.html")
        for field in re.findall(r"<input[^>]*name=.password[^>]*>", page.read_text())
    ]
    assert len(fields) >= 3
    for field in fields:
        assert 'type="password"' in field
        assert re.search(r'autocomplete="(new|current)-password"', field)
        assert "onpaste" not in field


async def test_an_unhandled_error_of_a_page_is_500_and_logged(
    app: App, logs: LogOutput, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken() -> Any:
        raise RuntimeError("the oak is rotten")

    monkeypatch.setattr(app.backbench.db, "ready", broken)
    response = await app.anonymous().browser.get("/readyz")
    assert (response.status_code, response.text) == (500, "Internal Server Error")
    assert response.headers["x-content-type-options"] == "nosniff"
    assert "the oak is rotten" in logs.getvalue()


# Metrics


async def test_metrics_are_served_to_loopback_addresses_only(app: App) -> None:
    assert (await app.anonymous("127.0.0.1").browser.get("/metrics")).status_code == 200
    assert (await app.anonymous("::1").browser.get("/metrics")).status_code == 200
    assert (await app.anonymous("203.0.113.9").browser.get("/metrics")).status_code == 404


async def test_metrics_are_404_for_a_public_name(app: App) -> None:
    """A page of another site can make its name resolve to the loopback address of the person who reads it."""
    for host, status in (("rebound.example:8000", 404), ("localhost:8000", 200), ("[::1]:8000", 200)):
        assert (await app.anonymous("127.0.0.1").browser.get("/metrics", headers={"host": host})).status_code == status


async def test_metrics_are_404_for_forwarded_requests(app: App) -> None:
    for header in ("x-forwarded-for", "forwarded"):
        response = await app.anonymous("127.0.0.1").browser.get("/metrics", headers={header: "127.0.0.1"})
        assert response.status_code == 404


async def test_metrics_need_the_bearer_token_if_one_is_set(new_database_url: Any) -> None:
    async with running_app(new_database_url(), metrics_token="a token for the supervisor") as app:
        local, remote = app.anonymous("127.0.0.1"), app.anonymous("203.0.113.9")
        assert await metrics_status(local) == 401
        assert await metrics_status(local, "Bearer a token for the supervisox") == 401
        assert await metrics_status(local, "a token for the supervisor") == 401
        assert await metrics_status(remote, "Bearer a token for the supervisor") == 200


async def metrics_status(person: Person, authorization: str = "") -> int:
    return (await person.browser.get("/metrics", headers={"authorization": authorization})).status_code
