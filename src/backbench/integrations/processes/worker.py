"""Worker process: fulfils one request after the other within its limits, until its input ends."""

import gc
import math
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO, Literal

from msgspec import Struct

from backbench.integrations.processes import protocol

if sys.platform != "win32":
    import resource

# Linux: memory use of this process.
PROCESS_STATUS = Path("/proc/self/status")

# The body of a request -> the body of its reply. Raises RequestFailed.
Work = Callable[[bytes], bytes]


class Worker(Struct, frozen=True):
    """`tidy` is called after each reply, while nobody waits."""

    work: Work
    tidy: Callable[[], None] | None = None


class RequestFailed(Exception):
    """This request cannot be fulfilled; the process can take the next one. The text is the reason."""


def serve(load: Callable[[], Worker], memory_bytes: int, cpu_seconds: int, reusable_bytes: int) -> None:
    """Replies to requests on the standard input. `load` loads what the work needs, before the limits apply."""
    requests, replies = sys.stdin.buffer, os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    # Output that a library prints must not get between the replies.
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    worker = load()
    # What lives as long as the process is not searched for garbage after every request.
    gc.freeze()
    _limit_resources(memory_bytes)
    _send(replies, protocol.READY)
    while (request := _next_request(requests)) is not None:
        _send(replies, protocol.ACCEPTED)
        _limit_cpu_time(cpu_seconds)
        try:
            kind, body = protocol.DONE, worker.work(request)
        except RequestFailed as error:
            kind, body = protocol.FAILED, str(error).encode()
        if kind == protocol.DONE and memory("VmHWM") > reusable_bytes:
            kind = protocol.DONE_LAST
        _send(replies, kind + body)
        if kind == protocol.DONE_LAST:
            break
        if worker.tidy is not None:
            worker.tidy()


def _limit_resources(memory_bytes: int) -> None:
    """Limits memory and disables writing files and core dumps, as far as the platform supports it."""
    if sys.platform == "win32":
        return
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    if sys.platform == "linux":
        resource.setrlimit(resource.RLIMIT_AS, (memory_bytes, memory_bytes))


def _limit_cpu_time(cpu_seconds: int) -> None:
    """Allows `cpu_seconds` more for the next request; the kernel kills a process that exceeds them."""
    if sys.platform != "win32":
        used = resource.getrusage(resource.RUSAGE_SELF)
        limit = math.ceil(used.ru_utime + used.ru_stime) + cpu_seconds
        resource.setrlimit(resource.RLIMIT_CPU, (limit, resource.getrlimit(resource.RLIMIT_CPU)[1]))


def memory(field: Literal["VmHWM", "VmRSS"]) -> int:
    """The peak or present resident memory of this process in bytes; 0 where the platform does not report it."""
    if not PROCESS_STATUS.exists():
        return 0
    # Not getrusage: its value starts at the memory of the parent process when it started this one.
    return int(PROCESS_STATUS.read_text("ascii").partition(f"{field}:")[2].split()[0]) * 1024


def _next_request(requests: BinaryIO) -> bytes | None:
    """None at the end of the input."""
    length = int.from_bytes(requests.read(protocol.LENGTH_BYTES), "big")
    request = requests.read(length)
    return request if length and len(request) == length else None


def _send(replies: BinaryIO, reply: bytes) -> None:
    replies.write(protocol.framed(reply))
    replies.flush()
