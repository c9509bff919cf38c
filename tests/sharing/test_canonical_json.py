"""Canonical JSON, against an independent implementation of RFC 8785."""

import hashlib
from decimal import Decimal
from typing import Any

import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from backbench.sharing.client_documents import canonical, sha256_hex

# Every character but lone surrogates, with those whose order or escaping differs between implementations.
TEXTS = st.text(st.characters(exclude_categories=["Cs"]) | st.sampled_from('\x00\x1f\x7f"\\/\u2028\ufb33\uff5e😀'))
VALUES: Any = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=5),
    max_leaves=30,
)


@given(VALUES)
def test_the_bytes_are_those_of_an_independent_implementation(value: Any) -> None:
    assert canonical(value) == rfc8785.dumps(value)


def test_names_are_in_the_order_of_utf_16() -> None:
    assert canonical({"\uff5e": "1", "😀": "2", "b": [True, None], "a": 10}) == (
        '{"a":10,"b":[true,null],"😀":"2","\uff5e":"1"}'.encode()
    )


def test_the_hash_is_the_sha_256_of_the_bytes() -> None:
    assert sha256_hex(canonical({"a": 1})) == hashlib.sha256(b'{"a":1}').hexdigest()


@pytest.mark.parametrize("value", [0.1, Decimal(1), (1,), b"1", {1: "a"}])
def test_types_without_a_canonical_form_are_refused(value: Any) -> None:
    with pytest.raises(TypeError):
        canonical([value])


@pytest.mark.parametrize("value", [2**53, "\ud800", {"\udfff": 1}])
def test_values_without_a_canonical_form_are_refused(value: Any) -> None:
    with pytest.raises(ValueError):  # noqa: PT011  # a surrogate raises UnicodeEncodeError, a subclass
        canonical([value])
