"""Moved addresses: what earlier public URLs led to and others still use redirects to the public URL."""

from collections.abc import Sequence
from urllib.parse import quote

from backbench.http.requests import Scope
from backbench.setting_values import host_and_port, without_standard_port

# What stays in emails, on paper and in calendar programs: links of clients, status pages and calendar feeds. Nothing
# that signs in: cookies and unsent changes belong to the earlier address and would be missing at the other.
_PATHS = ("/e/", "/o/", "/calendars/")


class MovedAddresses:
    def __init__(self, former_urls: Sequence[str], public_url: str) -> None:
        self._hosts = frozenset(host_and_port(url) for url in former_urls)
        self._public_url = public_url

    def location(self, scope: Scope) -> str | None:
        """The URL that replaces the requested one; None where it is not an earlier one.

        The token in the fragment of a link is kept by the browser (RFC 9110, 10.2.2).
        """
        if not self._hosts or not scope["path"].startswith(_PATHS) or scope["method"] not in ("GET", "HEAD"):
            return None
        host = next((value for name, value in scope["headers"] if name == b"host"), b"").decode("latin-1")
        if without_standard_port(host) not in self._hosts:
            return None
        query = scope["query_string"].decode("latin-1")
        return f"{self._public_url}{quote(scope['path'])}" + (f"?{query}" if query else "")
