"""The client for requests to addresses that people enter: loaded with its library at the first request."""

from collections.abc import Mapping


class PublicRequests:
    """`allows_loopback` is for tests: then addresses of this machine may be connected to as well."""

    def __init__(self, *, allows_loopback: bool = False) -> None:
        self._allows_loopback = allows_loopback

    def post(self, url: str, content: bytes, headers: Mapping[str, str]) -> int:
        """The status of the response; its body is not read. Blocking. Raises RequestFailed."""
        # Most servers have no webhooks.
        from backbench.integrations import public_requests

        return public_requests.post(url, content, headers, allows_loopback=self._allows_loopback)
