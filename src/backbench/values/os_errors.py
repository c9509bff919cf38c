"""Operating system errors in plain words: "no such host", "connection refused", "permission denied"."""

import os
import re
import socket
import ssl

_NUMBER = re.compile(r"\[Errno (\d+)\]")


def reason_of(error: OSError) -> str:
    """The cause in lower case, without a host, a path or the name of a class."""
    if isinstance(error, socket.gaierror):
        # At boot the name server may not be reachable yet.
        return "the host name cannot be looked up" if error.errno == socket.EAI_AGAIN else "no such host"
    if isinstance(error, ssl.SSLError):
        return f"TLS failed ({(error.reason or 'unknown reason').lower().replace('_', ' ')})"
    if isinstance(error, TimeoutError):
        return "no response in time"
    # asyncio joins the errors of several addresses of a host in one text, without a number.
    number = error.errno or next(map(int, _NUMBER.findall(str(error))), 0)
    if not number:
        return "the connection failed" if isinstance(error, ConnectionError) else "an unknown system error"
    text = os.strerror(number)
    return text[:1].lower() + text[1:]
