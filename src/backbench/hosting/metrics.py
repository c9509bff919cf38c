"""Metrics of all workers, for Prometheus."""

from collections.abc import Iterator

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
from backbench.engine.database import Database
from backbench.http.router import Router
from backbench.integrations.workers import (
    BOUNDS,
    Labels,
    RequestCount,
    WorkerFiles,
    WorkerProcess,
    encode,
    is_running,
    processes,
    this_process,
    total,
)
from backbench.mail import outbox
from backbench.values.errors import Unavailable

_FAILED_SIGN_IN = ("POST", "/authenticate", 401)


class MetricsPage:
    def __init__(self, router: Router, db: Database, worker_files: WorkerFiles) -> None:
        self._router = router
        self._db = db
        self._worker_files = worker_files
        self._platform = CollectorRegistry()
        self._platform.register(PlatformCollector(registry=None))

    async def content(self) -> bytes:
        published = await self._worker_files.exchange(encode(self._router.request_counts, this_process()))
        registry = CollectorRegistry()
        registry.register(_Collected(total(published), await self._emails_waiting()))
        registry.register(_Processes(processes(published)))
        return generate_latest(registry) + generate_latest(self._platform)

    async def _emails_waiting(self) -> int | None:
        """None where the database cannot be used: the other metrics are wanted all the more then."""
        try:
            async with self._db.read() as db:
                return await outbox.count_waiting(db)
        except Unavailable:
            return None


class _Collected:
    """What was collected for one response, as metrics."""

    def __init__(self, counts: dict[Labels, RequestCount], emails_waiting: int | None) -> None:
        self._counts = counts
        self._emails_waiting = emails_waiting

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
        reachable = float(self._emails_waiting is not None)
        yield GaugeMetricFamily("backbench_database_reachable", "1 while the database can be used", value=reachable)
        if self._emails_waiting is not None:
            yield GaugeMetricFamily("backbench_emails_waiting", "Emails to be sent", value=self._emails_waiting)


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
