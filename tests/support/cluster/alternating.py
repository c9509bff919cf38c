"""Several nodes in one process: applications with nothing in common but their database and their files.

With `TEST_NODES=3`, `running_app` starts three of them for each test, and sends each request to the next one: then
every test of the API is a test of three nodes. `make prove` runs them like that.
"""

import itertools
import os
from collections.abc import Sequence
from typing import Any, cast

from backbench.app import Backbench
from backbench.http.requests import Receive, Scope, Send

NUMBER = int(os.environ.get("TEST_NODES", "1"))


class SeveralNodes:
    """The nodes as one application: each request goes to the next one. Everything else is that of the first."""

    def __init__(self, nodes: Sequence[Backbench]) -> None:
        self.nodes = nodes
        self._order = itertools.cycle(nodes)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await next(self._order)(scope, receive, send)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.nodes[0], name)


def as_one(nodes: Sequence[Backbench]) -> Backbench:
    return nodes[0] if len(nodes) == 1 else cast("Backbench", SeveralNodes(nodes))
