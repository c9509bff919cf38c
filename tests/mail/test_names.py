"""Names in emails: a name with a link or with direction characters is left out."""

import pytest

from backbench.mail.email_text import key_label, shown_name, shown_number
from tests.support.violations import all_of


@all_of(
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
        "=?utf-8?B?QQ==?=",
        "Oak =?utf-8?Q?A=0D=0AB?=",
        "Oak\u200b Ash",
        "Oak \u2062Ash",
        r"\\\\evil\\share",
        "127.1/login",
        "evil%2Ecom",
        "skype:evil",
        "Police: call +48 600 700 800 now",
        "Pay to PL61 1090 1014 0000 0712 1981 2874",
        "Call 0700123456",
    ],
)
def test_a_name_that_could_mislead_is_left_out_of_emails(name: str) -> None:
    assert shown_name(name) is None
    assert key_label("bbk_AbCd1234", name) == "bbk_AbCd1234"


@all_of(
    "name",
    [
        "Dąb & Jesion",
        "St. Anna’s, Ltd.",
        "Łucja Żółć-Nowak",
        "Oak 🪵",
        "👩\u200d🔧 Ola",
        "‏نجار",
        "Oak 2026",
        "22.11.2026",
    ],
)
def test_an_ordinary_name_is_shown_in_emails(name: str) -> None:
    assert shown_name(name) == name


def test_a_name_in_an_email_is_one_short_line() -> None:
    assert shown_name("Oak\u2028and   Ash" + " x" * 60) == ("Oak and Ash" + " x" * 60)[:59] + "…"


@pytest.mark.parametrize("number", ["12/2026", "2026110012", "W/2026/11/0012", "EST-17"])
def test_the_number_of_a_document_is_shown_in_emails(number: str) -> None:
    assert shown_number(number) == number


@pytest.mark.parametrize("number", ["Call 600 700 800 now", "evil.example", "=?utf-8?B?QQ==?=", "1" * 25, "12\n13"])
def test_a_number_with_a_message_is_left_out_of_emails(number: str) -> None:
    assert shown_number(number) is None
