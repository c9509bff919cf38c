"""Pages behind the links in emails, and unknown pages."""

import os
import re
from importlib import resources
from pathlib import Path

import pytest

from tests.people import App

SITE = Path(str(resources.files("backbench") / "web"))


@pytest.mark.parametrize("page", ["verify", "reset", "join"])
async def test_an_email_link_page_runs_only_our_own_scripts(app: App, page: str) -> None:
    response = await app.anonymous().browser.get(f"/{page}/?lang=pl")
    assert response.status_code == 200
    assert "script-src 'self'" in response.headers["content-security-policy"]
    assert response.headers["referrer-policy"] == "no-referrer"
    assert "set-cookie" not in response.headers
    scripts = [re.sub("/app/[0-9a-f]+/", "/app/", found) for found in re.findall(r"<script[^>]*>", response.text)]
    assert sorted(scripts) == [
        '<script src="/app/press-guard.js" type="module" async>',
        '<script src="/mail-links.js" defer>',
    ]
    assert " on" not in re.sub(r">[^<]*<", "><", response.text), "no inline handler"


async def test_the_files_that_the_pages_load_exist(app: App) -> None:
    for file in ("mail-links.js", "mail-links.css", "backbench.css"):
        assert (await app.anonymous().browser.get(f"/{file}")).status_code == 200


def test_every_text_of_the_pages_exists_in_both_languages() -> None:
    script = (SITE / "mail-links.js").read_text("utf-8")
    english, polish = (part.split("const asked")[0] for part in script.split("  en: {")[1].split("  pl: {"))
    assert re.findall(r"^\s+(\w+):", english, re.MULTILINE) == re.findall(r"^\s+(\w+):", polish, re.MULTILINE)
    used = {word for page in SITE.glob("*/index.html") for word in re.findall(r'data-words="(\w+)"', page.read_text())}
    assert used <= set(re.findall(r"^\s+(\w+):", polish, re.MULTILINE))


async def test_a_page_is_found_by_its_whole_path_in_memory(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    """No path of a request reaches the file system, however long it is."""
    with monkeypatch.context() as patch:
        for name in ("stat", "lstat", "open"):
            patch.setattr(os, name, None)
        for path, status in (("/", 200), ("/verify", 307), ("/" + "a/" * 30_000, 404), ("/join/../index.html", 404)):
            assert (await app.anonymous().browser.get(path)).status_code == status


async def test_a_page_is_revalidated_by_its_etag(app: App) -> None:
    browser = app.anonymous().browser
    tag = (await browser.get("/mail-links.js")).headers["etag"]
    again = await browser.get("/mail-links.js", headers={"if-none-match": tag})
    assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", tag)


async def test_an_unknown_page_is_404(app: App) -> None:
    response = await app.anonymous().browser.get("/nowhere")
    assert response.status_code == 404
    assert response.headers["x-content-type-options"] == "nosniff"
