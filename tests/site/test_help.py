"""Help: pages in both languages that name what the app shows, with links, pictures and a search that work."""

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from backbench.site.help import HELP, PAGES, help_pages, preferred
from backbench.words import LOCALES
from tests.people import App
from tests.support.violations import all_of

ROOT = Path(__file__).parents[2] / "src" / "backbench"
SOURCES = [(locale, name) for locale in LOCALES for name in PAGES]
every_page = all_of(("locale", "name"), SOURCES)


class Addresses(HTMLParser):
    """What a page leads to and shows, and the anchors that it has."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.leads_to: list[str] = []
        self.pictures: list[dict[str, str | None]] = []
        self.ids: set[str] = set()
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        if tag in ("a", "link"):
            self.leads_to.append(values.get("href") or "")
        if tag == "script":
            self.leads_to.append(values.get("src") or "")
        if tag == "img":
            self.pictures.append(values)
        self.ids |= {value for name, value in attrs if name == "id" and value}


def html_of(path: str) -> str:
    return help_pages()._files[path].content.decode()


def markdown(locale: str, name: str) -> str:
    return (ROOT / "help" / locale / f"{name}.md").read_text("utf-8")


def test_both_languages_have_every_page_and_no_other() -> None:
    found = sorted((file.parent.name, file.stem) for file in (ROOT / "help").rglob("*.md"))
    assert found == sorted(SOURCES)


@every_page
async def test_what_a_page_leads_to_and_shows_is_there(app: App, locale: str, name: str) -> None:
    browser = app.anonymous().browser
    response = await browser.get(f"{HELP}{locale}/{name}/")
    assert (response.status_code, response.headers["content-type"]) == (200, "text/html; charset=utf-8")
    page = Addresses(response.text)
    for href in page.leads_to:
        path, _, anchor = href.partition("#")
        if "://" in path or path == "/":
            continue
        found = await browser.get(path)
        assert found.status_code == 200, href
        assert not anchor or anchor in Addresses(found.text).ids, href
    for picture in page.pictures:
        found = await browser.get(picture["src"] or "")
        assert found.headers["content-type"].startswith("image/"), picture
        assert len(picture["alt"] or "") > 10, picture


@all_of("name", PAGES)
def test_the_pages_of_both_languages_have_the_same_parts(name: str) -> None:
    """So a part that is added to one is missed in the other."""

    def shape(locale: str) -> list[str]:
        return re.findall(r"^(##?(?= )|\d\.|- |\| )", markdown(locale, name), re.MULTILINE)

    assert shape("en") == shape("pl")


@every_page
def test_labels_in_bold_are_those_of_the_app(locale: str, name: str) -> None:
    texts = "".join(file.read_text("utf-8") for file in (ROOT / "web" / "app" / "words").glob("*.js"))
    labels = {
        part.strip() for text in re.findall(r"\*\*(.+?)\*\*", markdown(locale, name), re.S) for part in text.split("→")
    }
    shown = {re.sub(r"\s+", " ", label).rstrip(".?") for label in labels}
    missing = {label for label in shown if label not in texts and label not in NOT_OF_THE_APP}
    assert missing == set()


# What is stressed, and what browsers and other programs call it.
NOT_OF_THE_APP = {"Add to home screen", "Install app", "Dodaj do ekranu głównego", "Zainstaluj aplikację"}


def test_the_search_has_every_part_of_every_page() -> None:
    for locale in LOCALES:
        sections: list[dict[str, Any]] = json.loads(html_of(f"{HELP}{locale}/search.json"))
        headings = [line for name in PAGES for line in re.findall(r"^##? (.+)$", markdown(locale, name), re.MULTILINE)]
        assert [section["heading"] for section in sections] == headings
        for section in sections:
            path, _, anchor = section["url"].partition("#")
            assert not anchor or anchor in Addresses(html_of(path)).ids
        assert not [section for section in sections if "**" in section["text"] or "](" in section["text"]]


@pytest.mark.parametrize(
    ("accepted", "locale"),
    [
        ("pl-PL,pl;q=0.9,en;q=0.8", "pl"),
        ("en-GB", "en"),
        ("de,pl;q=0.5", "pl"),
        ("fr", "en"),
        ("", "en"),
        ("plx", "en"),
    ],
)
async def test_the_help_is_in_the_language_of_the_browser(app: App, accepted: str, locale: str) -> None:
    assert preferred(accepted) == locale
    for path in ("/help", "/help/"):
        response = await app.anonymous().browser.get(path, headers={"accept-language": accepted})
        assert (response.status_code, response.headers["location"]) == (307, f"/help/{locale}/")


@pytest.mark.parametrize("path", ["/help/en/nothing/", "/help/de/", "/help/../settings.py", "/help/en/first-day/more/"])
async def test_a_page_that_there_is_not_is_404(app: App, path: str) -> None:
    assert (await app.anonymous().browser.get(path, headers={"accept": "text/html"})).status_code == 404


async def test_pages_of_the_help_are_read_only_and_revalidated(app: App) -> None:
    browser = app.anonymous().browser
    assert (await browser.post("/help/en/")).status_code == 405
    page = await browser.get("/help/en/orders/")
    assert page.headers["cache-control"] == "no-cache"
    again = await browser.get("/help/en/orders/", headers={"if-none-match": page.headers["etag"]})
    assert again.status_code == 304
    assert (await browser.get("/help/en/orders")).headers["location"] == "/help/en/orders/"


def test_each_screen_of_the_app_leads_to_a_page_that_there_is() -> None:
    pages = re.findall(
        r'^  \["/[\w/]+", "([\w-]+)"\],$', (ROOT / "web/app/domain/help.js").read_text("utf-8"), re.MULTILINE
    )
    assert set(pages) >= {"orders", "estimates", "payments"}
    assert set(pages) <= set(PAGES)
