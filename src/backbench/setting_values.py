"""Parsers of setting values: the text of an environment variable to a value.

Each raises ValueError with what was expected.
"""

import ipaddress
import re
from collections.abc import Callable
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

from backbench.values.limits import Limit

Network = ipaddress.IPv4Network | ipaddress.IPv6Network
_ENDPOINT = re.compile(r"https?://[\w.:\[\]-]+(/[\w.~%/-]*)?", re.ASCII)
_CONTROL_CHARACTER = re.compile(r"[\x00-\x1f\x7f]")


def text(value: str) -> str:
    """Any text on one line."""
    if _CONTROL_CHARACTER.search(value):
        raise ValueError("expected one line without control characters")
    return value


def host(value: str) -> str:
    """A host name or address, without a port."""
    if not re.fullmatch(r"[\w.:%-]+", value):
        raise ValueError("expected an address or a host name, such as 127.0.0.1 or ::1")
    return value


def limit(value: str) -> Limit:
    count, _, window = value.partition("/")
    if not (_is_positive(count) and _is_positive(window)):
        raise ValueError("expected count/seconds, such as 10/900")
    return Limit(int(count), int(window))


def whole_number(least: int, most: int) -> Callable[[str], int]:
    def parse(value: str) -> int:
        if not _is_digits(value) or not least <= int(value) <= most:
            raise ValueError(f"expected a whole number from {least} to {most}")
        return int(value)

    return parse


def networks(value: str) -> tuple[Network, ...]:
    try:
        return tuple(ipaddress.ip_network(part.strip(), strict=False) for part in value.split(",") if part.strip())
    except ValueError as error:
        raise ValueError(f"{error}; expected addresses or networks, such as 127.0.0.1, 10.0.0.2") from None


def one_of(*allowed: str) -> Callable[[str], str]:
    def parse(value: str) -> str:
        if value not in allowed:
            raise ValueError("expected one of " + ", ".join(word for word in allowed if word))
        return value

    return parse


def switch(value: str) -> bool:
    if value.lower() not in ("on", "off", "true", "false", "1", "0"):
        raise ValueError("expected on or off")
    return value.lower() in ("on", "true", "1")


def database_url(value: str) -> str:
    example = "something like sqlite:///data/backbench.db or postgresql://user@host/name"
    parts = _url(value, example, "sqlite", "postgresql", "postgres")
    if parts.scheme == "sqlite":
        is_valid = value.startswith("sqlite:///") and parts.path != "/"
    else:
        # Several have a comma between them.
        hosts = parts.netloc.rpartition("@")[2].split(",")
        is_valid = all(_is_reachable(urlsplit(f"//{each}")) for each in hosts) and _has_parameters(parts.query)
    if not is_valid or _has_null(value):
        raise ValueError(f"expected {example}")
    return value


def files_url(value: str) -> str:
    example = "something like file:data/files, file:///var/lib/files or s3://bucket/prefix"
    parts = _url(value, example, "file", "s3")
    # In file://data/files, `data` is a host name.
    is_valid = bool(parts.netloc) if parts.scheme == "s3" else bool(parts.path) and not parts.netloc
    if not is_valid or _has_null(value):
        raise ValueError(f"expected {example}")
    return value


def public_url(value: str) -> str:
    example = "something like https://office.example.com, without a path"
    parts = _url(value, example, "http", "https")
    # The service is at the root of its host: a path would appear in links, and no route would match it.
    if not _has_host(parts) or parts.path.strip("/") or parts.query or parts.fragment:
        raise ValueError(f"expected {example}")
    return value.rstrip("/")


def public_urls(value: str) -> tuple[str, ...]:
    """Separated by spaces."""
    return tuple(public_url(url) for url in value.split())


def host_and_port(url: str) -> str:
    """As browsers send them in `Host`: without a standard port."""
    return without_standard_port(urlsplit(url).netloc.rpartition("@")[2])


def without_standard_port(authority: str) -> str:
    return authority.lower().removesuffix(":80").removesuffix(":443")


def http_url(value: str) -> str:
    example = "a URL that starts with http: or https:"
    _url(value, example, "http", "https")
    return value


def api_url(value: str) -> str:
    example = "something like http://127.0.0.1:11434/v1, without a password"
    parts = _url(value, example, "http", "https")
    if not _has_host(parts) or parts.username is not None or parts.query or parts.fragment:
        raise ValueError(f"expected {example}")
    return value.rstrip("/")


def endpoint_url(value: str) -> str:
    """Of a service that is compatible with S3."""
    example = "something like https://objects.example.com, without a password"
    if not _has_host(_url(value, example, "http", "https")) or not _ENDPOINT.fullmatch(value):
        raise ValueError(f"expected {example}")
    return value


def smtp_url(value: str) -> str:
    example = "something like smtp://user:password@mail.example.com:587"
    if not _has_host(_url(value, example, "smtp", "smtps")):
        raise ValueError(f"expected {example}")
    return value


def mailbox(value: str) -> str:
    # At first use: most servers name no sender of their own.
    from email.utils import parseaddr

    address = parseaddr(value)[1]
    if not re.fullmatch(r"[^@\s]+@[^@\s]+", address) or not value.isprintable():
        raise ValueError("expected office@example.com or Our Workshop <office@example.com>")
    return value


def _is_digits(value: str) -> bool:
    return value.isascii() and value.isdigit()


def _is_positive(value: str) -> bool:
    return _is_digits(value) and int(value) > 0


def _url(value: str, example: str, *schemes: str) -> SplitResult:
    """The parts of a URL with one of `schemes`."""
    try:
        # urlsplit drops tabs and line breaks; text() refuses them.
        parts = urlsplit(text(value))
    except ValueError:
        raise ValueError(f"expected {example}") from None
    if parts.scheme not in schemes:
        raise ValueError(f"expected {example}")
    return parts


def _has_null(value: str) -> bool:
    """Whether the decoded URL has a character that no path has."""
    return "\0" in unquote(value)


def _has_parameters(query: str) -> bool:
    """Whether it is empty, or all of it is `name=value`. A value may be empty, as of a variable in a template."""
    try:
        return not query or bool(parse_qsl(query, strict_parsing=True, keep_blank_values=True))
    except ValueError:
        return False


def _has_host(parts: SplitResult) -> bool:
    return bool(parts.hostname) and _is_reachable(parts)


def _is_reachable(parts: SplitResult) -> bool:
    """Whether the port is one, and the host can be looked up: a name with an empty or a long part cannot."""
    try:
        (parts.hostname or "").encode("idna")
        return parts.port != 0
    except ValueError:
        return False
