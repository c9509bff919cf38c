"""Pages besides the operations: OpenAPI document, API reference, health checks, metrics, static pages."""

import hmac
import ipaddress
from collections.abc import Awaitable, Callable, Sequence
from functools import cached_property

import msgspec
import structlog
from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.types import Message, Receive, Scope, Send

from backbench.api.metrics import MetricsPage
from backbench.api.routes import OPERATIONS, PREFIX
from backbench.api.site.site import site
from backbench.domain.values.errors import Unavailable
from backbench.http.openapi.docs_page import docs_page
from backbench.http.openapi.document import document
from backbench.http.openapi.reference import Reference
from backbench.http.requests import Request as IncomingRequest
from backbench.http.responses import STRICT_TRANSPORT
from backbench.http.router import Router
from backbench.http.transport.hosts import is_local
from backbench.http.transport.sending import CLOSE, discard_rest
from backbench.integrations.worker_files import WorkerFiles
from backbench.storage.engine.database import Database

log = structlog.get_logger()

# Pages load only files of this server, cannot be framed, and are revalidated by their ETag unless they say otherwise.
_HEADERS = {
    "cache-control": "no-cache",
    # Scripts cannot write HTML or evaluate text; the one policy is for the address of the service worker.
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "font-src 'self'; connect-src 'self'; manifest-src 'self'; worker-src 'self'; form-action 'self'; "
    "object-src 'none'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; "
    "trusted-types worker",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
}
_ALLOW = {"allow": "GET, HEAD, OPTIONS"}
# The client page, which a token in the fragment opens: no search engine, no form, no policy for Trusted Types.
_CLIENT_PAGE = "/e/"
_CLIENT_PAGE_HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "font-src 'self'; connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'",
    "x-robots-tag": "noindex, nofollow, noarchive",
}


class Pages:
    """Served by Starlette: none of these is performance-critical."""

    paths = frozenset({f"{PREFIX}/openapi.json", f"{PREFIX}/docs"})

    def __init__(
        self,
        router: Router,
        db: Database,
        metrics_token: str,
        worker_files: WorkerFiles,
        *,
        is_secure: bool,
        ways_in: Sequence[str] = (),
    ) -> None:
        self._operations = router
        self._db = db
        self._token = metrics_token
        name, value = (part.decode() for part in STRICT_TRANSPORT)
        self._headers = _HEADERS | ({name: value} if is_secure else {})
        self._site = site(*ways_in)
        self._pages: dict[str, Callable[[Request], Awaitable[Response]]] = {
            f"{PREFIX}/openapi.json": self._openapi,
            f"{PREFIX}/docs": self._docs,
            "/healthz": self._healthy,
            "/readyz": self._ready,
            "/metrics": self._metrics,
        }
        self._metrics_page = MetricsPage(router, db, worker_files)
        self._is_stopping = False

    def stop_soon(self) -> None:
        """Not ready from now on, so that load balancers leave this node out while it still accepts requests."""
        self._is_stopping = True

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        has_started = False
        request_id = next(self._operations.ids)
        has_unread_body = IncomingRequest(scope, receive).has_unread_body

        async def send_with_headers(message: Message) -> None:
            nonlocal has_started
            if message["type"] == "http.response.start":
                has_started = True
                # A copy: the pages of the site are sent again.
                headers = MutableHeaders(raw=list(message["headers"]))
                own = _CLIENT_PAGE_HEADERS if scope["path"].startswith(_CLIENT_PAGE) else {}
                for name, value in (self._headers | own).items():
                    headers.setdefault(name, value)
                headers["x-request-id"] = request_id
                if has_unread_body or self._is_stopping:
                    headers.raw.append(CLOSE)
                message = {**message, "headers": headers.raw}
            await send(message)

        try:
            response = await self._respond(scope)
            await response(scope, receive, send_with_headers)
        except Exception:
            log.exception("unhandled error", path=scope["path"], request_id=request_id)
            if has_started:
                raise
            await PlainTextResponse("Internal Server Error", 500)(scope, receive, send_with_headers)
        if has_unread_body:
            await discard_rest(receive, self._operations.deadlines)

    async def _respond(self, scope: Scope) -> Response:
        """The page, found by its whole path; without a body for other methods, as for operations."""
        # A path that starts like another host's address would redirect a browser there.
        path = "/" + scope["path"].lstrip("/")
        request = Request(scope)
        is_read = scope["method"] in ("GET", "HEAD")
        page = self._pages.get(path)
        found = (
            path if page is not None else self._site.find(path, request.headers.get("accept", "") if is_read else "")
        )
        if found is None:
            return PlainTextResponse("Not Found", 404) if scope["method"] == "GET" else Response(status_code=404)
        if not is_read:
            return Response(status_code=204 if scope["method"] == "OPTIONS" else 405, headers=_ALLOW)
        return self._site.respond(found, request) if page is None else await page(request)

    # Both are made when they are first requested, and then stay as they are.
    @cached_property
    def _document(self) -> bytes:
        return msgspec.json.encode(document(OPERATIONS, _reference()))

    @cached_property
    def _docs_page(self) -> str:
        return docs_page(msgspec.json.decode(self._document), f"{PREFIX}/openapi.json")

    async def _openapi(self, _request: Request) -> Response:
        return Response(self._document, media_type="application/json")

    async def _docs(self, _request: Request) -> Response:
        return HTMLResponse(self._docs_page)

    async def _healthy(self, _request: Request) -> Response:
        """Liveness: the process responds."""
        return PlainTextResponse("ok\n")

    async def _ready(self, _request: Request) -> Response:
        """Readiness: the database responds, and the server is not about to stop."""
        if self._is_stopping:
            return PlainTextResponse("stopping\n", 503, {"retry-after": "5"})
        try:
            await self._db.ready()
        except Unavailable as error:
            return PlainTextResponse(f"{error.detail}\n", 503, {"retry-after": "5"})
        return PlainTextResponse("ready\n")

    async def _metrics(self, request: Request) -> Response:
        """Metrics for Prometheus, on loopback or with the bearer token of the settings."""
        if not self._may_read_metrics(request):
            return Response(status_code=401 if self._token else 404)
        return Response(await self._metrics_page.content(), media_type="text/plain; version=0.0.4; charset=utf-8")

    def _may_read_metrics(self, request: Request) -> bool:
        if self._token:
            sent = request.headers.get("authorization", "")
            return hmac.compare_digest(sent.encode(), f"Bearer {self._token}".encode())
        # Behind a proxy every peer is loopback, so a forwarded request does not count as local. Nor does one for a
        # public name: a page of another site may have made its name resolve to this machine.
        is_forwarded = "x-forwarded-for" in request.headers or "forwarded" in request.headers
        client = request.client
        if client is None or is_forwarded or not is_local(request.headers.get("host", "")):
            return False
        return ipaddress.ip_address(client.host).is_loopback


def _reference() -> Reference:
    # Imported when it is first needed: the examples would make every start slower.
    from backbench.api.reference import reference

    return reference()
