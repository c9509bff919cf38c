"""Pages about security: each control has one row, every test they name exists, and the totals are correct."""

import re
from collections import Counter
from pathlib import Path

TESTS = Path(__file__).parents[1]
PAGE = "".join(
    page.read_text("utf-8") for page in (TESTS.parent / "docs" / "security.md", TESTS / "security-controls.md")
)

# The controls of OWASP ASVS 5.0.0 at levels 1 and 2; the numbers between them are of level 3.
CONTROLS = """
1.1.1-2 1.2.1-9 1.3.1-11 1.4.1-3 1.5.1-2 2.1.1-3 2.2.1-3 2.3.1-4 2.4.1 3.2.1-2 3.3.1-4 3.4.1-6 3.5.1-5 3.7.1-2 4.1.1-3
4.2.1 4.3.1-2 4.4.1-4 5.1.1 5.2.1-3 5.3.1-2 5.4.1-3 6.1.1-3 6.2.1-12 6.3.1-4 6.4.1-4 6.5.1-5 6.6.1-3 6.8.1-4 7.1.1-3
7.2.1-4 7.3.1-2 7.4.1-5 7.5.1-2 7.6.1-2 8.1.1-2 8.2.1-3 8.3.1 8.4.1 9.1.1-3 9.2.1-4 10.1.1-2 10.2.1-2 10.3.1-4
10.4.1-11 10.5.1-5 10.6.1-2 10.7.1-3 11.1.1-2 11.2.1-3 11.3.1-3 11.4.1-4 11.5.1 11.6.1 12.1.1-3 12.2.1-2 12.3.1-4
13.1.1 13.2.1-5 13.3.1-2 13.4.1-5 14.1.1-2 14.2.1-4 14.3.1-3 15.1.1-3 15.2.1-3 15.3.1-7 16.1.1 16.2.1-5 16.3.1-4
16.4.1-3 16.5.1-3 17.1.1 17.2.1-4 17.3.1-2
"""
ROW = re.compile(r"^\| (V\d+\.\d+\.\d+|API\d+) \| ([^|]+) \| ([^|]+) \| (.*) \|$", re.MULTILINE)
STATES = ("met", "host", "not applicable", "deviation")


def controls() -> list[str]:
    numbers = []
    for entry in CONTROLS.split():
        section, _, span = entry.rpartition(".")
        first, _, last = span.partition("-")
        numbers += [f"V{section}.{number}" for number in range(int(first), int(last or first) + 1)]
    return numbers


def rows() -> list[tuple[str, str, str, str]]:
    """Number, control, state and explanation of each row."""
    return ROW.findall(PAGE)


def test_every_control_has_one_row_in_order() -> None:
    expected = controls()
    assert len(expected) == 253
    assert [number for number, *_ in rows() if number.startswith("V")] == expected


def test_every_risk_of_the_top_ten_has_one_row_in_order() -> None:
    assert [number for number, *_ in rows() if number.startswith("API")] == [f"API{n}" for n in range(1, 11)]


def test_every_row_has_a_state_and_an_explanation() -> None:
    for number, control, state, explanation in rows():
        assert state in STATES, number
        assert control.strip(), number
        assert explanation.strip(), number


def test_the_totals_match_the_rows() -> None:
    totals = re.search(
        r"of (\d+) controls (\d+) are met, (\d+) are the host's, (\d+) are not applicable and (\d+) are deviations",
        PAGE,
    )
    assert totals is not None
    counted = Counter(state for number, _, state, _ in rows() if number.startswith("V"))
    assert [int(number) for number in totals.groups()] == [253, *(counted[state] for state in STATES)]


def test_every_named_test_exists() -> None:
    named = re.findall(r"`([\w/]+\.py)::(\w+)`", PAGE)
    assert len(named) > 150
    assert PAGE.count("::") == len(named), "every :: on the page belongs to the name of a test"
    missing = [f"{file}::{test}" for file, test in named if not re.search(rf"def {test}\(", _source(file))]
    assert missing == []


def _source(file: str) -> str:
    path = TESTS / file
    return path.read_text("utf-8") if path.is_file() else ""


def test_the_page_names_every_test_of_known_vulnerabilities() -> None:
    """A test of a known vulnerability that the page does not name fails here."""
    tests = re.findall(r"^(?:async )?def (test_\w+)\(", _source("http/test_known_vulnerabilities.py"), re.MULTILINE)
    assert {test for test in tests if f"http/test_known_vulnerabilities.py::{test}`" not in PAGE} == {
        "test_expired_tokens_are_swept",
    }
