"""Settings of the language model: complete, or refused with one line that names what is missing."""

import pytest

from backbench.integrations.prompts import AiLimits
from backbench.providers import ai_of
from backbench.settings import BadSetting, load
from backbench.values.limits import Limit


def test_without_settings_there_is_no_model() -> None:
    assert ai_of(load({})) is None


def test_without_a_provider_there_is_no_model() -> None:
    assert ai_of(load({"BACKBENCH_AI_MODEL": "llama3.2", "BACKBENCH_AI_KEY": "k"})) is None


@pytest.mark.parametrize(
    ("values", "missing"),
    [
        ({"PROVIDER": "openai"}, "BACKBENCH_AI_MODEL"),
        ({"PROVIDER": "openai", "MODEL": "llama3.2"}, "BACKBENCH_AI_KEY"),
        ({"PROVIDER": "anthropic", "MODEL": "claude-sonnet-5"}, "BACKBENCH_AI_KEY"),
    ],
)
def test_incomplete_settings_are_refused_with_what_is_missing(values: dict[str, str], missing: str) -> None:
    settings = load({f"BACKBENCH_AI_{name}": value for name, value in values.items()})
    with pytest.raises(BadSetting, match=missing):
        ai_of(settings)


@pytest.mark.parametrize(
    "values",
    [
        {"PROVIDER": "anthropic", "MODEL": "claude-sonnet-5", "KEY": "sk-ant"},
        {"PROVIDER": "openai", "MODEL": "llama3.2", "URL": "http://127.0.0.1:11434/v1"},
    ],
)
def test_complete_settings_make_a_client(values: dict[str, str]) -> None:
    assert ai_of(load({f"BACKBENCH_AI_{name}": value for name, value in values.items()})) is not None


def test_without_the_extra_a_provider_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("backbench.providers.find_spec", lambda _: None)
    settings = load({"BACKBENCH_AI_PROVIDER": "openai", "BACKBENCH_AI_MODEL": "m", "BACKBENCH_AI_KEY": "k"})
    with pytest.raises(BadSetting, match="extra 'ai'"):
        ai_of(settings)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("URL", "127.0.0.1:11434"),
        ("URL", "ftp://127.0.0.1/v1"),
        ("URL", "http://"),
        ("URL", "http://127.0.0.1:999999/v1"),
        ("URL", "http://me:secret@127.0.0.1/v1"),
        ("OUTPUT", "yaml"),
        ("TIMEOUT", "0"),
        ("TIMEOUT", "601"),
        ("TIMEOUT", "half a minute"),
        ("AT_ONCE", "0"),
        ("SYNTHESIS_LIMIT", "5"),
        ("DRAFT_LIMIT", "0/3600"),
    ],
)
def test_an_invalid_setting_is_named(name: str, value: str) -> None:
    with pytest.raises(BadSetting, match=f"BACKBENCH_AI_{name}") as raised:
        load({f"BACKBENCH_AI_{name}": value})
    assert "secret" not in str(raised.value)


def test_limits_have_defaults_and_can_be_set() -> None:
    assert load({}).ai_limits == AiLimits(Limit(5, 3600), Limit(20, 3600))
    assert load({"BACKBENCH_AI_DRAFT_LIMIT": "2/60"}).ai_limits.drafts == Limit(2, 60)
