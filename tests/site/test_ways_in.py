"""What the pages offer: each provider that is set up as the guide says, and no other."""

import re
from pathlib import Path

from backbench.app import Backbench, ways_in
from backbench.settings import load
from tests.support.databases import new_file
from tests.support.violations import violations

GUIDE = Path(__file__).parents[2] / "docs" / "guide"
BLOCK = re.compile(r"^```\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SETTING = re.compile(r"^(BACKBENCH_\w+)=(.*)$", re.MULTILINE)
# What a block offers that has this setting.
OFFERS = {
    "BACKBENCH_AI_PROVIDER": "language-model",
    "BACKBENCH_GOOGLE_CLIENT_ID": "google",
    "BACKBENCH_SMTP_URL": "mail",
    "BACKBENCH_STRIPE_SECRET_KEY": "plans",
}


def documented() -> list[tuple[str, dict[str, str]]]:
    """The page and the settings of every paragraph of every block that sets a provider up."""
    found = [
        (page.name, dict(SETTING.findall(paragraph)))
        for page in sorted(GUIDE.rglob("*.md"))
        for block in BLOCK.findall(page.read_text("utf-8"))
        for paragraph in block.split("\n\n")
    ]
    return [(page, settings) for page, settings in found if settings.keys() & OFFERS.keys()]


def test_pages_offer_what_is_set_up_as_the_guide_says(tmp_path: Path) -> None:
    url = new_file(tmp_path)
    with violations() as case:
        for page, variables in [("nothing", {}), *documented()]:
            with case(f"{page}: {', '.join(variables)}"):
                settings = load({"BACKBENCH_DATABASE_URL": url, **variables}, tmp_path / "none")
                offered = ways_in(settings, Backbench(settings).services)
                assert {each for each in offered if each in OFFERS.values()} == {
                    offer for setting, offer in OFFERS.items() if setting in variables
                }
    assert {setting for _, variables in documented() for setting in variables} >= OFFERS.keys()


def test_a_provider_that_is_set_up_incompletely_is_not_offered(tmp_path: Path) -> None:
    """A model without a provider is none: the address alone had the pages offer what every request refuses."""
    settings = load({"BACKBENCH_AI_URL": "http://127.0.0.1:11434/v1", "BACKBENCH_DATABASE_URL": new_file(tmp_path)})
    assert "language-model" not in ways_in(settings, Backbench(settings).services)
