"""Memory of the web app: it stays flat however many screens are shown."""

from collections.abc import Callable

import pytest

from tests.web.app.craftspeople import Craftsperson
from tests.web.app.screens import go

PATHS = ("/", "/estimates", "/tiles", "/shop", "/estimates/new", "/catalog", "/shop/sign", "/shop/documents")


@pytest.mark.prove
def test_memory_is_flat_after_two_hundred_screens(open_phone: Callable[..., Craftsperson]) -> None:
    person = open_phone()
    person.open()
    devtools = person.context.new_cdp_session(person.page)

    def show(count: int) -> tuple[int, int]:
        """Bytes of JavaScript objects and nodes of documents, after so many screens."""
        for number in range(count):
            go(person.page, PATHS[number % len(PATHS)])
        go(person.page, "/")
        devtools.send("HeapProfiler.collectGarbage")
        counted = devtools.send("Memory.getDOMCounters")
        return int(devtools.send("Runtime.getHeapUsage")["usedSize"]), int(counted["nodes"])

    # Every module and list is loaded once.
    heap, nodes = show(2 * len(PATHS))
    after, nodes_after = show(200)
    assert after < heap * 1.25, (heap, after)
    assert nodes_after < nodes * 1.5, (nodes, nodes_after)
