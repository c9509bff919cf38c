"""Earlier public URLs: what others keep of them redirects, and nothing that signs in does."""

from collections.abc import AsyncIterator, Callable

import httpx
import pytest

from tests.people import App
from tests.support.databases import running_app
from tests.support.violations import all_of

PUBLIC = "https://office.example.com"


@pytest.fixture(scope="module")
async def moved(new_database_url: Callable[[], str]) -> AsyncIterator[App]:
    former = ("https://old.example.com", "http://192.0.2.7:8000")
    async with running_app(new_database_url(), public_url=PUBLIC, former_urls=former) as opened:
        yield opened


async def request(app: App, url: str, method: str = "GET", **headers: str) -> httpx.Response:
    transport = httpx.ASGITransport(app=app.backbench)
    async with httpx.AsyncClient(transport=transport) as client:
        return await client.request(method, url, headers=headers)


@all_of("former", ["https://old.example.com", "http://OLD.example.com:80", "http://192.0.2.7:8000"])
@all_of("path", ["/e/", "/o/", "/e/a%20b?x=1%2F2", "/calendars/some-secret.ics"])
@all_of("method", ["GET", "HEAD"])
async def test_what_others_keep_of_a_former_url_redirects(moved: App, former: str, path: str, method: str) -> None:
    response = await request(moved, former + path, method)
    assert (response.status_code, response.headers["location"]) == (301, PUBLIC + path)
    assert response.content == b""
    assert response.headers["strict-transport-security"] == "max-age=31536000; includeSubDomains"


@all_of(
    ("url", "method"),
    [
        ("https://old.example.com/", "GET"),
        ("https://old.example.com/api/me", "GET"),
        ("https://old.example.com/healthz", "GET"),
        ("https://old.example.com/elsewhere", "GET"),
        ("https://old.example.com/e/", "POST"),
        ("https://old.example.com:8443/e/", "GET"),
        ("https://192.0.2.7/e/", "GET"),
        ("https://other.example.com/o/", "GET"),
        (f"{PUBLIC}/e/", "GET"),
        (f"{PUBLIC}/calendars/some-secret.ics", "GET"),
    ],
)
async def test_everything_else_is_answered_where_it_was_requested(moved: App, url: str, method: str) -> None:
    response = await request(moved, url, method, accept="text/html")
    assert not response.has_redirect_location


async def test_a_calendar_of_a_former_url_is_the_one_of_the_public_url(moved: App) -> None:
    anna = await moved.owner("Anna")
    calendar = {"name": "Shop", "show": "both", "names": "full"}
    url: str = (await anna.post(f"/workshops/{anna.workshop}/calendars", calendar)).json()["url"]
    redirected = await request(moved, url.replace(PUBLIC, "https://old.example.com"))
    assert redirected.headers["location"] == url
    assert (await request(moved, url)).text.startswith("BEGIN:VCALENDAR")


async def test_what_waits_on_a_phone_can_still_be_sent_from_a_former_https_address(moved: App) -> None:
    anna = await moved.owner("Anna")
    former = httpx.AsyncClient(
        transport=httpx.ASGITransport(app=moved.backbench),
        headers={"origin": "https://old.example.com", "x-csrf-token": anna.browser.cookies["csrf-token"]},
        cookies=dict(anna.browser.cookies.items()),
    )
    async with former as browser:
        url = f"https://old.example.com/api/workshops/{anna.workshop}/orders"
        response = await browser.post(url, json={"title": "Oak bench", "customerName": "Ada"})
    assert response.status_code == 201
