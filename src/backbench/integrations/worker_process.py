"""This worker's process: processor time, memory and open files, for the metrics."""

import os
import resource
import time
from pathlib import Path

from backbench.integrations.metrics import WorkerProcess

_STARTED = time.time()
_OWN = Path("/proc/self")


def this_process() -> WorkerProcess:
    """Memory and open files are 0 on systems without /proc."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    cpu = usage.ru_utime + usage.ru_stime
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    try:
        pages = int((_OWN / "statm").read_text().split()[1])
        fds = sum(1 for _ in (_OWN / "fd").iterdir())
    except OSError:
        pages = fds = 0
    return WorkerProcess(os.getpid(), _STARTED, cpu, pages * resource.getpagesize(), fds, limit)


def is_running(process: WorkerProcess) -> bool:
    """Whether a process has that id now. One that was killed has published no end."""
    try:
        os.kill(process.pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        # Of another user, so not a worker of this server.
        return False
    return True
