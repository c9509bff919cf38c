"""Page links: the addresses of the pages that take a single-use token, in emails and where a person passes them on."""

from typing import Literal

from backbench.values.enums import UserLocale


def page_link(
    public_url: str, page: Literal["verify", "reset", "join"], locale: UserLocale, secret: str, keys: int = 0
) -> str:
    """`keys`: the number of API keys that the page offers to end."""
    query = f"lang={locale}&keys={keys}" if keys else f"lang={locale}"
    # The secret is in the fragment, which browsers do not send: it appears in no log and no Referer header.
    return f"{public_url}/{page}/?{query}#token={secret}"
