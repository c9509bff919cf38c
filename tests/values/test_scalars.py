"""Scalar types: the errors of texts that do not match their pattern."""

from typing import Any

import pytest

from backbench.http.checks import check_for
from backbench.values.scalars import Email, HexColor, Name


@pytest.mark.parametrize(
    ("type_", "value", "detail"),
    [
        (Name, "Oak\nbench", "One line only: no line breaks or control characters"),
        (HexColor, "red", "Expected a colour as #RRGGBB"),
        (Email, "anna at example", "Expected an email address"),
    ],
)
def test_a_pattern_error_says_what_is_expected(type_: Any, value: str, detail: str) -> None:
    errors = list(check_for(type_)(value, "/field"))

    assert [(error.pointer, error.code, error.detail) for error in errors] == [("/field", "pattern", detail)]
