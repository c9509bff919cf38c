"""Notifications to systemd (`Type=notify`): when the service is ready, waits for something, or stops.

The protocol of sd_notify(3): lines in one datagram to the socket that the environment names.
"""

import os
import socket

from backbench.logs import log

_SOCKET_VARIABLE = "NOTIFY_SOCKET"


def notify(*lines: str) -> None:
    """Sends the lines, such as `READY=1`; does nothing where no service manager asks for them."""
    path = os.environ.get(_SOCKET_VARIABLE)
    if not path:
        return
    # A leading @ stands for the null byte of an abstract socket.
    address = f"\0{path[1:]}" if path.startswith("@") else path
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as manager:
            manager.sendto("\n".join(lines).encode(), address)
    except OSError as error:
        # The service works without it; systemd ends a start that it was not notified of.
        log.warning("service manager not notified", reason=repr(error))
