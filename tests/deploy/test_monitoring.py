"""Alert rules and dashboard in deploy/monitoring: metrics that exist, valid PromQL, and when each alert fires."""

import json
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from prometheus_client.parser import text_string_to_metric_families

from tests.support.databases import running_app

MONITORING = Path(__file__).parents[2] / "deploy" / "monitoring"
ALERTS = MONITORING / "alerts.yml"
UNIT_TESTS = Path(__file__).with_name("alerts_test.yml")
METRIC = re.compile(r"\b(?:backbench|process)_[a-z_]+")
LABEL = re.compile(r"(\w+)(?:=~?|!~?=?)\"")
# Prometheus adds them.
TARGET_LABELS = {"instance", "job"}

needs_promtool = pytest.mark.skipif(shutil.which("promtool") is None, reason="no promtool on this machine")


def rules() -> list[dict[str, Any]]:
    return [rule for group in yaml.safe_load(ALERTS.read_text("utf-8"))["groups"] for rule in group["rules"]]


def dashboard() -> Any:
    return json.loads((MONITORING / "grafana-dashboard.json").read_text("utf-8"))


def panel_expressions() -> Iterator[str]:
    yield from (target["expr"] for panel in dashboard()["panels"] for target in panel["targets"])


def expressions() -> Iterator[str]:
    """Every PromQL expression of the alert rules and of the dashboard, and the queries of its variables."""
    yield from (rule["expr"] for rule in rules())
    yield from panel_expressions()
    yield from (each["query"] for each in dashboard()["templating"]["list"])


async def test_alerts_and_dashboard_use_only_existing_metrics_and_labels(
    new_database_url: Callable[[], str], tmp_path: Path
) -> None:
    async with running_app(new_database_url(), backup_folder=str(tmp_path)) as app:
        await app.anonymous().get("/catalog")
        text = (await app.anonymous().browser.get("/metrics")).text
    samples = [sample for family in text_string_to_metric_families(text) for sample in family.samples]
    existing = {sample.name for sample in samples}
    used = {name for expression in expressions() for name in METRIC.findall(expression)}
    assert used - existing == set()
    labels = {name for expression in expressions() for name in LABEL.findall(expression)}
    assert labels - {label for sample in samples for label in sample.labels} - TARGET_LABELS == set()
    # All of ours, except for the version.
    assert {name for name in existing if name.startswith("backbench_") and "_seconds_" not in name} <= used | {
        "backbench_info"
    }


def test_every_alert_says_what_it_is_about_and_how_urgent() -> None:
    for rule in rules():
        assert rule["labels"]["severity"] in ("warning", "critical")
        assert "{{ $labels.instance }}" in rule["annotations"]["summary"]


def test_every_alert_has_a_unit_test_in_which_it_fires() -> None:
    cases = [
        case for test in yaml.safe_load(UNIT_TESTS.read_text("utf-8"))["tests"] for case in test["alert_rule_test"]
    ]
    assert {case["alertname"] for case in cases if case["exp_alerts"]} == {rule["alert"] for rule in rules()}


@pytest.mark.prove
@needs_promtool
def test_alerts_fire_when_they_should_and_only_then(tmp_path: Path) -> None:
    for file in (ALERTS, UNIT_TESTS):
        shutil.copy(file, tmp_path)
    assert "SUCCESS: 12 rules found" in promtool("check", "rules", tmp_path / ALERTS.name)
    assert "SUCCESS" in promtool("test", "rules", tmp_path / UNIT_TESTS.name)


@pytest.mark.prove
@needs_promtool
def test_expressions_of_the_dashboard_are_valid(tmp_path: Path) -> None:
    found = [each.replace("$__rate_interval", "1m").replace("$instance", ".*") for each in panel_expressions()]
    recorded = [{"record": f"panel_{number}", "expr": each} for number, each in enumerate(found)]
    file = tmp_path / "dashboard.yml"
    file.write_text(yaml.safe_dump({"groups": [{"name": "dashboard", "rules": recorded}]}))
    assert f"SUCCESS: {len(found)} rules found" in promtool("check", "rules", file)


def promtool(*arguments: str | Path) -> str:
    ran = subprocess.run(["promtool", *arguments], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout
