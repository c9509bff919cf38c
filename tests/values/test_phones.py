"""Phone numbers as people write them: what is dialled, and E.164 or none. The web app has the same cases."""

import json
from pathlib import Path

from tools import phone_countries

from backbench.values.phones import dialled, e164_of

CASES = json.loads((Path(__file__).parent / "phone_numbers.json").read_text("utf-8"))


def test_numbers_are_dialled_and_read_as_they_were_meant() -> None:
    assert [[text, country, e164_of(text, country), dialled(text).link] for text, country, *_ in CASES] == CASES


def test_what_the_web_app_knows_of_countries_is_that_of_the_library() -> None:
    message = "run python -m tools.phone_countries"
    assert phone_countries.MODULE.read_text("utf-8") == phone_countries.module(), message
    assert json.loads(phone_countries.NUMBERS.read_text("utf-8")) == phone_countries.examples(), message
