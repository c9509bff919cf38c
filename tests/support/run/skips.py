"""Skipped tests: how many for each reason. A run that lacks a browser should not look complete."""

from collections import Counter
from collections.abc import Iterable

import pytest


def skip_lines(reports: Iterable[pytest.TestReport]) -> list[str]:
    """For the end of a run."""
    reasons = Counter(
        report.longrepr[2].removeprefix("Skipped: ") for report in reports if isinstance(report.longrepr, tuple)
    )
    return [f"{count} skipped: {reason}" for reason, count in reasons.most_common()]
