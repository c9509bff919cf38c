"""HAProxy with the configuration of deploy/proxy, in front of nodes of a test."""

import contextlib
import itertools
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import httpx
import pytest

from tests.support.server import START_SECONDS, free_port

CONFIGURATION = Path(__file__).parents[3] / "deploy" / "proxy" / "haproxy.cfg"


def configuration(port: int, nodes: Sequence[int]) -> str:
    """deploy/proxy/haproxy.cfg with other addresses, without TLS, and for as many connections as any machine allows."""
    text = CONFIGURATION.read_text().replace("maxconn 10000", "maxconn 400")
    text, frontends = re.subn(r"^    bind .*$", f"    bind 127.0.0.1:{port}", text, flags=re.M)
    addresses = itertools.cycle(nodes)
    text, servers = re.subn(
        r"^(    server \w+) \S+", lambda line: f"{line[1]} 127.0.0.1:{next(addresses)}", text, flags=re.M
    )
    assert (frontends, servers) == (1, 2 * len(nodes)), "each of its two backends has three nodes"
    return text


@contextlib.contextmanager
def running_haproxy(nodes: Sequence[int]) -> Iterator[str]:
    """A proxy for nodes on these ports. Yields its URL; skips the test where HAProxy is not installed."""
    program = shutil.which("haproxy") or shutil.which("haproxy", path="/usr/sbin:/usr/local/sbin")
    if program is None:
        pytest.skip("haproxy is not installed: apt-get install haproxy")
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    with tempfile.TemporaryDirectory(prefix="backbench-haproxy-") as name:
        file, log = Path(name) / "haproxy.cfg", Path(name) / "log"
        file.write_text(configuration(port, nodes))
        with log.open("wb") as output:
            process = subprocess.Popen([program, "-db", "-f", str(file)], stdout=output, stderr=output)
        try:
            _wait_until_ready(url, process, log)
            yield url
        finally:
            process.kill()
            process.wait()


def _wait_until_ready(url: str, process: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        with contextlib.suppress(httpx.TransportError):
            if httpx.get(f"{url}/readyz", trust_env=False, verify=False, timeout=60).is_success:
                return
        time.sleep(0.05)
    raise AssertionError(f"haproxy did not get ready:\n{log.read_text()}")
