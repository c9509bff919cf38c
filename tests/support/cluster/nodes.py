"""Several nodes on one database: `backbench serve` in processes of their own, which may be killed and started again."""

import contextlib
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from tests.support.providers import s3_server
from tests.support.server import Server, free_port, running_server


class Node:
    """One machine of a cluster. It keeps its port over a restart."""

    def __init__(self, database_url: str, settings: Mapping[str, str], workers: int = 1) -> None:
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.database_url = database_url
        self.settings: dict[str, Any] = dict(settings)
        self.server: Server | None = None
        self._workers = workers
        self._running = contextlib.ExitStack()

    def start(self) -> None:
        """Returns once it is ready."""
        started = running_server(self.database_url, port=self.port, workers=self._workers, **self.settings)
        self.server = self._running.enter_context(started)

    def kill(self) -> None:
        """kill -9 on all of its processes."""
        assert self.server is not None
        self.server.kill()
        self.close()

    def stop(self) -> int:
        """Stops it like a service manager does. Returns the exit status."""
        assert self.server is not None
        status = self.server.stop()
        self.close()
        return status

    def close(self) -> None:
        self.server = None
        self._running.close()


@contextlib.contextmanager
def running_nodes(database_url: str, number: int = 3, workers: int = 1, **settings: str) -> Iterator[list[Node]]:
    """Nodes on that database that keep their files in one bucket, as `BACKBENCH_FILES_URL` unless it is among the
    settings."""
    with contextlib.ExitStack() as stack:
        if "BACKBENCH_FILES_URL" not in settings:
            settings |= _bucket(stack.enter_context(s3_server.running_s3_server()))
        nodes = [Node(database_url, settings, workers) for _ in range(number)]
        for node in nodes:
            stack.callback(node.close)
        # The first applies the migrations; the others would only wait for it.
        nodes[0].start()
        with ThreadPoolExecutor(number) as threads:
            list(threads.map(Node.start, nodes[1:]))
        yield nodes


def _bucket(port: int) -> dict[str, str]:
    return {
        **s3_server.CREDENTIALS,
        "AWS_ENDPOINT_URL": f"http://127.0.0.1:{port}",
        "BACKBENCH_FILES_URL": f"s3://{s3_server.BUCKET}/cluster",
    }
