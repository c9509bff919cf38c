"""Commits: what `make lint` refuses of a subject or a body."""

import pytest
from tools.commits import LINES_WITHOUT_BODY, Commit, problems

GOOD = Commit("0a1b2c3d", "Orders: refuse a title of spaces", "", 12)


def test_a_good_commit_has_no_problem() -> None:
    assert problems(GOOD) == []
    assert problems(GOOD._replace(body="Customers could not find it.", lines=900)) == []


@pytest.mark.parametrize(
    ("subject", "problem"),
    [
        (f"Orders: refuse {'a' * 60}", "characters"),
        ("refuse a title of spaces", "such as"),
        ("Orders: Refuse a title of spaces", "such as"),
        ("Orders: refuse a title of spaces.", "such as"),
        ("Orders: refused a title of spaces", "imperative"),
        ("Orders: refusing a title of spaces", "imperative"),
    ],
)
def test_a_subject_that_breaks_the_rule_is_named(subject: str, problem: str) -> None:
    assert [problem in each for each in problems(GOOD._replace(subject=subject))] == [True]


def test_a_large_change_says_why() -> None:
    large = GOOD._replace(lines=LINES_WITHOUT_BODY + 1)
    assert ["why" in each for each in problems(large)] == [True]
