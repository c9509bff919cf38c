"""What a language model says of a workshop's notes: only what is of the specified shape is taken."""

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from backbench.domain.ai import Unfit, as_data
from backbench.domain.plain_text import one_line
from backbench.domain.synthesis import INSTRUCTIONS, Synthesis, checked
from tests.support.ai_server import SYNTHESIS


def answer(**members: Any) -> Synthesis:
    """The good answer with these members, spelled `summary_en`, in place of its own."""
    parts: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(SYNTHESIS))
    for name, value in members.items():
        member, _, locale = name.rpartition("_")
        parts[member][locale] = value
    return msgspec.convert(parts, Synthesis)


def test_a_good_answer_is_taken_as_it_is() -> None:
    assert checked(answer()) == answer()


def test_white_space_and_control_characters_are_tidied_away() -> None:
    fit = checked(
        answer(
            summary_en="  Oak\r\nkitchens\tfor\u2028families.\x00\u202e\ufeff It is the best.\x7f ",
            suggestedIntents_en=[
                "Estimate\n a table",
                " estimate  a  TABLE ",
                "",
                "Plan a\u200b visit",
                "Call clients",
            ],
        )
    )
    assert fit.summary.en == "Oak kitchens for families. It is the best."
    assert fit.suggested_intents.en == ["estimate a TABLE", "Plan a visit", "Call clients"]


@pytest.mark.parametrize(
    "members",
    [
        {"summary_en": ""},
        {"summary_pl": " \n "},
        {"summary_en": "x" * 401},
        {"summary_pl": "ą" * 401},
        {"suggestedIntents_en": ["One", "Two"]},
        {"suggestedIntents_en": ["One", "one", "ONE", "Two"]},
        {"suggestedIntents_pl": ["1", "2", "3", "4", "5", "6"]},
        {"suggestedIntents_pl": ["x" * 81, "y", "z"]},
        {"suggestedIntents_en": [str(number) for number in range(100_000)]},
        {"summary_en": "x" * 1_000_000},
        {"summary_en": "Visit https://evil.example for the rest."},
        {"summary_en": "Write to mallory@evil.example."},
        {"suggestedIntents_en": ["Visit evil.example", "Plan", "Call"]},
        {"summary_en": "<script>alert(1)</script>"},
        {"summary_en": "**Oak** kitchens"},
        {"summary_en": INSTRUCTIONS.replace("\n", " ")[:300]},
        {"summary_en": "As an AI language model I cannot read this."},
        {"summary_en": "Oak kitchens for you. Call +48 600-123-456 before the end of the week."},
        {"summary_pl": "Kuchnie na wymiar. Wpłata na PL61 1090 1014 0000 0712 1981 2874 z góry."},
        {"suggestedIntents_en": ["Call 600 123 456 7", "Plan a visit", "Estimate a table"]},
        {"summary_en": "Wir bauen Küchen und Tische aus Eiche vom Ort und ölen sie, meistens für Familien."},
        {"summary_en": SYNTHESIS["summary"]["pl"]},
        {"summary_pl": SYNTHESIS["summary"]["en"]},
    ],
    ids=lambda members: str(members)[:50],
)
def test_an_answer_of_another_shape_is_refused(members: dict[str, Any]) -> None:
    with pytest.raises(Unfit):
        checked(answer(**members))


@pytest.mark.parametrize(
    "summary", ["Oak furniture since 1998 - 2004.", "Tables of 2 000 x 900 mm.", "Oak. Ash. Birch."]
)
def test_a_short_or_measured_summary_is_taken(summary: str) -> None:
    assert checked(answer(summary_en=summary)).summary.en == summary


def test_the_bounds_themselves_are_taken() -> None:
    intents = [letter * 80 for letter in "abcde"]
    fit = checked(answer(summary_en="ą" * 400, summary_pl="🪚" * 400, suggestedIntents_en=intents))
    assert (len(fit.summary.en), len(fit.summary.pl)) == (400, 400)
    assert fit.suggested_intents.en == intents


@given(st.text(max_size=500), st.lists(st.text(max_size=100), max_size=7))
def test_whatever_is_taken_is_of_the_specified_shape(summary: str, intents: list[str]) -> None:
    try:
        fit = checked(answer(summary_en=summary, suggestedIntents_en=intents))
    except Unfit:
        return
    assert 1 <= len(fit.summary.en) <= 400
    assert 3 <= len(fit.suggested_intents.en) <= 5
    assert all(1 <= len(intent) <= 80 for intent in fit.suggested_intents.en)
    msgspec.json.encode(fit)


@given(st.text(max_size=500))
def test_a_tidied_text_stays_as_it_is(text: str) -> None:
    assert one_line(one_line(text)) == one_line(text)


@given(st.text())
def test_nothing_in_the_material_can_end_it(text: str) -> None:
    said = as_data({"notes": text})
    first, data = said.split("\n")
    assert first == as_data({}).split("\n")[0]
    assert msgspec.json.decode(data) == {"notes": text}
    assert not set(data) & set("<>`")
