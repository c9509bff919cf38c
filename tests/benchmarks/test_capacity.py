"""Capacity model: its arithmetic, the page that it computes, and the suite that measures its inputs."""

from pathlib import Path
from typing import Any

import msgspec
import pytest
from benchmarks.capacity import databases, inputs, page
from benchmarks.capacity.costs import Cost
from benchmarks.capacity.examples import DAILY, LIMITS, MILLIONS, THOUSAND
from benchmarks.capacity.inputs import Engine
from benchmarks.capacity.model import need, operations_per_second, yearly_rows
from benchmarks.config import QUICK
from benchmarks.figures import Figure
from benchmarks.suites import capacity
from msgspec.structs import replace

TABLES = ("audit_entries", "orders", "estimates", "line_uses", "revisions", "files", "pdf_exports")
# Every operation takes a millisecond of the application and half of one of the database server.
ROUND = Engine(
    operations=dict.fromkeys(DAILY, Cost(1_000, 500, 2_000)),
    rows=dict.fromkeys((*TABLES, "idempotency_keys", "sessions"), 1_000),
    pdf_bytes=50_000,
    worker_bytes=100e6,
    stream_bytes=20e3,
    connections=10,
)


def test_the_page_has_what_the_model_computes_from_the_stored_inputs() -> None:
    text = page.PAGE.read_text("utf-8")
    assert text == page.with_blocks(text, inputs.stored()), "run `python -m benchmarks.capacity`"
    assert "<!-- end -->\n<!-- end -->" not in text


def test_cores_follow_from_processor_time_and_the_peak() -> None:
    load = replace(THOUSAND, workshops=86_400, active=1.0, peak=1.0)
    found = need(load, ROUND, LIMITS)
    # 275.5 operations a workshop, one workshop a second.
    assert found.requests == pytest.approx(275.5)
    assert found.writes == pytest.approx(25)
    assert found.application_cores == pytest.approx(0.2755)
    assert found.database_cores == pytest.approx(0.13775)
    assert operations_per_second(ROUND, DAILY) == pytest.approx((1_000, 2_000))


def test_workers_cover_the_cores_and_the_streams() -> None:
    cores = need(replace(THOUSAND, workshops=1_000_000, streams=0), ROUND, LIMITS)
    assert cores.workers == -(-cores.application_cores // LIMITS.utilization)
    streams = need(replace(THOUSAND, workshops=1_000_000, streams=1_000), ROUND, LIMITS)
    assert streams.workers == 300_000_000 / LIMITS.streams_per_worker
    assert streams.connections == streams.workers * 10


def test_each_write_adds_an_entry_to_the_log_and_each_estimate_its_lines() -> None:
    rows = yearly_rows(replace(THOUSAND, workshops=1, active=1.0))
    assert rows["audit_entries"] == pytest.approx(25 * 365)
    assert rows["line_uses"] == pytest.approx(1.6 * 12 * 365)
    assert set(rows) == set(TABLES)


def test_a_full_or_busy_database_needs_another_one() -> None:
    assert need(THOUSAND, ROUND, LIMITS).databases == 1
    full = need(MILLIONS, ROUND, LIMITS)
    assert full.databases == -(-(full.bytes * LIMITS.years + full.passing_bytes) // LIMITS.database_bytes)
    busy = need(MILLIONS, ROUND, replace(LIMITS, database_cores=1, database_bytes=1e18))
    assert busy.databases == -(-busy.database_cores // LIMITS.utilization)


@pytest.mark.prove
def test_the_suite_measures_every_operation_of_the_mix(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(capacity, "_ENGINES", (databases.sqlite,))
    measured = list(capacity.measure(replace(QUICK, capacity_requests=200, streams=100), tmp_path))
    figures: list[Any] = [msgspec.to_builtins(each) for each in measured if isinstance(each, Figure)]
    run = {"at": "2026-11-22", "machine": {"processors": 2, "model": "x", "python": "3", "load": [0, 0]}}
    found = inputs.from_run(run | {"figures": figures}).engines["SQLite"]
    assert set(found.operations) == set(DAILY)
    assert all(cost.processor_us > 0 for cost in found.operations.values())
    assert {"orders", "audit_entries", "line_uses", "idempotency_keys", "sessions", "outbox"} <= set(found.rows)
    assert min(found.pdf_bytes, found.worker_bytes) > 10_000
