"""Responses of pages: what `site/pages.py` and the files of the site answer."""

from urllib.parse import quote

from backbench.http.responses import Header, Response

_TEXT = b"text/plain; charset=utf-8"


def page(status: int, body: bytes = b"", *headers: Header) -> Response:
    """With a Content-Length, except where there can be no body (RFC 9110, 8.6)."""
    length = () if status in (204, 304) else ((b"content-length", b"%d" % len(body)),)
    return Response(status, body, [*headers, *length])


def content(body: bytes, content_type: bytes) -> Response:
    return page(200, body, (b"content-type", content_type))


def text(status: int, line: str, *headers: Header) -> Response:
    return page(status, line.encode(), (b"content-type", _TEXT), *headers)


def redirect(to: str, status: int = 307) -> Response:
    """To another path of this server, or to a URL, with the same method."""
    return page(status, b"", (b"location", quote(to, safe="/%:=&?~#+!$,;'@()*[]").encode()))
