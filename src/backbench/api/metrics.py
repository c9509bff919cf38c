"""Metrics for Prometheus: requests of all workers, emails that wait, and this process."""

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
from prometheus_client.process_collector import ProcessCollector

from backbench import __version__
from backbench.domain.operations.metrics import BOUNDS, Labels, RequestCount, encode, total
from backbench.domain.values.errors import Unavailable
from backbench.http.router import Router
from backbench.integrations.worker_files import WorkerFiles
from backbench.storage.engine.database import Database
from backbench.storage.operations import email_outbox

_FAILED_SIGN_IN = ("POST", "/authenticate", 401)


class MetricsPage:
    def __init__(self, router: Router, db: Database, worker_files: WorkerFiles) -> None:
        self._router = router
        self._db = db
        self._worker_files = worker_files
        self._process = CollectorRegistry()
        self._process.register(ProcessCollector(registry=None))
        self._process.register(PlatformCollector(registry=None))

    async def content(self) -> bytes:
        counts = total(await self._worker_files.exchange(encode(self._router.request_counts)))
        registry = CollectorRegistry()
        registry.register(_Collected(counts, await self._emails_waiting()))
        return generate_latest(registry) + generate_latest(self._process)

    async def _emails_waiting(self) -> int | None:
        """None where the database cannot be used: the other metrics are wanted all the more then."""
        try:
            async with self._db.read() as db:
                return await email_outbox.count_waiting(db)
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
        if self._emails_waiting is not None:
            yield GaugeMetricFamily("backbench_emails_waiting", "Emails to be sent", value=self._emails_waiting)


def _cumulative(count: RequestCount) -> list[tuple[str, float]]:
    """Each bucket with all that are below it, as Prometheus has them."""
    bounds = [*map(str, BOUNDS), "+Inf"]
    return [(bound, sum(count.buckets[: index + 1])) for index, bound in enumerate(bounds)]
