"""Lints and renders the Helm chart, and validates what it renders. Run in the environment of deploy-checks.txt.

Reads JSON from standard input, a list of {"chart", "name", "values"}; prints a list of lists of objects.
"""

import json
import sys
from typing import Any

import helm_python as helm
import kubernetes_validate
import yaml
from kubernetes_validate import utils

# The oldest that the chart supports and has a schema here, and the newest.
VERSIONS = (utils.all_versions()[0], utils.latest_version())


def rendered(chart: str, name: str, values: dict[str, Any]) -> list[Any]:
    """The objects. Raises an error of Helm or of the validation."""
    with helm.Chart.load(chart) as loaded:
        loaded.validate_schema(values)
        files = loaded.render(values, name=name, namespace="office")
    findings = helm.lint(chart, values=values)
    # 1 is information: "icon is recommended".
    assert all(each["severity"] <= 1 for each in findings["messages"] or []), findings
    texts = [text for file, text in files.items() if file.endswith(".yaml")]
    objects = [each for text in texts for each in yaml.safe_load_all(text) if each]
    for each in objects:
        for version in VERSIONS:
            kubernetes_validate.validate(each, version, strict=True)
    return objects


def attempt(chart: str, name: str, values: dict[str, Any]) -> Any:
    try:
        return rendered(chart, name, values)
    except helm.HelmError as error:
        return {"error": str(error)}


if __name__ == "__main__":
    json.dump([attempt(**each) for each in json.load(sys.stdin)], sys.stdout)
