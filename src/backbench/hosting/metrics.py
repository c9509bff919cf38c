"""Metrics of all workers, for Prometheus."""

import asyncio
import math
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from msgspec import Struct
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    InfoMetricFamily,
    Metric,
)
from prometheus_client.platform_collector import PlatformCollector

from backbench import __version__
from backbench.connections import webhooks
from backbench.engine.database import Database
from backbench.hosting.disk import DiskSpace
from backbench.integrations import backup_folders
from backbench.integrations.workers import (
    BOUNDS,
    Labels,
    RequestCount,
    WorkerFiles,
    WorkerProcess,
    is_running,
    processes,
    total,
)
from backbench.logs import log
from backbench.mail import outbox
from backbench.values import times
from backbench.values.errors import Conflict, Unavailable

_FAILED_SIGN_IN = ("POST", "/authenticate", 401)


def backup_age(folder: str) -> float | None:
    """Seconds since the newest complete backup in the folder; None where none is named."""
    if not folder:
        return None
    try:
        return backup_folders.age(backup_folders.newest(backup_folders.complete_backups(Path(folder))), times.now())
    except Conflict as error:
        log.warning("backups not known", reason=error.detail)
        return math.inf


class Stored(Struct, frozen=True):
    """What the database says, for metrics."""

    bytes: int
    emails_waiting: int
    emails_failed: int
    deliveries_waiting: int


class MetricsPage:
    """`own` is what this worker publishes. `disk_spaces` and `backup_age` (in seconds) are asked in a thread."""

    def __init__(
        self,
        db: Database,
        worker_files: WorkerFiles,
        own: Callable[[], bytes],
        disk_spaces: Callable[[], Iterable[DiskSpace]],
        backup_age: Callable[[], float | None],
    ) -> None:
        self._db = db
        self._worker_files = worker_files
        self._own = own
        self._disk_spaces = disk_spaces
        self._backup_age = backup_age
        self._platform = CollectorRegistry()
        self._platform.register(PlatformCollector(registry=None))

    async def content(self) -> bytes:
        published = await self._worker_files.exchange(self._own())
        registry = CollectorRegistry()
        registry.register(_Requests(total(published)))
        registry.register(_Data(await self._stored()))
        registry.register(_Disks(*await asyncio.to_thread(self._on_disk)))
        registry.register(_Processes(processes(published)))
        return generate_latest(registry) + generate_latest(self._platform)

    async def _stored(self) -> Stored | None:
        """None where the database cannot be used: the other metrics are wanted all the more then."""
        try:
            async with self._db.read() as db:
                return Stored(
                    await self._db.catalog.size(db),
                    await outbox.count_waiting(db),
                    await outbox.count_failed(db),
                    await webhooks.count_waiting(db),
                )
        except Unavailable:
            return None

    def _on_disk(self) -> tuple[list[DiskSpace], float | None]:
        try:
            return list(self._disk_spaces()), self._backup_age()
        except OSError as error:
            log.warning("free space not known", reason=repr(error))
            return [], self._backup_age()


class _Requests:
    """Requests of all workers, and the version."""

    def __init__(self, counts: dict[Labels, RequestCount]) -> None:
        self._counts = counts

    def collect(self) -> Iterator[Metric]:
        yield InfoMetricFamily("backbench", "The version that runs", value={"version": __version__})
        requests = HistogramMetricFamily(
            "backbench_request_seconds",
            "Responses of all workers, by their seconds",
            labels=["method", "path", "status"],
        )
        for (method, path, status), count in sorted(self._counts.items()):
            requests.add_metric([method, path, str(status)], _cumulative(count), count.seconds)
        yield requests
        failed = self._counts.get(_FAILED_SIGN_IN, RequestCount())
        yield CounterMetricFamily("backbench_failed_sign_ins", "Refused sign-ins", value=sum(failed.buckets))


class _Data:
    """The database, and what waits in it. `stored` is None while it cannot be used."""

    def __init__(self, stored: Stored | None) -> None:
        self._stored = stored

    def collect(self) -> Iterator[Metric]:
        reachable = float(self._stored is not None)
        yield GaugeMetricFamily("backbench_database_reachable", "1 while the database can be used", value=reachable)
        if self._stored is None:
            return
        gauges = {
            "backbench_database_bytes": ("Size of the database", self._stored.bytes),
            "backbench_emails_waiting": ("Emails to be sent", self._stored.emails_waiting),
            "backbench_emails_failed": ("Emails given up", self._stored.emails_failed),
            "backbench_webhook_deliveries_waiting": (
                "Messages of webhooks to be sent",
                self._stored.deliveries_waiting,
            ),
        }
        for name, (text, value) in gauges.items():
            yield GaugeMetricFamily(name, text, value=value)


class _Disks:
    """Free space, and the newest backup. `backup_age` is None where no folder of backups is set."""

    def __init__(self, spaces: Iterable[DiskSpace], backup_age: float | None) -> None:
        self._spaces = spaces
        self._backup_age = backup_age

    def collect(self) -> Iterator[Metric]:
        total = GaugeMetricFamily("backbench_disk_bytes", "Size of the disks with data", labels=["folder"])
        free = GaugeMetricFamily("backbench_disk_free_bytes", "Free space there", labels=["folder"])
        for space in self._spaces:
            total.add_metric([str(space.folder)], space.total)
            free.add_metric([str(space.folder)], space.free)
        yield from (total, free)
        if self._backup_age is not None:
            text = "Since the newest backup; infinite without one"
            yield GaugeMetricFamily("backbench_backup_age_seconds", text, value=self._backup_age)


class _Processes:
    """The worker processes as one: whichever worker is asked reports the same, and no counter falls."""

    def __init__(self, workers: list[WorkerProcess]) -> None:
        self._workers = workers

    def collect(self) -> Iterator[Metric]:
        running = [worker for worker in self._workers if is_running(worker)]
        yield GaugeMetricFamily("backbench_workers", "Worker processes that run", value=len(running))
        # With those that have ended.
        cpu = sum(worker.cpu_seconds for worker in self._workers)
        yield CounterMetricFamily("process_cpu_seconds", "Processor time of all workers", value=cpu)
        waiting = sum(worker.waiting_pdfs for worker in running)
        yield GaugeMetricFamily("backbench_pdfs_waiting", "PDFs that no process works at yet", value=waiting)
        gauges = {
            "process_resident_memory_bytes": ("Memory of all workers", [each.resident_bytes for each in running]),
            "process_open_fds": ("Open files and connections of all workers", [each.open_fds for each in running]),
            "process_max_fds": ("What the limits of all workers permit", [each.max_fds for each in running]),
        }
        for name, (text, values) in gauges.items():
            yield GaugeMetricFamily(name, text, value=sum(values))
        started = min((worker.started for worker in self._workers), default=0.0)
        yield GaugeMetricFamily("process_start_time_seconds", "When the first worker started", value=started)


def _cumulative(count: RequestCount) -> list[tuple[str, float]]:
    """Each bucket with all that are below it, as Prometheus has them."""
    bounds = [*map(str, BOUNDS), "+Inf"]
    return [(bound, sum(count.buckets[: index + 1])) for index, bound in enumerate(bounds)]
