"""Names in emails: a name with a link or with direction characters is left out."""

import pytest

from backbench.domain.mail.names import key_label, shown_name


@pytest.mark.parametrize(
    "name",
    [
        "URGENT https://evil.example/login to keep your account",
        "Security desk evil.example",
        "www.evil",
        "desk@evil.example",
        "evil\u3002example",
        "evil\uff0eexample",
        "ev\u200bil.exam\u200bple",
        "evil dot com",
        "192.0.2.7",
        "Oak \u202egnp.exe",
        "Oak \u2066Ash\u2069",
        "\u2028",
    ],
)
def test_a_name_that_could_mislead_is_left_out_of_emails(name: str) -> None:
    assert shown_name(name) is None
    assert key_label("bbk_AbCd1234", name) == "bbk_AbCd1234"


@pytest.mark.parametrize("name", ["Dąb & Jesion", "St. Anna’s, Ltd.", "Łucja Żółć-Nowak", "Oak 🪵", "‏نجار"])
def test_an_ordinary_name_is_shown_in_emails(name: str) -> None:
    assert shown_name(name) == name


def test_a_name_in_an_email_is_one_short_line() -> None:
    assert shown_name("Oak\u2028and   Ash" + " x" * 60) == ("Oak and Ash" + " x" * 60)[:59] + "…"
