"""Order: another one than that of the files, to find tests that depend on those before them.

`TEST_ORDER=7` shuffles folders, files and tests, each within its own. A folder stays together: it shares a browser.
"""

import os
import random

import pytest


class ShuffledOrder:
    """A plugin of pytest. Each number is one order, the same in every process of a run."""

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        number = os.environ.get("TEST_ORDER")
        if number:
            items.sort(key=lambda item: _place(number, item.nodeid))


def _place(number: str, nodeid: str) -> list[float]:
    path, _, test = nodeid.partition("::")
    parts = path.split("/")
    names = ["/".join(parts[:depth]) for depth in range(1, len(parts) + 1)]
    return [random.Random(f"{number} {name}").random() for name in [*names, f"{path}::{test}"]]
