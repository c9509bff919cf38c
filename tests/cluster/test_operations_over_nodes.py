"""Every test of the API on three nodes: each request of a person goes to another node than the one before."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.cluster.figures import report

ROOT = Path(__file__).parents[2]
# Of one worker by design (docs/guide/several-machines.md): how much runs at once, streams, metrics, caches.
PER_WORKER = [
    "accounts/test_google.py::test_requests_share_one_fetch_and_its_failure",
    "billing/test_data_quota.py::test_a_large_full_workshop_is_not_summed_up_for_each_refused_write",
    "estimating/test_drafts.py::test_other_requests_are_served_while_drafts_hang",
    "estimating/test_pdf_exports.py::test_concurrent_pdf_exports_of_one_account_do_not_delay_others",
    "exports/test_archives.py::test_an_export_and_an_archive_share_their_limits",
    "connections/test_events.py::test_an_account_has_at_most_ten_streams",
    "connections/test_events.py::test_streams_end_before_the_server_stops",
    "exports/test_export_limits.py::test_one_export_at_a_time_runs_for_an_account",
    "exports/test_export_limits.py::test_two_exports_at_a_time_run_in_a_worker",
    "exports/test_export_limits.py::test_exports_that_are_read_slowly_keep_no_other_account_waiting",
    "hosting/test_metrics.py::test_metrics_have_requests_emails_and_the_version",
    "sharing/test_client_page.py::test_reads_of_a_link_are_limited_and_those_of_another_are_not",
    "sharing/test_link_addresses.py::test_the_holder_of_one_address_keeps_nobody_else_out",
]
# They replace the renderer of the first node.
OF_ONE_RENDERER = [
    "estimating/test_page_images.py::test_a_preview_is_preliminary_and_has_the_next_revision_number",
    "estimating/test_page_images.py::test_a_preview_is_in_the_language_of_the_caller_or_the_requested_one",
    "estimating/test_page_images.py::test_a_preview_takes_every_combination_of_toggles",
    "estimating/test_page_images.py::test_a_plan_may_require_the_brand_mark_of_a_preview",
    "estimating/test_page_images.py::test_an_unchanged_preview_is_not_drawn_again",
]

TESTS = ROOT / "tests"
# Those that take the operations of a server through its people.
MODULES = sorted(
    str(path.relative_to(TESTS))
    for path in TESTS.glob("*/test_*.py")
    if (ROOT / "src/backbench" / path.parent.name).is_dir() and "from tests.people import" in path.read_text("utf-8")
)


@pytest.mark.prove
@pytest.mark.parametrize("module", MODULES)
def test_every_test_of_the_api_passes_on_three_nodes(module: str) -> None:
    deselected = [option for test in (*PER_WORKER, *OF_ONE_RENDERER) for option in ("--deselect", f"tests/{test}")]
    command = [sys.executable, "-m", "pytest", f"tests/{module}", "--numprocesses", "2", *deselected]
    environment = os.environ | {"TEST_NODES": "3", "TEST_ENGINES": "all"}
    ran = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout[-20_000:]
    [passed] = re.findall(r"(\d+) passed", ran.stdout)
    report(f"tests of the API in {module} with three nodes in turn: {passed} passed")
