"""Help: the pages for craftspeople, made of the Markdown files in `backbench/help` when one is first requested."""

import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from html import escape
from importlib import resources
from importlib.resources.abc import Traversable
from io import BytesIO
from typing import Any

import msgspec
from markdown_it import MarkdownIt
from markdown_it.token import Token
from msgspec import Struct
from PIL import Image

from backbench.http.requests import Request
from backbench.http.responses import Response
from backbench.site.files import REVALIDATED, SiteFile
from backbench.site.responses import redirect
from backbench.values.enums import UserLocale
from backbench.words import LOCALES, words

HELP = "/help/"
# In the order in which somebody needs them.
PAGES = (
    "first-day",
    "estimates",
    "orders",
    "customers",
    "payments",
    "invoices",
    "import",
    "calendar",
    "client",
    "accountant",
    "printing",
)
_PICTURES = "pictures"
_LANGUAGE_NAMES: dict[UserLocale, str] = {"en": "English", "pl": "Polski"}


class Section(Struct, frozen=True):
    """What the search finds: the text below a heading, as plain text."""

    page: str
    heading: str
    url: str
    text: str


class HelpPage(Struct, frozen=True):
    title: str
    html: str
    sections: list[Section]


class Help:
    def __init__(self, folder: Traversable) -> None:
        self._files = {
            f"{HELP}{_PICTURES}/{file.name}": SiteFile(file.name, file.read_bytes(), REVALIDATED)
            for file in (folder / _PICTURES).iterdir()
        }
        self._sizes = {path: _size_of(file.content) for path, file in self._files.items()}
        for locale in LOCALES:
            pages = {
                name: rendered((folder / locale / f"{name}.md").read_text("utf-8"), locale, name, self._sizes)
                for name in PAGES
            }
            found = [section for page in pages.values() for section in page.sections]
            self._add(f"{HELP}{locale}/search.json", msgspec.json.encode(found))
            self._add(f"{HELP}{locale}/", _document(locale, None, pages))
            for name in PAGES:
                self._add(address(locale, name), _document(locale, name, pages))

    def _add(self, path: str, content: bytes) -> None:
        name = path.rpartition("/")[2] or "index.html"
        self._files[path] = SiteFile(name, content, REVALIDATED)

    def find(self, path: str, _accepted: str = "") -> str | None:
        """The path of the file to send; None where there is none."""
        return path if path in (HELP, HELP.rstrip("/")) or path in self._files or f"{path}/" in self._files else None

    def respond(self, path: str, request: Request) -> Response:
        """The file at a path that `find` returned; a redirect to the language of the browser, or to the whole path."""
        if path in (HELP, HELP.rstrip("/")):
            return redirect(f"{HELP}{preferred(request.header(b'accept-language') or '')}/")
        file = self._files.get(path)
        return redirect(f"{path}/") if file is None else file.respond(request)


@cache
def help_pages() -> Help:
    """Those of this installation, read once."""
    return Help(resources.files("backbench") / "help")


def address(locale: UserLocale, page: str) -> str:
    return f"{HELP}{locale}/{page}/"


def preferred(accepted: str) -> UserLocale:
    """The first language of an Accept-Language header that there is; English for none."""
    for each in accepted.lower().split(","):
        for locale in LOCALES:
            if re.match(rf"\s*{locale}\b", each):
                return locale
    return "en"


def rendered(markdown: str, locale: UserLocale, name: str, sizes: Mapping[str, tuple[int, int]]) -> HelpPage:
    """The page of a Markdown file whose first heading is its title. `sizes`: of pictures, by their path."""
    tokens = _MARKDOWN.parse(markdown)
    url = address(locale, name)
    title = ""
    texts: list[tuple[str, str, list[str]]] = []
    for token, following in zip(tokens, [*tokens[1:], None], strict=True):
        if token.type == "heading_open":
            assert following is not None
            heading = "".join(_plain([following]))
            if token.tag == "h1":
                title = heading
                texts.append((heading, url, []))
            else:
                anchor = re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")
                token.attrSet("id", anchor)
                texts.append((heading, f"{url}#{anchor}", []))
        elif token.type == "inline":
            for child in token.children or []:
                _address(child, locale, sizes)
            texts[-1][2].append("".join(_plain([token])))
    sections = [Section(title, heading, at, " ".join(text[1:])) for heading, at, text in texts]
    return HelpPage(title, _MARKDOWN.renderer.render(tokens, _MARKDOWN.options, {}), sections)


# Files of this package alone: HTML in them is text all the same.
_MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable("table")


def _plain(tokens: Sequence[Token]) -> Iterator[str]:
    for token in tokens:
        if token.children is not None and token.type == "inline":
            yield from _plain(token.children)
        elif token.type in ("text", "code_inline"):
            yield token.content
        elif token.type == "softbreak":
            yield " "


def _size_of(picture: bytes) -> tuple[int, int]:
    with Image.open(BytesIO(picture)) as image:
        return image.size


def _address(token: Token, locale: UserLocale, sizes: Mapping[str, tuple[int, int]]) -> None:
    """Rewrites a relative link to another page, or the address of a picture, in place."""
    if token.type == "image":
        path = posixpath.normpath(f"{HELP}{locale}/{token.attrs['src']}")
        # With its size, what is below it does not move when it comes.
        width, height = sizes[path]
        token.attrs |= {"src": path, "loading": "lazy", "width": width, "height": height}
    elif token.type == "link_open" and "://" not in str(token.attrs["href"]):
        path, _, anchor = str(token.attrs["href"]).partition("#")
        to = posixpath.normpath(f"{HELP}{locale}/{path.removesuffix('.md')}") + "/" if path else ""
        token.attrs["href"] = to + (f"#{anchor}" if anchor else "")


def _document(locale: UserLocale, name: str | None, pages: dict[str, HelpPage]) -> bytes:
    """The HTML of a page; of the index without a name."""
    text = words(locale).help
    other: UserLocale = "pl" if locale == "en" else "en"
    to_other = address(other, name) if name else f"{HELP}{other}/"
    title = pages[name].title if name else text["title"]
    links = "".join(
        f'<li><a href="{address(locale, each)}"{_current(each == name)}>{escape(page.title)}</a></li>'
        for each, page in pages.items()
    )
    main = pages[name].html if name else f"<h1>{escape(text['title'])}</h1><p>{escape(text['intro'])}</p>"
    labels: dict[str, Any] = {each: escape(text[each]) for each in ("back", "contents", "search", "none")}
    return f"""<!doctype html>
<html lang="{locale}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1"><title>{escape(title)} · Backbench</title>
<link rel="icon" href="/icon.svg"><link rel="stylesheet" href="/help.css"><script src="/help.js" defer></script></head>
<body data-found="{HELP}{locale}/search.json" data-none="{labels["none"]}">
<header><a href="/">{labels["back"]}</a><a href="{HELP}{locale}/">{escape(text["title"])}</a>
<a href="{to_other}" lang="{other}" hreflang="{other}">{_LANGUAGE_NAMES[other]}</a></header>
<form role="search" hidden><input type="search" aria-label="{labels["search"]}" placeholder="{labels["search"]}"
 autocomplete="off"></form><ul class="found" aria-live="polite"></ul>
<main>{main}</main>
<nav aria-label="{labels["contents"]}"><ul>{links}</ul></nav></body></html>
""".encode()


def _current(is_current: bool) -> str:
    return ' aria-current="page"' if is_current else ""
