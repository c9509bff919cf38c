"""Metrics for Prometheus: histograms of all workers, emails that wait, failed sign-ins, the version."""

import math
import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

from backbench import __version__
from backbench.app import Backbench
from backbench.hosting.backups import back_up
from backbench.hosting.metrics import backup_age
from backbench.integrations.backup_folders import backup_name
from backbench.integrations.workers import (
    BOUNDS,
    RequestCount,
    WorkerFiles,
    WorkerProcess,
    encode,
    is_running,
    processes,
    this_process,
    total,
)
from backbench.values import times
from tests.people import App, Person, settings
from tests.support.databases import running_app

Samples = dict[tuple[str, tuple[tuple[str, str], ...]], float]


async def metrics(person: Person) -> Samples:
    text = (await person.browser.get("/metrics")).text
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def requests(samples: Samples, path: str) -> float:
    return sum(
        value
        for (name, labels), value in samples.items()
        if name == "backbench_request_seconds_count" and dict(labels)["path"] == path
    )


async def test_metrics_have_requests_emails_and_the_version(new_database_url: Callable[[], str]) -> None:
    async with running_app(new_database_url(), sign_up="open") as app:
        local = app.anonymous()
        await local.post("/authenticate", {"email": "nobody@example.com", "password": "not the password"})
        sign_up = {"name": "Ewa", "email": "ewa@example.com", "password": "a plane and a saw", "acceptTerms": True}
        assert (await local.post("/accounts", sign_up)).status_code == 202
        samples = await metrics(local)
        assert samples["backbench_info", (("version", __version__),)] == 1
        assert samples["backbench_failed_sign_ins_total", ()] == 1
        assert samples["backbench_emails_waiting", ()] == 1
        assert samples["backbench_database_reachable", ()] == 1
        assert samples["backbench_workers", ()] == 1
        labels = (("method", "POST"), ("path", "/authenticate"), ("status", "401"))
        assert samples["backbench_request_seconds_count", labels] == 1
        assert samples["backbench_request_seconds_bucket", (("le", "+Inf"), *labels)] == 1
        assert samples["backbench_request_seconds_sum", labels] > 0


async def test_metrics_have_what_a_host_has_to_act_on(new_database_url: Callable[[], str], tmp_path: Path) -> None:
    async with running_app(new_database_url(), backup_folder=str(tmp_path)) as app:
        anna = await app.owner("Anna")
        before = await metrics(app.anonymous())
        assert before["backbench_backup_age_seconds", ()] == math.inf
        for name in ("backbench_emails_failed", "backbench_webhook_deliveries_waiting", "backbench_pdfs_waiting"):
            assert before[name, ()] == 0
        webhook = {"url": "https://receiver.example/hook", "events": ["*"]}
        added = (await anna.post(f"/workshops/{anna.workshop}/webhooks", webhook)).json()
        assert (await anna.post(f"/webhooks/{added['webhook']['id']}/test")).status_code == 202
        assert (await app.anonymous().post("/password-resets", {"email": anna.email})).status_code == 202
        await app.db.write(lambda db: db.run("UPDATE outbox SET failed_at = created_at"))
        waiting = (await metrics(app.anonymous()))["backbench_webhook_deliveries_waiting", ()]
        assert (await anna.patch(f"/webhooks/{added['webhook']['id']}", {"enabled": False})).status_code == 200
        made = times.later(times.now(), -7200)
        await back_up(app.db, app.backbench.blobs, tmp_path / backup_name(made), made)
        after = await metrics(app.anonymous())
    page = (Path(__file__).parents[2] / "docs" / "guide" / "running.md").read_text("utf-8")
    names = {re.sub(r"_(bucket|sum|count|created)$", "", name) for name, _ in after}
    assert {name for name in names if f"`{name}`" not in page} == set()
    assert 7200 <= after["backbench_backup_age_seconds", ()] < 10_000
    assert (waiting, after["backbench_webhook_deliveries_waiting", ()]) == (1, 0)
    assert (after["backbench_emails_waiting", ()], after["backbench_emails_failed", ()]) == (0, 1)
    assert after["backbench_database_bytes", ()] >= 100_000
    folders = {labels for name, labels in after if name == "backbench_disk_bytes"}
    assert folders
    for labels in folders:
        assert 0 < after["backbench_disk_free_bytes", labels] < after["backbench_disk_bytes", labels]


async def test_pdfs_of_all_workers_that_run_wait_together(app: App, tmp_path: Path) -> None:
    other = WorkerProcess(os.getppid(), 1.0, 100.0, waiting_pdfs=3)
    await WorkerFiles(tmp_path).exchange(encode({}, other))
    config = settings("sqlite://", files_url=f"file://{tmp_path}/files")
    backbench = Backbench(config, app.db, app.backbench.passwords, worker_folder=tmp_path)
    assert (await metrics(App(backbench).anonymous()))["backbench_pdfs_waiting", ()] == 3


async def test_an_unreadable_folder_of_backups_is_one_without_a_backup(tmp_path: Path) -> None:
    assert backup_age("") is None
    assert backup_age(str(tmp_path / "missing")) == math.inf


async def test_counters_do_not_fall_whichever_worker_is_asked(app: App, tmp_path: Path) -> None:
    """Three workers, of which one is replaced. After each request every worker reports at least what was reported."""

    def worker() -> Person:
        config = settings("sqlite://", files_url=f"file://{tmp_path}/files")
        return App(Backbench(config, app.db, app.backbench.passwords, worker_folder=tmp_path)).anonymous()

    workers = [worker() for _ in range(3)]
    reported = 0.0
    for number in range(9):
        await workers[number % 3].get("/catalog")
        if number == 5:
            workers[2] = worker()
        now_reported = requests(await metrics(workers[(number * 2) % 3]), "/catalog")
        assert now_reported >= reported
        reported = now_reported
    for each in workers:
        await metrics(each)
    assert requests(await metrics(workers[0]), "/catalog") >= 8


def test_a_duration_is_counted_in_its_bucket() -> None:
    count = RequestCount()
    for seconds in (0.0, BOUNDS[0], BOUNDS[0] * 1.1, BOUNDS[-1] * 2):
        count.add(seconds)
    assert count.buckets == [2, 1, *[0] * (len(BOUNDS) - 2), 1]
    labels = ("GET", "/orders/{orderId}", 200)
    both = total([encode({labels: count}), encode({labels: count})])
    assert both[labels].buckets == [4, 2, *[0] * (len(BOUNDS) - 2), 2]


def test_a_worker_that_ended_counts_its_processor_time_and_nothing_else() -> None:
    own = this_process()
    # No process has so large an id.
    ended = WorkerProcess(2**30, own.started - 60, 7.5, 2**40, 900, 1000)
    earlier = WorkerProcess(ended.pid, ended.started, 3.0)
    published = [encode({}, each) for each in (own, earlier, ended, earlier)]
    found = processes(published)
    assert sum(each.cpu_seconds for each in found) == own.cpu_seconds + 7.5
    assert [each for each in found if is_running(each)] == [own]


@pytest.mark.both_engines
async def test_every_worker_reports_the_processes_of_all(app: App, tmp_path: Path) -> None:
    other = WorkerProcess(os.getppid(), 1.0, 100.0, 5_000_000_000, 40, 1000)
    await WorkerFiles(tmp_path).exchange(encode({}, other))
    config = settings("sqlite://", files_url=f"file://{tmp_path}/files")
    worker = App(Backbench(config, app.db, app.backbench.passwords, worker_folder=tmp_path)).anonymous()
    samples = await metrics(worker)
    assert samples["backbench_workers", ()] == 2
    assert samples["process_start_time_seconds", ()] == 1
    assert samples["process_cpu_seconds_total", ()] > 100
    assert samples["process_resident_memory_bytes", ()] > 5_000_000_000
