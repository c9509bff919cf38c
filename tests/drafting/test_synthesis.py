"""Context synthesis: only responses of the specified shape are accepted."""

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from backbench.integrations.prompts import InvalidResponse, material_as_json
from backbench.values.plain_text import one_line
from backbench.workshops.synthesis import INSTRUCTIONS, Synthesis, checked
from tests.support.providers.ai_server import SYNTHESIS
from tests.support.violations import all_of


def response(**members: Any) -> Synthesis:
    """A good response with these members, spelled `summary_en`, replaced."""
    parts: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(SYNTHESIS))
    for name, value in members.items():
        member, _, locale = name.rpartition("_")
        parts[member][locale] = value
    return msgspec.convert(parts, Synthesis)


def test_a_good_response_is_accepted_unchanged() -> None:
    assert checked(response()) == response()


def test_white_space_and_control_characters_are_normalized() -> None:
    synthesis = checked(
        response(
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
    assert synthesis.summary.en == "Oak kitchens for families. It is the best."
    assert synthesis.suggested_intents.en == ["estimate a TABLE", "Plan a visit", "Call clients"]


@all_of(
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
def test_a_response_of_another_shape_is_refused(members: dict[str, Any]) -> None:
    with pytest.raises(InvalidResponse):
        checked(response(**members))


@pytest.mark.parametrize(
    "summary", ["Oak furniture since 1998 - 2004.", "Tables of 2 000 x 900 mm.", "Oak. Ash. Birch."]
)
def test_a_short_summary_and_measurements_are_accepted(summary: str) -> None:
    assert checked(response(summary_en=summary)).summary.en == summary


def test_the_limits_themselves_are_accepted() -> None:
    intents = [letter * 80 for letter in "abcde"]
    synthesis = checked(response(summary_en="ą" * 400, summary_pl="🪚" * 400, suggestedIntents_en=intents))
    assert (len(synthesis.summary.en), len(synthesis.summary.pl)) == (400, 400)
    assert synthesis.suggested_intents.en == intents


@given(st.text(max_size=500), st.lists(st.text(max_size=100), max_size=7))
def test_every_accepted_response_is_of_the_specified_shape(summary: str, intents: list[str]) -> None:
    try:
        synthesis = checked(response(summary_en=summary, suggestedIntents_en=intents))
    except InvalidResponse:
        return
    assert 1 <= len(synthesis.summary.en) <= 400
    assert 3 <= len(synthesis.suggested_intents.en) <= 5
    assert all(1 <= len(intent) <= 80 for intent in synthesis.suggested_intents.en)
    msgspec.json.encode(synthesis)


@given(st.text(max_size=500))
def test_normalizing_twice_changes_nothing(text: str) -> None:
    assert one_line(one_line(text)) == one_line(text)


@given(st.text())
def test_no_text_can_end_the_material(text: str) -> None:
    message = material_as_json({"notes": text})
    first, data = message.split("\n")
    assert first == material_as_json({}).split("\n")[0]
    assert msgspec.json.decode(data) == {"notes": text}
    assert not set(data) & set("<>`")
