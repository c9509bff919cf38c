"""Addresses that people enter: those of the public internet, and requests to them, without the library of a request."""

import ipaddress
from collections.abc import Mapping
from typing import Annotated
from urllib.parse import urlsplit

from msgspec import Meta

from backbench.values.errors import FieldError, ValidationError

Url = Annotated[str, Meta(min_length=8, max_length=2000, pattern=r"^https?://[!-~]+$")]
Address = ipaddress.IPv4Address | ipaddress.IPv6Address
# The part of IPv6 that is given out, less what leads elsewhere: Teredo and documentation, and 6to4.
_GIVEN_OUT = ipaddress.ip_network("2000::/3")
# What a version of Python knows of them does not count. From the registry of special purposes (RFC 6890 and later
# ones): this network, private, shared, loopback, link-local, protocol assignments, documentation, former 6to4 relays,
# benchmarks, multicast and reserved; and an address at which a provider's machines find their own settings.
_NOT_PUBLIC = tuple(
    map(
        ipaddress.ip_network,
        (
            "0.0.0.0/8",
            "10.0.0.0/8",
            "100.64.0.0/10",
            "127.0.0.0/8",
            "169.254.0.0/16",
            "172.16.0.0/12",
            "192.0.0.0/24",
            "192.0.2.0/24",
            "192.88.99.0/24",
            "192.168.0.0/16",
            "198.18.0.0/15",
            "198.51.100.0/24",
            "203.0.113.0/24",
            "224.0.0.0/3",
            "168.63.129.16/32",
        ),
    )
)
_TRANSLATED = tuple(map(ipaddress.ip_network, ("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20")))


def is_allowed(address: Address, *, allows_loopback: bool) -> bool:
    """Whether the service may connect to the address: a public one, and one of this machine where that is set."""
    return is_public(address) or (allows_loopback and address.is_loopback)


def is_public(address: Address) -> bool:
    """Not private, loopback, link-local, shared, reserved, multicast, or an IPv4 address in IPv6."""
    if isinstance(address, ipaddress.IPv4Address):
        return not any(address in network for network in _NOT_PUBLIC)
    return address in _GIVEN_OUT and not any(address in network for network in _TRANSLATED)


def require_public(url: str, pointer: str, *, allows_loopback: bool) -> None:
    """Raises ValidationError at `pointer`. A name is checked when it is resolved: this finds mistakes.

    `allows_loopback` is for tests: then addresses of this machine are accepted, and http.
    """
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError:
        raise ValidationError(FieldError(pointer, "not_valid", "Expected an address")) from None
    has_scheme = parts.scheme == "https" or allows_loopback
    if not has_scheme or parts.username is not None or not host:
        raise ValidationError(FieldError(pointer, "not_valid", "Expected an address that begins with https://"))
    if not _may_be_allowed(host, allows_loopback=allows_loopback):
        raise ValidationError(FieldError(pointer, "not_public", "Expected an address of the public internet"))


def _may_be_allowed(host: str, *, allows_loopback: bool) -> bool:
    if host == "localhost" or host.endswith(".localhost"):
        return allows_loopback
    try:
        return is_allowed(ipaddress.ip_address(host), allows_loopback=allows_loopback)
    except ValueError:
        # A name, but none that only looks like one: 127.1 and 0x7f000001 are addresses to some programs.
        return not host.rpartition(".")[2].isdigit() and not host.lower().startswith("0x") and not host.isdigit()


class RequestFailed(Exception):
    """There was no response. The message is for the log."""


class PublicRequests:
    """`allows_loopback` is for tests: then addresses of this machine may be connected to as well."""

    def __init__(self, *, allows_loopback: bool = False) -> None:
        self._allows_loopback = allows_loopback

    def post(self, url: str, content: bytes, headers: Mapping[str, str]) -> int:
        """The status of the response; its body is not read. Blocking. Raises RequestFailed."""
        # Most servers have no webhooks.
        from backbench.integrations import public_requests

        return public_requests.post(url, content, headers, allows_loopback=self._allows_loopback)
