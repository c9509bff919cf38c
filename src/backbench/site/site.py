"""Pages and files of the site, held in memory and found by their exact path."""

from functools import cache
from html import escape
from importlib import resources
from importlib.resources.abc import Traversable

from backbench.http.requests import Request
from backbench.http.responses import Response
from backbench.site.files import IMMUTABLE, REVALIDATED, TYPES, SiteFile
from backbench.site.responses import redirect
from backbench.site.web_app import WebApp, web_app

_INDEX = "index.html"
_APP = "app/"
# Paths of the server besides the site.
_SERVER = ["/api", "/healthz", "/readyz", "/metrics", "/help"]


class Site:
    """A path is looked up whole: a long one costs no more than a short one, and none can lead to another file."""

    def __init__(self, folder: Traversable, ways_in: str = "") -> None:
        """`ways_in`: what the pages offer besides a password, see `site`."""
        sources = _contents(folder, "")
        pages = {path: content for path, content in sources.items() if not path.startswith(_APP)}
        offered = f'"ways-in" content="{escape(ways_in)}"'.encode()
        pages = {path: content.replace(b'"ways-in" content=""', offered) for path, content in pages.items()}
        shell = pages.pop(_INDEX)
        worker = pages.pop("sw.js")
        self._static = sorted({f"/{path.partition('/')[0]}/" for path in pages if "/" in path})
        self.app = web_app(
            {path.removeprefix(_APP): content for path, content in sources.items() if path.startswith(_APP)},
            shell,
            worker,
            [*_SERVER, "/app/", *self._static],
        )
        # The pages have fonts and the press guard from the app.
        addressing = (".css", ".html")
        pages |= {path: self.app.addressed(content) for path, content in pages.items() if path.endswith(addressing)}
        self._files = {**_app_files(self.app), **_page_files(pages)}

    def find(self, path: str, accepted: str) -> str | None:
        """The path of the file to send, None where there is none. A screen of the web app has the path of the shell."""
        if path in self._files or f"{path}/" in self._files:
            return path
        is_screen = (
            "text/html" in accepted and "." not in path and not path.startswith((*_SERVER, "/app/", *self._static))
        )
        return "/" if is_screen else None

    def respond(self, path: str, request: Request) -> Response:
        """The file at a path that `find` returned; a redirect where only the slash at the end is missing."""
        file = self._files.get(path)
        return redirect(f"{path}/") if file is None else file.respond(request)

    def file(self, path: str) -> SiteFile:
        """Raises KeyError."""
        return self._files[path]

    @property
    def paths(self) -> list[str]:
        return list(self._files)


@cache
def site(*ways_in: str) -> Site:
    """The site of this installation, read once.

    Its pages offer `ways_in`: `sign-up`, `mail`, `plans`, `google`, `language-model`, `terms=ADDRESS`,
    `privacy=ADDRESS`.
    """
    return Site(resources.files("backbench") / "web", " ".join(ways_in))


def _contents(folder: Traversable, path: str) -> dict[str, bytes]:
    """The files that browsers may request, by their path below the folder."""
    found: dict[str, bytes] = {}
    for file in sorted(folder.iterdir(), key=lambda each: each.name):
        if file.is_dir():
            found |= _contents(file, f"{path}{file.name}/")
        elif f".{file.name.rpartition('.')[2]}" in TYPES:
            found[path + file.name] = file.read_bytes()
    return found


def _app_files(app: WebApp) -> dict[str, SiteFile]:
    files = {app.folder + path: SiteFile(path, content, IMMUTABLE) for path, content in app.files.items()}
    # With the version in its path too: a service worker that stores a version stores its own shell.
    files[app.folder] = SiteFile(_INDEX, app.stored, IMMUTABLE)
    files["/"] = SiteFile(_INDEX, app.shell, REVALIDATED)
    files["/sw.js"] = SiteFile("sw.js", app.worker, REVALIDATED)
    return files


def _page_files(pages: dict[str, bytes]) -> dict[str, SiteFile]:
    return {f"/{path.removesuffix(_INDEX)}": SiteFile(path, content, REVALIDATED) for path, content in pages.items()}
