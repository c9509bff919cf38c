"""The ASGI application, composed from the settings."""

import contextlib
from collections.abc import Coroutine
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import structs

from backbench.billing.data_quota import DataQuota
from backbench.connections.calendar_feeds import FEEDS, operation_path
from backbench.connections.live_changes import LiveChanges
from backbench.connections.tools import ToolCalls, Tools, ToolServices
from backbench.engine.database import Database
from backbench.engine.urls import open_database
from backbench.http.authentication import Authenticator
from backbench.http.concurrency import ConcurrencyLimit
from backbench.http.context import Context
from backbench.http.requests import Receive, Request, Scope, Send
from backbench.http.responses import strict_transport
from backbench.http.router import METHODS, Router
from backbench.imports.process import new_pool as new_import_processes
from backbench.integrations.ai import AiClient
from backbench.integrations.blobs import Blobs, open_blobs
from backbench.integrations.passwords import Passwords
from backbench.integrations.pdf.renderer import PdfRenderer
from backbench.integrations.photos.scaler import PhotoScaler
from backbench.integrations.processes.pool import ProcessPool
from backbench.integrations.public_addresses import PublicRequests
from backbench.integrations.workers import WorkerFiles, encode, this_process
from backbench.jobs.email_outbox import OutboxWorker
from backbench.jobs.email_renderer import EmailRenderer
from backbench.jobs.metrics import MetricsJob
from backbench.jobs.plan_reminders import PlanReminders
from backbench.jobs.push_deliveries import PushDeliveries
from backbench.jobs.sweep import SweepJob
from backbench.jobs.webhook_deliveries import WebhookDeliveries
from backbench.logs import log
from backbench.mail.messages import Sender
from backbench.mail.transport import open_transport
from backbench.providers import ai_of, checkout_availability, google_of, payments_of
from backbench.routes import OPERATIONS, PREFIX
from backbench.services import Services
from backbench.settings import Settings
from backbench.sharing.link_access import count_bad_token
from backbench.site.moved_addresses import MovedAddresses
from backbench.site.pages import Pages
from backbench.values import times
from backbench.values.errors import Unavailable
from backbench.values.ids import new_id
from backbench.values.limits import LinkLimits
from backbench.values.scalars import compile_patterns
from backbench.values.times import Instant

if TYPE_CHECKING:
    from backbench.hosting.metrics import MetricsPage


LINK_LIMITS = LinkLimits()
# For one account in one worker: an incomplete upload does not count against a plan yet.
_UPLOADS_AT_ONCE = 4
# For one account in one worker, which renders two documents at once: one account cannot occupy both.
_PDF_EXPORTS_RUNNING, _PDF_EXPORTS_WAITING = 1, 15
# For one account and for all accounts in one worker: each has a database connection and a temporary file.
_EXPORTS_RUNNING, _EXPORTS_IN_ALL = 1, 2
_LARGE_LISTS_RUNNING, _LARGE_LISTS_WAITING, _LARGE_LISTS_IN_ALL = 1, 3, 4


class Backbench:
    """The ASGI application: the API under its prefix, and the pages besides it."""

    def __init__(
        self,
        settings: Settings,
        db: Database | None = None,
        passwords: Passwords | None = None,
        worker_folder: Path | None = None,
    ) -> None:
        """`worker_folder`: where the workers of this server publish their request counts."""
        self.settings = settings
        self.db = db or open_database(settings.database_url)
        self.passwords = passwords or Passwords()
        self.blobs = open_blobs(settings.files_url)
        self.renderer = PdfRenderer()
        self.photo_scaler = PhotoScaler()
        self.import_processes = new_import_processes()
        self.ai = ai_of(settings)
        self.services = services_of(
            settings, self.passwords, self.blobs, self.renderer, self.photo_scaler, self.import_processes, self.ai
        )
        self.live_changes = LiveChanges(self.db)
        common_headers = [strict_transport(settings.hsts)] if settings.is_secure else []
        self.router = Router(OPERATIONS, self._context(), PREFIX, common_headers=common_headers)
        self._moved = MovedAddresses(settings.former_urls, settings.public_url)
        self._worker_files = WorkerFiles(worker_folder)
        self.metrics_job = MetricsJob(self._worker_files, self._own_metrics)
        self._pages = Pages(
            self.router,
            self.db,
            settings.metrics_token,
            self._new_metrics_page,
            common_headers=common_headers,
            moved=self._moved,
            ways_in=ways_in(settings, self.services),
        )
        self.outbox_worker = outbox_worker_of(settings, self.db, self.blobs)
        requests = PublicRequests(allows_loopback=settings.webhook_loopback)
        self.webhook_deliveries = WebhookDeliveries(self.db, requests, times.now, new_id)
        self.push_deliveries = PushDeliveries(self.db, requests, times.now, settings.public_url, settings.push_contact)
        reminders = PlanReminders(self.db, settings.plan_rules, times.now, new_id)
        self.sweep_job = SweepJob(
            self.db, self.blobs, times.now, reminders=reminders, blob_days=self.settings.deleted_files_days
        )

    def _own_metrics(self) -> bytes:
        """What this worker publishes for the one that is asked."""
        return encode(self.router.request_counts, this_process(self.renderer.waiting))

    def _new_metrics_page(self) -> "MetricsPage":
        # Many servers are never asked for metrics.
        from backbench.hosting import disk
        from backbench.hosting.metrics import MetricsPage, backup_age

        configured = self.settings
        return MetricsPage(
            self.db,
            self._worker_files,
            self._own_metrics,
            lambda: disk.spaces(configured.database_url, configured.files_url),
            lambda: backup_age(configured.backup_folder),
        )

    def _context(self) -> Context:
        """What every endpoint needs, the same for every request."""
        pdf_slots = ConcurrencyLimit(_PDF_EXPORTS_RUNNING, _PDF_EXPORTS_WAITING)
        return Context(
            db=self.db,
            authenticator=Authenticator(self.settings.public_url, self.settings.session_life, LINK_LIMITS),
            services=ToolServices(
                **structs.asdict(self.services),
                pdf_slots=pdf_slots,
                export_slots=ConcurrencyLimit(_EXPORTS_RUNNING, 0, in_all=_EXPORTS_IN_ALL),
                live_changes=self.live_changes,
                tool_calls=ToolCalls(Tools(OPERATIONS), self._call_api, PREFIX),
            ),
            trusted_proxies=self.settings.trusted_proxies,
            large_lists=ConcurrencyLimit(_LARGE_LISTS_RUNNING, _LARGE_LISTS_WAITING, in_all=_LARGE_LISTS_IN_ALL),
            slots={
                "pdf": pdf_slots,
                "uploads": ConcurrencyLimit(_UPLOADS_AT_ONCE),
                # Each reads every text of a workshop: threads that compute compete with the event loop.
                "erasures": ConcurrencyLimit(1),
            },
            require_quota=DataQuota(self.settings.plan_rules).require,
            free_bytes=self.settings.plan_rules.least_data_bytes,
            stored_response_seconds=self.settings.stored_response_days * 86_400,
            on_change=self.live_changes.changed,
            count_bad_token=self._count_bad_token,
        )

    async def _call_api(self, scope: Scope, receive: Receive, send: Send) -> None:
        """For tools of agents, which are made before the router."""
        await self.router(scope, receive, send)

    async def _count_bad_token(self, request: Request, now: Instant) -> None:
        await count_bad_token(self.db, request.address(self.settings.trusted_proxies), LINK_LIMITS, now)

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Coroutine[Any, Any, None]:
        kind = scope["type"]
        if kind == "http":
            path: str = scope["path"]
            is_known = scope["method"] in METHODS
            if not is_known or (path.startswith("/api/") and path not in self._pages.paths):
                return self.router(scope, receive, send)
            if path.startswith(FEEDS) and self._moved.location(scope) is None:
                scope["path"] = operation_path(path)
                return self.router(scope, receive, send)
            return self._pages(scope, receive, send)
        if kind == "lifespan":
            return self._live(receive, send)
        return _close(send)

    async def start(self) -> None:
        try:
            await self.db.migrate()
        except Unavailable as error:
            # The command has migrated before its workers start; a worker replaced during an outage starts without.
            log.warning("started without the database", reason=error.detail)
        self.outbox_worker.start()
        self.webhook_deliveries.start()
        self.push_deliveries.start()
        self.sweep_job.start()
        self.metrics_job.start()
        self.live_changes.start()

    def prepare(self) -> None:
        """What the first requests would wait for, and a start need not: called once the application serves."""
        self._pages.prepare()
        compile_patterns()

    def stop_soon(self) -> None:
        """For the time between a signal and the end of accepting requests, in which a load balancer notices it."""
        self._pages.stop_soon()
        self.router.close_connections()

    async def stop(self) -> None:
        """One part after the other, also where stopping one raises an error."""
        async with contextlib.AsyncExitStack() as parts:
            # The last one is stopped first.
            parts.push_async_callback(self.db.close)
            parts.push_async_callback(self.blobs.close)
            if self.ai is not None:
                parts.push_async_callback(self.ai.close)
            parts.push_async_callback(self.import_processes.close)
            parts.push_async_callback(self.photo_scaler.close)
            parts.push_async_callback(self.renderer.close)
            parts.callback(self.passwords.close)
            parts.push_async_callback(self.push_deliveries.stop)
            parts.push_async_callback(self.webhook_deliveries.stop)
            parts.push_async_callback(self.outbox_worker.stop)
            parts.push_async_callback(self.sweep_job.stop)
            parts.push_async_callback(self.metrics_job.stop)
            parts.push_async_callback(self.live_changes.stop)

    async def _live(self, receive: Receive, send: Send) -> None:
        await receive()
        try:
            await self.start()
        except Exception as error:
            # Without this message the server would continue, without the outbox worker and the sweep job.
            await send({"type": "lifespan.startup.failed", "message": str(error)})
            raise
        await send({"type": "lifespan.startup.complete"})
        await receive()
        await self.stop()
        await send({"type": "lifespan.shutdown.complete"})


async def _close(send: Send) -> None:
    await send({"type": "websocket.close", "code": 1000})


def outbox_worker_of(settings: Settings, db: Database, blobs: Blobs) -> OutboxWorker:
    sender = Sender(settings.mail_from, settings.public_url)
    transport = open_transport(settings.smtp_url, settings.mail_path, sender)
    return OutboxWorker(db, EmailRenderer(settings.public_url, settings.plan_rules), transport, times.now, blobs)


def ways_in(settings: Settings, services: Services) -> list[str]:
    """What the pages offer besides a password, and the addresses of the host's terms and privacy information."""
    # Of providers it asks what was made of the settings, as requests do: each knows which settings it takes.
    # Sign-up ends with the link in an email. Who is invited joins with the invitation.
    return [
        *(["sign-up"] if settings.sign_up == "open" and settings.has_mail_server else []),
        *(["mail"] if settings.has_mail_server else []),
        *(["plans"] if settings.has_plans else []),
        *(["google"] if services.google is not None else []),
        *(["language-model"] if services.ai is not None else []),
        *([f"terms={settings.terms_url}"] if settings.terms_url else []),
        *([f"privacy={settings.privacy_url}"] if settings.privacy_url else []),
    ]


def services_of(
    settings: Settings,
    passwords: Passwords,
    blobs: Blobs,
    renderer: PdfRenderer,
    photo_scaler: PhotoScaler,
    import_processes: ProcessPool,
    ai: AiClient | None,
) -> Services:
    """Raises BadSetting."""
    return Services(
        passwords=passwords,
        blobs=blobs,
        renderer=renderer,
        photo_scaler=photo_scaler,
        import_processes=import_processes,
        ai=ai,
        google=google_of(settings),
        payments=payments_of(settings),
        public_url=settings.public_url,
        is_secure=settings.is_secure,
        allows_loopback=settings.webhook_loopback,
        support_email=settings.support_email,
        has_mail_server=settings.has_mail_server,
        checkout=checkout_availability(settings),
        plan_rules=settings.plan_rules,
        ai_limits=settings.ai_limits,
        email_limits=settings.email_limits,
        export_limit=settings.export_limit,
        link_limits=LINK_LIMITS,
        session_life=settings.session_life,
        sign_in_limits=settings.sign_in_limits,
        sign_up_rules=settings.sign_up_rules,
    )
