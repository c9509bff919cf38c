"""The web app as browsers load it: its files below an address with the version, the shell, the service worker."""

import json
import re
from collections.abc import Mapping
from typing import NamedTuple

import xxhash

from backbench.site.modules import compact
from backbench.site.packs import packed
from backbench.site.stylesheet import flattened
from backbench.site.words import in_each_language

# What every start loads, in this order: the two scripts of the shell, the second with the first screen and what the
# words of each language need; what changes are made with; and what waits for the first data.
_STARTS = (
    ("early.js",),
    ("main.js", "screens/board.js", "words/words.js"),
    ("state/sync/core.js", "api/lists.js", "api/stream.js"),
    (
        "state/rest.js",
        "state/sync/drain.js",
        "components/help-link.js",
        "components/new-sheet.js",
        "screens/inbox.js",
        "screens/board/scan.js",
        "screens/board/search.js",
        "screens/overlays.js",
        "screens/start/install-hint.js",
    ),
)
_FONTS = "styles/fonts.css"
_STYLES = ("styles/index.css", _FONTS)
# What the app loads only where it is needed: title fonts, and texts for people who look for them.
_NOT_STORED = re.compile(r"fonts/title-|\.txt$")


class WebApp(NamedTuple):
    """`files` by their path below the folder of the app; `folder` is the path of that folder, with the version.

    `stored` is the shell that a service worker stores: with the fonts, which a first start loads after its data.
    """

    version: str
    files: Mapping[str, bytes]
    shell: bytes
    stored: bytes
    worker: bytes

    @property
    def folder(self) -> str:
        return f"/app/{self.version}/"

    def addressed(self, page: bytes) -> bytes:
        """The page or style sheet with the version in its addresses of files of the app."""
        return page.replace(b'"/app/', f'"{self.folder}'.encode())


def web_app(sources: Mapping[str, bytes], shell: bytes, worker: bytes, online: list[str]) -> WebApp:
    """The app of these files. `online` are the first parts of paths that the service worker leaves to the server."""
    modules = {path: compact(content) for path, content in sources.items() if path.endswith(".js")}
    files = {path: content for path, content in sources.items() if not path.endswith((".css", ".js"))}
    modules = in_each_language(modules)
    starts = [[path for path in start if path in modules] for start in _STARTS]
    files |= packed([start for start in starts if start], modules)
    files |= {path: flattened(path, sources) for path in _STYLES if path in sources}
    version = _version({**files, "/": shell, "/sw.js": worker})
    app = WebApp(version, files, b"", b"", b"")
    stored = [app.folder, *(app.folder + path for path in sorted(files) if not _NOT_STORED.search(path))]
    facts = {"version": version, "shell": app.folder, "files": stored, "online": online}
    fonts = f'<link rel="stylesheet" href="/app/{_FONTS}">\n</head>'.encode()
    return app._replace(
        shell=app.addressed(shell),
        stored=app.addressed(shell.replace(b"</head>", fonts)),
        worker=f"const APP = {json.dumps(facts, separators=(',', ':'))};\n".encode() + compact(worker),
    )


def _version(files: Mapping[str, bytes]) -> str:
    digest = xxhash.xxh3_64()
    for path in sorted(files):
        digest.update(f"{path}\0{len(files[path])}\0".encode())
        digest.update(files[path])
    return digest.hexdigest()
