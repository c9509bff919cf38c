"""Rules of accessibility on a page, by axe. Its script is read once for each page that is loaded."""

from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

CONTRAST = ("color-contrast",)
_SCRIPT = Axe().axe_script
_RUN = """(options) => globalThis.axe && axe.run(document, options).then(({ violations }) =>
  violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`)))"""


def breaches(page: Page, rules: tuple[str, ...] = ()) -> list[str]:
    """Each breach of the rules with its element; without `rules`, of all that axe has."""
    only = {"runOnly": {"type": "rule", "values": rules}} if rules else {}
    # No rule reads the style files, which axe would otherwise parse for each page.
    options: dict[str, Any] = {
        "resultTypes": ["violations"],
        "selectors": False,
        "preload": {"assets": ["media"]},
        **only,
    }
    found: list[str] | None = page.evaluate(_RUN, options)
    if found is None:
        page.evaluate(_SCRIPT)
        found = page.evaluate(_RUN, options)
    assert found is not None
    return found
