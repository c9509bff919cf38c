"""Accent colours: the contrast of every accent with white."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backbench.values.colours import contrast_with_white, palette

accents = st.integers(0, 0xFFFFFF).map(lambda code: f"#{code:06X}")


@settings(max_examples=100, deadline=None)
@given(accents)
def test_text_in_an_accent_colour_is_readable_on_white(accent: str) -> None:
    assert contrast_with_white(palette(accent).text) >= 4.5


@settings(max_examples=100, deadline=None)
@given(accents)
def test_a_rule_in_an_accent_colour_is_visible_on_white(accent: str) -> None:
    assert contrast_with_white(palette(accent).accent) >= 1.8


@settings(max_examples=100, deadline=None)
@given(accents)
def test_the_background_of_the_logo_is_light(accent: str) -> None:
    assert 1 < contrast_with_white(palette(accent).tint) < 1.4


@pytest.mark.parametrize("accent", ["#2f5d50", "#000000", "#8a3b2e"])
def test_a_dark_accent_is_used_unchanged(accent: str) -> None:
    assert palette(accent)[:2] == (accent, accent)


def test_a_workshop_without_an_accent_has_a_dark_default() -> None:
    assert contrast_with_white(palette(None).text) > 10
