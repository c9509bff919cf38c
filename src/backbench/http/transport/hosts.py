"""Hosts: names that cannot be pointed at this server from outside, against DNS rebinding."""

import ipaddress

# Reserved: no public DNS server resolves them (RFC 6761, RFC 6762, RFC 8375, and ICANN for `internal`).
_LOCAL_DOMAINS = ("localhost", "local", "internal", "home.arpa")


def is_local(authority: str) -> bool:
    """Whether a Host header names an IP address, or a machine of the local network, with or without a port.

    A page of another site can make its own name resolve to this machine. It cannot do so with an address or with a
    name that public DNS does not have.
    """
    host = authority.lower().rstrip(".")
    if host.startswith("["):
        host = host[1:].partition("]")[0]
    elif host.count(":") == 1:
        host = host.partition(":")[0].rstrip(".")
    try:
        ipaddress.ip_address(host)
    except ValueError:
        is_single = bool(host) and "." not in host and not host[-1].isdigit()
        return is_single or host.endswith(tuple(f".{domain}" for domain in _LOCAL_DOMAINS))
    return True
