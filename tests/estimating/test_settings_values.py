"""Document settings: currencies."""

import pytest

from backbench.estimating.document_settings import Currency
from backbench.http.checks import check_for


@pytest.mark.parametrize(
    ("currency", "code"),
    [("zł", "too_short"), ("euro", "too_long"), ("ABC", "unknown_currency"), ("eur", "unknown_currency")],
)
def test_every_wrong_currency_gets_the_same_detail(currency: str, code: str) -> None:
    errors = list(check_for(Currency)(currency, "/currency"))

    assert [(error.code, error.detail) for error in errors] == [
        (code, "Expected an ISO 4217 currency code, such as EUR")
    ]
