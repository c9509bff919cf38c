"""Headers of the client page."""

import re

import pytest

from backbench.integrations.pdf.typesetting import TITLE_FACES
from tests.people import App


@pytest.mark.parametrize("path", ["/e/", "/e/page.js"])
async def test_the_page_is_strict_about_what_it_loads_and_is_not_indexed(app: App, path: str) -> None:
    response = await app.anonymous().browser.get(path)
    assert response.status_code == 200
    headers = response.headers
    assert headers["x-robots-tag"] == "noindex, nofollow, noarchive"
    assert headers["referrer-policy"] == "no-referrer"
    assert "set-cookie" not in headers
    policy = dict(part.strip().split(" ", 1) for part in headers["content-security-policy"].split(";"))
    assert policy["default-src"] == policy["form-action"] == policy["base-uri"] == policy["frame-ancestors"] == "'none'"
    assert policy["script-src"] == policy["connect-src"] == policy["style-src"] == "'self'"
    assert policy["require-trusted-types-for"] == "'script'"


async def test_its_title_fonts_are_files_of_the_app(app: App) -> None:
    browser = app.anonymous().browser
    addresses = re.findall(r'url\("([^"]+)"\)', (await browser.get("/e/page.css")).text)
    assert len([address for address in addresses if "/title-" in address]) == len(TITLE_FACES)
    for address in addresses:
        response = await browser.get(address)
        assert (response.status_code, response.headers["content-type"]) == (200, "font/woff2")
        assert "immutable" in response.headers["cache-control"]
