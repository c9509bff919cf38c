"""Connection limits: how many connections a worker accepts, and when it closes those of silent or slow clients."""

import asyncio
import contextlib
import os
import resource
import socket
import sys
from pathlib import Path

# Of each worker: the system may give one worker most of the connections.
MAX_CONNECTIONS = 8192
# Open files besides connections: the database, stored files, modules.
_OTHER_FILES = 512
# A request head, and what is read of a body at once. Each connection may hold as much.
BUFFER_BYTES = 32 * 1024
# A connection is closed that sends no whole request head for so long, also between two requests.
SILENT_SECONDS: float = 30
# A connection is closed whose client takes none of the bytes of a response for so long.
UNREAD_SECONDS: float = 30
# What the system takes of a response before the client does. Its own buffer has megabytes, and reports no space in it
# until a third is: a client that reads 20 KB a second would seem to read nothing for a minute.
_UNSENT_BYTES = 64 * 1024


def connections_per_worker() -> int:
    """Raises the limit of open files as far as permitted. Returns how many connections a worker accepts."""
    wanted = MAX_CONNECTIONS + _OTHER_FILES
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    files = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    if soft != resource.RLIM_INFINITY and soft < files:
        resource.setrlimit(resource.RLIMIT_NOFILE, (files, hard))
    return max(files - _OTHER_FILES, files // 2)


def limit_unread_responses(loop: asyncio.AbstractEventLoop) -> None:
    """Lets the system close a connection whose client does not read. The server has no such limit itself.

    Connections inherit the option from the listening socket; those that were accepted before get it, too. The server
    opens that socket when it serves, after the start of the application: until then this is repeated.
    """
    option = getattr(socket, "TCP_USER_TIMEOUT", None)
    if option is None:
        # Linux alone has it.
        return
    with contextlib.ExitStack() as opened:
        found = [opened.enter_context(each) for each in _tcp_sockets()]
        ports = {each.getsockname()[1] for each in found if _listens(each)}
        for each in found:
            if each.getsockname()[1] in ports:
                each.setsockopt(socket.IPPROTO_TCP, option, round(UNREAD_SECONDS * 1000))
                each.setsockopt(socket.IPPROTO_TCP, socket.TCP_NOTSENT_LOWAT, _UNSENT_BYTES)
    if not ports:
        loop.call_later(0.01, limit_unread_responses, loop)


def is_listening() -> bool:
    """Whether this process accepts connections. Elsewhere than on Linux the main process listens before it starts."""
    if sys.platform != "linux":
        return True
    with contextlib.ExitStack() as opened:
        found = [opened.enter_context(each) for each in _tcp_sockets()]
        return any(map(_listens, found))


def _listens(tcp: socket.socket) -> bool:
    return bool(tcp.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN))


def _tcp_sockets() -> list[socket.socket]:
    """The TCP sockets of this process, as duplicates to close. The server does not hand them out."""
    found = []
    for entry in Path("/proc/self/fd").iterdir():
        # The descriptor of the listing itself is closed when it is looked at.
        with contextlib.suppress(OSError):
            if not entry.is_socket():
                continue
            each = socket.socket(fileno=os.dup(int(entry.name)))
            if each.family in (socket.AF_INET, socket.AF_INET6) and each.type == socket.SOCK_STREAM:
                found.append(each)
            else:
                each.close()
    return found
