"""Pages besides the operations: OpenAPI document, API reference, health checks, metrics, static pages."""

import hmac
import ipaddress
from functools import cached_property
from importlib import resources
from pathlib import Path

import msgspec
import structlog
from starlette import routing
from starlette.datastructures import MutableHeaders
from starlette.middleware.exceptions import ExceptionMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Message, Receive, Scope, Send

from backbench.api.metrics import MetricsPage
from backbench.api.routes import OPERATIONS, PREFIX
from backbench.domain.values.errors import Unavailable
from backbench.http.openapi.docs_page import docs_page
from backbench.http.openapi.document import document
from backbench.http.openapi.reference import Reference
from backbench.http.responses import STRICT_TRANSPORT
from backbench.http.router import Router
from backbench.integrations.worker_files import WorkerFiles
from backbench.storage.engine.database import Database

log = structlog.get_logger()

# Pages load only files of this server, cannot be framed, and are revalidated by their ETag.
_HEADERS = {
    "cache-control": "no-cache",
    "content-security-policy": "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; "
    "font-src 'self'; connect-src 'self'; form-action 'self'; object-src 'none'; base-uri 'none'; "
    "frame-ancestors 'none'",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
}
_ALLOW = {"allow": "GET, HEAD, OPTIONS"}


class Pages:
    """Served by Starlette: none of these is performance-critical."""

    paths = frozenset({f"{PREFIX}/openapi.json", f"{PREFIX}/docs"})

    def __init__(
        self, router: Router, db: Database, metrics_token: str, worker_files: WorkerFiles, *, is_secure: bool
    ) -> None:
        self._operations = router
        self._db = db
        self._token = metrics_token
        name, value = (part.decode() for part in STRICT_TRANSPORT)
        self._headers = _HEADERS | ({name: value} if is_secure else {})
        self._metrics_page = MetricsPage(router, db, worker_files)
        pages = routing.Router(
            [
                routing.Route(f"{PREFIX}/openapi.json", self._openapi),
                routing.Route(f"{PREFIX}/docs", self._docs),
                routing.Route("/healthz", self._healthy),
                routing.Route("/readyz", self._ready),
                routing.Route("/metrics", self._metrics),
                routing.Mount("/", StaticFiles(directory=_static_folder(), html=True)),
            ]
        )
        # Turns the exception for an unknown page into a 404.
        self._app = ExceptionMiddleware(pages)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        has_started = False
        request_id = self._operations.next_id()

        async def send_with_headers(message: Message) -> None:
            nonlocal has_started
            if message["type"] == "http.response.start":
                has_started = True
                headers = MutableHeaders(raw=message["headers"])
                for name, value in self._headers.items():
                    headers.setdefault(name, value)
                headers["x-request-id"] = request_id
            await send(message)

        scope = _without_host(scope)
        try:
            if scope["method"] in ("GET", "HEAD"):
                await self._app(scope, receive, send_with_headers)
            else:
                await (await self._other_method(scope))(scope, receive, send_with_headers)
        except Exception:
            log.exception("unhandled error", path=scope["path"], request_id=request_id)
            if has_started:
                raise
            await PlainTextResponse("Internal Server Error", 500)(scope, receive, send_with_headers)

    async def _other_method(self, scope: Scope) -> Response:
        """A response without a body, as for operations: 404, 405, or 204 for OPTIONS."""
        statuses: list[int] = []

        async def listen(message: Message) -> None:
            statuses.append(message.get("status", 0))

        await self._app({**scope, "method": "HEAD"}, _nothing, listen)
        if statuses[0] == 404:
            return Response(status_code=404)
        return Response(status_code=204 if scope["method"] == "OPTIONS" else 405, headers=_ALLOW)

    @cached_property
    def _document(self) -> bytes:
        return msgspec.json.encode(document(OPERATIONS, _reference()))

    async def _openapi(self, _request: Request) -> Response:
        return Response(self._document, media_type="application/json")

    async def _docs(self, _request: Request) -> Response:
        return HTMLResponse(docs_page(OPERATIONS, _reference(), f"{PREFIX}/openapi.json"))

    async def _healthy(self, _request: Request) -> Response:
        """Liveness: the process responds."""
        return PlainTextResponse("ok\n")

    async def _ready(self, _request: Request) -> Response:
        """Readiness: the database responds."""
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
        # Behind a proxy every peer is loopback, so a forwarded request does not count as local.
        is_forwarded = "x-forwarded-for" in request.headers or "forwarded" in request.headers
        client = request.client
        return client is not None and not is_forwarded and ipaddress.ip_address(client.host).is_loopback


def _without_host(scope: Scope) -> Scope:
    """The request without its Host, so that redirects have a path only.

    Otherwise a forged Host, or a path that starts like another host's address, would redirect a browser there.
    """
    headers = [(name, value) for name, value in scope["headers"] if name != b"host"]
    return {**scope, "path": "/" + scope["path"].lstrip("/"), "server": None, "headers": headers}


def _reference() -> Reference:
    # Imported when it is first needed: the examples would make every start slower.
    from backbench.api.reference import reference

    return reference()


async def _nothing() -> Message:
    return {"type": "http.request"}


def _static_folder() -> Path:
    return Path(str(resources.files("backbench") / "web"))
