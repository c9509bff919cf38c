"""Pages of the web app without a browser's layout."""

from tests.web.dom.driver import Context, Deno, Expectation, Locator, running_deno

__all__ = ["Context", "Deno", "Expectation", "Locator", "running_deno"]
