"""Pages of the web app without a browser's layout."""

from tests.web.dom.driver import Deno, Expectation, Locator, running_deno

__all__ = ["Deno", "Expectation", "Locator", "running_deno"]
