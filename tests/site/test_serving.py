"""How the web app is served: versions, caching, compression, the shell, and the module graph."""

import gzip
import json
import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import zstandard

from backbench.site.files import TYPES
from backbench.site.modules import ModuleGraph, compact, without_comments
from backbench.site.site import Site, site
from backbench.site.stylesheet import flattened
from tests.people import App
from tests.support.databases import new_file, running_app

HTML = {"accept": "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8"}
SITE = site("mail")
APP = SITE.app
MAIN = f"{APP.folder}main.js"
WEB = Path(__file__).parents[2] / "src" / "backbench" / "web"


@pytest.fixture
async def app(tmp_path: Path) -> AsyncIterator[App]:
    """On SQLite only: the files of the web app know no database."""
    async with running_app(new_file(tmp_path)) as running:
        yield running


@pytest.mark.parametrize("path", ["/", "/orders", "/estimates/0190-ab/send", "/shop/team"])
async def test_every_screen_has_the_shell_of_this_version(app: App, path: str) -> None:
    response = await app.anonymous().browser.get(path, headers=HTML)
    assert (response.status_code, response.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert response.headers["cache-control"] == "no-cache"
    assert f'<script src="{MAIN}" type="module"></script>' in response.text
    assert "<!--" not in response.text
    addresses = re.findall(r'(?:href|src)="([^"]+)"', response.text)
    for address in addresses:
        assert (await app.anonymous().browser.get(address)).status_code == 200, address


@pytest.mark.parametrize(
    "path",
    [
        "/app/0123456789abcdef/main.js",
        "/app/main.js",
        "/app/",
        "/join/x",
        "/picture.png",
        "/healthz/x",
        "/%2e%2e/secrets",
    ],
)
async def test_a_missing_file_is_not_a_screen(app: App, path: str) -> None:
    assert (await app.anonymous().browser.get(path, headers=HTML)).status_code == 404


async def test_a_program_gets_no_shell_for_an_unknown_path(app: App) -> None:
    assert (await app.anonymous().browser.get("/orders", headers={"accept": "*/*"})).status_code == 404
    assert (await app.anonymous().browser.post("/orders", headers=HTML)).status_code == 404
    assert (await app.anonymous().browser.get("/api/nowhere", headers=HTML)).status_code == 404


async def test_files_of_a_version_are_cached_for_ever_and_the_others_revalidated(app: App) -> None:
    browser = app.anonymous().browser
    immutable = await browser.get(MAIN)
    assert immutable.headers["cache-control"] == "public, max-age=31536000, immutable"
    for path in ("/", "/sw.js", "/manifest.webmanifest", "/icon.svg", "/join/"):
        first = await browser.get(path)
        assert first.headers["cache-control"] == "no-cache"
        again = await browser.get(path, headers={"if-none-match": first.headers["etag"]})
        assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", first.headers["etag"])


async def test_files_are_compressed_as_the_browser_accepts(app: App) -> None:
    browser = app.anonymous().browser
    plain = await browser.get(MAIN, headers={"accept-encoding": "identity"})
    tags = {plain.headers["etag"]}
    for accepted, encoding in (("gzip, deflate, br, zstd", "zstd"), ("gzip, br", "gzip"), ("br", None)):
        # Read raw: the client would decompress.
        async with browser.stream("GET", MAIN, headers={"accept-encoding": accepted}) as response:
            content = b"".join([piece async for piece in response.aiter_raw()])
        assert (response.headers.get("content-encoding"), response.headers["vary"]) == (encoding, "accept-encoding")
        if encoding == "zstd":
            content = zstandard.ZstdDecompressor().decompress(content)
        elif encoding == "gzip":
            content = gzip.decompress(content)
        assert content == plain.content
        tags.add(response.headers["etag"])
    assert len(tags) == 3


async def test_pages_may_not_write_html_and_may_be_installed(app: App) -> None:
    policy = (await app.anonymous().browser.get("/")).headers["content-security-policy"].split("; ")
    assert {"require-trusted-types-for 'script'", "trusted-types worker"} <= set(policy)
    assert {"manifest-src 'self'", "worker-src 'self'", "default-src 'none'"} <= set(policy)
    assert "unsafe" not in str(policy)


async def test_the_service_worker_stores_files_that_exist(app: App) -> None:
    first_line = (await app.anonymous().browser.get("/sw.js")).text.partition("\n")[0]
    facts = json.loads(first_line.removeprefix("const APP = ").removesuffix(";"))
    assert MAIN in facts["files"]
    for path in [*facts["files"], facts["shell"]]:
        assert SITE.file(path).content
    assert not {path for path in facts["files"] if path.startswith("/api")}
    assert {"/api", "/join/", "/verify/", "/reset/"} <= set(facts["online"])


async def test_the_icons_of_the_manifest_exist(app: App) -> None:
    manifest = (await app.anonymous().browser.get("/manifest.webmanifest")).json()
    for icon in manifest["icons"]:
        response = await app.anonymous().browser.get(icon["src"])
        assert (response.status_code, response.headers["content-type"]) == (200, icon["type"])


def test_the_stored_shell_has_the_fonts_from_the_beginning() -> None:
    """A first start loads them after its data."""
    link = f'<link rel="stylesheet" href="{APP.folder}styles/fonts.css">'.encode()
    assert link in APP.stored
    assert APP.shell == APP.stored.replace(link + b"\n", b"")


def test_every_module_is_used_by_the_app() -> None:
    sources = {str(file.relative_to(WEB / "app")): file.read_bytes() for file in (WEB / "app").rglob("*.js")}
    imports = ModuleGraph(sources)
    found = ["main.js", "early.js"]
    for path in found:
        found += [each for each in imports.static[path] + imports.dynamic[path] if each not in found]
    assert sources.keys() - set(found) == set()


def test_every_address_in_the_stylesheet_is_a_file_of_the_app() -> None:
    text = APP.files["styles/index.css"].decode()
    assert "@import" not in text
    for address in re.findall(r'url\("([^"]+)"\)', text):
        assert address.startswith("../"), address
        assert address.removeprefix("../") in APP.files


def test_the_site_has_no_file_without_a_type() -> None:
    names = {path for path in WEB.rglob("*") if path.is_file() and path.suffix not in TYPES}
    assert {path.name for path in names} == {"VENDORED.toml"}


def test_a_change_of_any_file_is_another_version(tmp_path: Path) -> None:
    versions = set()
    for index, name in enumerate(["", "app/main.js", "app/styles/a/b.css", "index.html", "sw.js"]):
        folder = small_site(tmp_path / str(index))
        if name:
            (folder / name).write_text((folder / name).read_text() + "\n/* another */ x")
        versions.add(Site(folder).app.version)
    assert len(versions) == 5
    assert Site(tmp_path / "0").app.version == Site(small_site(tmp_path / "again")).app.version


def test_imported_stylesheets_are_one_file_with_their_addresses() -> None:
    files = {
        "styles/index.css": b'/* @import "no.css"; */\n@layer a, b;\n@import "./a/b.css" layer(b);\n@import "c.css";\n',
        "styles/a/b.css": b'p { background: url("../../fonts/x.woff2") }',
        "styles/c.css": b"q { color: red }",
    }
    assert flattened("styles/index.css", files).decode().split("\n") == [
        "@layer a, b;",
        "@layer b {",
        'p { background: url("../fonts/x.woff2") }',
        "}",
        "q { color: red }",
        "",
    ]


def test_modules_are_sent_without_comments_and_indentation() -> None:
    code = b'/** A.\n * @param {B} b */\n// a\nconst b = /** @type {any} */ (c);\n\n  // d\n  e("// f"); // g\n'
    assert compact(code) == b'const b = (c);\ne("// f"); // g'


def test_no_text_of_the_web_app_has_an_indentation_that_is_not_sent() -> None:
    """A template literal of several lines would lose its indentation."""
    sources = [file for file in (WEB / "app").rglob("*.js") if file.parent.name != "vendor"]
    assert [file.name for file in sources if has_text_of_several_lines(file.read_text("utf-8"))] == []


# Parts of code that may contain or begin a template literal, and of the text of one.
CODE = re.compile(r"""/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|[`{}]""", re.DOTALL)
TEXT = re.compile(r"\\.|\$\{|[`\n]", re.DOTALL)


def has_text_of_several_lines(code: str) -> bool:
    """Line breaks within `${…}` are code."""
    around: list[str] = []
    place = 0
    while found := (TEXT if around[-1:] == ["`"] else CODE).search(code, place):
        place = found.end()
        if found[0] == "\n":
            return True
        if found[0] in ("${", "{") or (found[0] == "`" and around[-1:] != ["`"]):
            around.append(found[0])
        elif found[0] in ("}", "`"):
            around.pop()
    return False


def test_only_the_text_of_a_template_literal_counts() -> None:
    assert has_text_of_several_lines("const a = `b${c}\n  d`;")
    assert not has_text_of_several_lines('const a = `b "${{ c: `d` }.c\n}`;\n// `\nconst e = "`";\n')


def test_comments_with_types_are_not_sent_and_lines_keep_their_numbers() -> None:
    code = b'/**\n * @param {string} a\n */\nexport const b = "/** no */"; // c\n  /** @type {Order} */\nd();\n'
    assert without_comments(code) == b'\n\n\nexport const b = "/** no */"; // c\n  \nd();\n'


def small_site(folder: Path) -> Path:
    """A site with two modules and two stylesheets."""
    files = {
        "index.html": '<script src="/app/main.js">\n',
        "sw.js": "",
        "app/main.js": 'import { b } from "./a.js";\nb();\n',
        "app/a.js": "/** @type {() => void} */\nexport const b = () => {};\n",
        "app/styles/index.css": '@import "./a/b.css";',
        "app/styles/a/b.css": "p {}",
    }
    for name, text in files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return folder


def test_the_page_says_which_ways_to_sign_in_there_are() -> None:
    assert b'<meta name="ways-in" content="sign-up google">' in site("sign-up", "google").app.shell
    assert b'<meta name="ways-in" content="">' in site().app.shell
