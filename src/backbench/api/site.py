"""Static pages: the few files of the site, held in memory and found by their exact path."""

import mimetypes
from importlib import resources
from importlib.resources.abc import Traversable

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from backbench.http.responses import etag, matches

_INDEX = "index.html"


class Site:
    """A path is looked up whole: a long one costs no more than a short one, and none can lead to another file."""

    def __init__(self) -> None:
        self._pages = _pages_in(resources.files("backbench") / "web", "/")

    def __contains__(self, path: str) -> bool:
        return path in self._pages or f"{path}/" in self._pages

    def respond(self, path: str, request: Request) -> Response:
        """The file; 304 where the browser has it; a redirect where only the slash at the end is missing."""
        page = self._pages.get(path)
        if page is None:
            return RedirectResponse(f"{path}/")
        known = request.headers.get("if-none-match")
        if known is not None and matches(page.headers["etag"].encode(), known.encode("latin-1"), weakly=True):
            return Response(status_code=304, headers={"etag": page.headers["etag"]})
        return page


def _pages_in(folder: Traversable, path: str) -> dict[str, Response]:
    pages: dict[str, Response] = {}
    for file in folder.iterdir():
        if file.is_dir():
            pages |= _pages_in(file, f"{path}{file.name}/")
        else:
            pages[path + ("" if file.name == _INDEX else file.name)] = _page(file)
    return pages


def _page(file: Traversable) -> Response:
    content = file.read_bytes()
    kind, _ = mimetypes.guess_type(file.name)
    return Response(content, media_type=kind, headers={"etag": etag(content).decode()})
