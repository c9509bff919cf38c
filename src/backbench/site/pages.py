"""Pages besides the operations: OpenAPI document, API reference, health checks, metrics, static pages."""

import hmac
import ipaddress
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import msgspec

from backbench.engine.database import Database
from backbench.http.requests import Receive, Request, Scope, Send, is_local
from backbench.http.responses import Header, Response
from backbench.http.router import CLOSE, Router, discard_rest, send_response
from backbench.logs import log
from backbench.routes import OPERATIONS, PREFIX
from backbench.site.moved_addresses import MovedAddresses
from backbench.site.responses import content, page, redirect, text
from backbench.site.site import Site, site
from backbench.values.errors import Unavailable

if TYPE_CHECKING:
    from backbench.hosting.metrics import MetricsPage
    from backbench.site.help import Help
# Pages load only files of this server, cannot be framed, and are revalidated by their ETag unless they say otherwise.
_HEADERS = {
    "cache-control": "no-cache",
    # Scripts cannot write HTML or evaluate text; the one policy is for the address of the service worker.
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; "
    "font-src 'self'; connect-src 'self'; manifest-src 'self'; worker-src 'self'; form-action 'self'; "
    "object-src 'none'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; "
    "trusted-types worker",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    # The app reads the codes of slips with the camera.
    "permissions-policy": "camera=(self), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
}
_ALLOW: Header = (b"allow", b"GET, HEAD, OPTIONS")
_RETRY: Header = (b"retry-after", b"5")
# The pages of clients, which a token in the fragment opens: no search engine, no form, no policy for Trusted Types.
_CLIENT_PAGES = ("/e/", "/o/")
_HELP = "/help/"
_CLIENT_PAGE_HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; "
    "font-src 'self'; connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'",
    "permissions-policy": "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()",
    "x-robots-tag": "noindex, nofollow, noarchive",
}


class Pages:
    """Found by their whole path, besides the router: they are the same for everybody, except for metrics."""

    paths = frozenset({f"{PREFIX}/openapi.json", f"{PREFIX}/docs"})

    def __init__(
        self,
        router: Router,
        db: Database,
        metrics_token: str,
        new_metrics_page: Callable[[], "MetricsPage"],
        *,
        common_headers: Sequence[Header] = (),
        moved: MovedAddresses,
        ways_in: Sequence[str] = (),
    ) -> None:
        self._operations = router
        self._db = db
        self._token = metrics_token
        self._headers = [*_encoded(_HEADERS), *common_headers]
        self._client_page_headers = [*_encoded(_HEADERS | _CLIENT_PAGE_HEADERS), *common_headers]
        self._moved = moved
        self._ways_in = ways_in
        self._new_metrics_page = new_metrics_page
        self._pages: dict[str, Callable[[Request], Awaitable[Response]]] = {
            f"{PREFIX}/openapi.json": self._openapi,
            f"{PREFIX}/docs": self._docs,
            "/healthz": self._healthy,
            "/readyz": self._ready,
            "/metrics": self._metrics,
        }
        self._is_stopping = False

    def stop_soon(self) -> None:
        """Not ready from now on, so that load balancers leave this node out while it still accepts requests."""
        self._is_stopping = True

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request_id = next(self._operations.ids)
        request = Request(scope, receive)
        try:
            response = await self._respond(request)
        except Exception:
            log.exception("unhandled error", path=scope["path"], request_id=request_id)
            response = text(500, "Internal Server Error")
        has_unread_body = request.has_unread_body
        response.headers += self._common_headers(scope["path"], response)
        response.headers.append((b"x-request-id", request_id.encode()))
        if has_unread_body or self._is_stopping:
            response.headers.append(CLOSE)
        await send_response(response, send, self._operations.deadlines, with_body=request.method != "HEAD")
        if has_unread_body:
            await discard_rest(receive, self._operations.deadlines)

    def _common_headers(self, path: str, response: Response) -> list[Header]:
        """The headers of every page, without those that the response has itself."""
        common = self._client_page_headers if path.startswith(_CLIENT_PAGES) else self._headers
        own = {name for name, _ in response.headers}
        return [header for header in common if header[0] not in own]

    async def _respond(self, request: Request) -> Response:
        """The page, found by its whole path; without a body for other methods, as for operations."""
        # A path that starts like another host's address would redirect a browser there.
        path = "/" + request.scope["path"].lstrip("/")
        is_read = request.method in ("GET", "HEAD")
        moved_to = self._moved.location(request.scope)
        if moved_to is not None:
            return redirect(moved_to, 301)
        found_page = self._pages.get(path)
        files = self._help if f"{path}/".startswith(_HELP) else self._site
        found = path if found_page is not None else files.find(path, request.header(b"accept") or "" if is_read else "")
        if found is None:
            return text(404, "Not Found") if request.method == "GET" else page(404)
        if not is_read:
            return page(204 if request.method == "OPTIONS" else 405, b"", _ALLOW)
        return files.respond(found, request) if found_page is None else await found_page(request)

    @property
    def _site(self) -> Site:
        return site(*self._ways_in)

    def prepare(self) -> None:
        """Reads the site before it is requested: that takes as long as a tenth of a start, of which it is no part."""
        site(*self._ways_in)

    # Imported and made when they are first requested, and then stay as they are: many servers never are asked for them.
    @cached_property
    def _document(self) -> bytes:
        from backbench.http.openapi.document import document
        from backbench.reference import reference
        from backbench.reference.scopes import described, scope_rows

        return msgspec.json.encode(document(OPERATIONS, reference(), described(scope_rows(OPERATIONS))))

    @cached_property
    def _docs_page(self) -> bytes:
        from backbench.http.openapi.pages import docs_page

        return docs_page(msgspec.json.decode(self._document), f"{PREFIX}/openapi.json").encode()

    @cached_property
    def _help(self) -> "Help":
        from backbench.site.help import help_pages

        return help_pages()

    @cached_property
    def _metrics_page(self) -> "MetricsPage":
        return self._new_metrics_page()

    async def _openapi(self, _request: Request) -> Response:
        return content(self._document, b"application/json")

    async def _docs(self, _request: Request) -> Response:
        return content(self._docs_page, b"text/html; charset=utf-8")

    async def _healthy(self, _request: Request) -> Response:
        """Liveness: the process responds."""
        return text(200, "ok\n")

    async def _ready(self, _request: Request) -> Response:
        """Readiness: the database responds, and the server is not about to stop."""
        if self._is_stopping:
            return text(503, "stopping\n", _RETRY)
        try:
            await self._db.ready()
        except Unavailable as error:
            return text(503, f"{error.detail}\n", _RETRY)
        return text(200, "ready\n")

    async def _metrics(self, request: Request) -> Response:
        """Metrics for Prometheus, on loopback or with the bearer token of the settings."""
        if not self._may_read_metrics(request):
            return page(401 if self._token else 404)
        return content(await self._metrics_page.content(), b"text/plain; version=0.0.4; charset=utf-8")

    def _may_read_metrics(self, request: Request) -> bool:
        if self._token:
            sent = request.headers.get(b"authorization", b"")
            return hmac.compare_digest(sent, f"Bearer {self._token}".encode())
        # Behind a proxy every peer is loopback, so a forwarded request does not count as local. Nor does one for a
        # public name: a page of another site may have made its name resolve to this machine.
        is_forwarded = b"x-forwarded-for" in request.headers or b"forwarded" in request.headers
        client = request.scope.get("client")
        if client is None or is_forwarded or not is_local(request.header(b"host") or ""):
            return False
        return ipaddress.ip_address(client[0]).is_loopback


def _encoded(headers: Mapping[str, str]) -> list[Header]:
    return [(name.encode(), value.encode()) for name, value in headers.items()]
