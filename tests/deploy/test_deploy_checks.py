"""Dockerfile, compose files and Helm chart: checked by hadolint, the compose schema, Helm and the Kubernetes schemas.

A long proof: it installs these programs, which needs the network.
"""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.deploy.deploy_tools import deploy_tools

__all__ = ["deploy_tools"]

pytestmark = pytest.mark.prove

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
POSTGRES = {"mode": "postgres", "existingSecret": "office", "replicas": 3}
BACKUP = {"backup": {"enabled": True, "existingClaim": "backups"}}
INGRESS = {"ingress": {"enabled": True, "tlsSecret": "tls", "className": "nginx"}}
SETTINGS = {"settings": {"BACKBENCH_MAIL_FROM": "office@example.com"}}


def run(*command: str | Path, given: str = "") -> str:
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, input=given)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout


def rendered(deploy_tools: Path, *values: dict[str, Any]) -> Any:
    """What the chart renders with each of these values: linted, and valid for the oldest and the newest Kubernetes."""
    charts = [{"chart": str(DEPLOY / "helm" / "backbench"), "name": "backbench", "values": each} for each in values]
    program = Path(__file__).with_name("render_chart.py")
    return json.loads(run(deploy_tools / "python", program, given=json.dumps(charts)))


def pods(objects: list[Any]) -> list[Any]:
    """The specifications of the pods of Deployments, StatefulSets and CronJobs."""
    specs = [each["spec"]["jobTemplate"]["spec"] if each["kind"] == "CronJob" else each["spec"] for each in objects]
    return [spec["template"]["spec"] for spec in specs if "template" in spec]


def test_hadolint_finds_nothing_in_the_dockerfile(deploy_tools: Path) -> None:
    assert run(deploy_tools / "hadolint", DEPLOY / "docker" / "Dockerfile") == ""


def test_compose_files_are_valid(deploy_tools: Path) -> None:
    files = sorted(DEPLOY.glob("compose/*/compose.yaml"))
    assert "ok" in run(deploy_tools / "check-jsonschema", "--builtin-schema", "vendor.compose-spec", *files)


def test_the_chart_renders_what_each_mode_needs(deploy_tools: Path) -> None:
    sqlite, postgres = rendered(deploy_tools, BACKUP, POSTGRES | BACKUP | INGRESS | SETTINGS)
    assert sorted(each["kind"] for each in sqlite) == ["CronJob", "Service", "StatefulSet"]
    kinds = {each["kind"]: each for each in postgres}
    assert sorted(kinds) == ["CronJob", "Deployment", "Ingress", "PodDisruptionBudget", "Service"]
    assert kinds["Deployment"]["spec"]["replicas"] == 3


def test_every_pod_has_the_restricted_security_and_no_service_links(deploy_tools: Path) -> None:
    found = [pod for objects in rendered(deploy_tools, BACKUP, POSTGRES | BACKUP) for pod in pods(objects)]
    assert len(found) == 4
    for pod in found:
        assert not pod["enableServiceLinks"]
        assert not pod["automountServiceAccountToken"]
        assert pod["securityContext"]["runAsNonRoot"]
        assert pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
        (container,) = pod["containers"]
        assert container["securityContext"] == {
            "allowPrivilegeEscalation": False,
            "readOnlyRootFilesystem": True,
            "capabilities": {"drop": ["ALL"]},
        }


def test_values_that_cannot_work_are_rejected(deploy_tools: Path) -> None:
    wrong: list[dict[str, Any]] = [
        {"mode": "postgres"},
        {"mode": "mysql"},
        {"backup": {"enabled": True}},
        {"settings": {"SMTP_URL": "smtp://x"}},
        {"publicUrl": "office.example.com"},
    ]
    assert ["error" in each for each in rendered(deploy_tools, *wrong)] == [True] * len(wrong)
