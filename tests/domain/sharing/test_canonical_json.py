"""Canonical JSON, against an independent implementation of RFC 8785."""

import hashlib
import json
from decimal import Decimal
from typing import Any

import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct

from backbench.domain.sharing.canonical_json import canonical_json, document_hash
from backbench.domain.values.numbers import Number

# Every character but lone surrogates, with those whose order or escaping differs between implementations.
TEXTS = st.text(st.characters(exclude_categories=["Cs"]) | st.sampled_from('\x00\x1f\x7f"\\/\u2028\ufb33\uff5e😀'))
VALUES: Any = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=5),
    max_leaves=30,
)


class Line(Struct, rename="camel"):
    unit_price: Number
    label: str


@given(VALUES)
def test_the_bytes_are_those_of_an_independent_implementation(value: Any) -> None:
    assert canonical_json(value) == rfc8785.dumps(value)


@given(st.decimals(allow_nan=False, allow_infinity=False, min_value=0, max_value=10**15, places=4))
def test_an_amount_is_an_exact_string_whatever_its_trailing_zeros(amount: Decimal) -> None:
    written = json.loads(canonical_json({"total": amount}))["total"]
    assert Decimal(written) == amount
    assert canonical_json({"total": amount.normalize()}) == canonical_json({"total": amount})


def test_shapes_have_their_json_names_in_order_and_amounts_as_strings() -> None:
    line = Line(unit_price=Number("12.10"), label="Blat „dąb”\n")
    assert canonical_json([line]) == '[{"label":"Blat „dąb”\\n","unitPrice":"12.1"}]'.encode()


def test_the_hash_is_the_sha_256_of_the_bytes() -> None:
    canonical = canonical_json({"a": 1})
    assert document_hash(canonical) == hashlib.sha256(b'{"a":1}').hexdigest()


@pytest.mark.parametrize("value", [0.1, 2**53, "\ud800", {"\udfff": 1}])
def test_what_has_no_canonical_form_is_refused(value: Any) -> None:
    with pytest.raises(ValueError):  # noqa: PT011  # a surrogate raises UnicodeEncodeError, a subclass
        canonical_json({"value": value})
