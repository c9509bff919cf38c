"""Traces of a person in texts."""

import pytest

from backbench.customers.customers import Customer, CustomerPhone
from backbench.customers.traces import Traces, WrittenText
from tests.support.violations import all_of

AT = "2026-01-01T00:00:00.000Z"


def record(name: str, *, phone: str = "", email: str = "") -> Customer:
    phones = [CustomerPhone(phone)] if phone else []
    return Customer("c", "w", name, "person", phones, [email] if email else [], "", AT, AT)


ZUZA = record("Żużanna Grzegżółka", phone="601 702 803", email="zuza@grzegzolka.example")
NUMBERS = " ".join(f"{number:03}" for number in range(1000))


@all_of(
    ("text", "is_found"),
    [
        ("for ŻUŻANNA  GRZEGŻÓŁKA", True),
        ("Grzegżółkami", True),
        ("Żużanna", False),
        ("xGrzegżółka", False),
        ("+48601-702-803", True),
        ("(601) 702.803 after 5", True),
        ("601 702 804", False),
        (NUMBERS, False),
        (f"{NUMBERS} 601702803", True),
        ("mail:ZUZA@grzegzolka.example.", True),
        ("zuza@grzegzolka.example2", False),
        ("", False),
    ],
)
def test_a_text_that_names_the_person_is_found(text: str, is_found: bool) -> None:
    assert Traces([record("Jan Nowak"), ZUZA]).are_in(WrittenText("id", "", text)) is is_found


@pytest.mark.parametrize(
    ("body", "is_found"),
    [
        (r'{"notes":"Ring\nŻużanna Grzegżółka"}', True),
        (r'{"notes":"Ring\n601702803"}', True),
        (r'{"email":"zuza@grzegzolka.example"}', True),
        ('{"notes":"Grzegżółka"}', False),
    ],
)
def test_a_response_that_names_the_person_is_found(body: str, is_found: bool) -> None:
    assert Traces([ZUZA]).are_in_response(body) is is_found


def test_a_record_without_anything_is_in_no_text() -> None:
    assert not Traces([record("!")]).are_in(WrittenText("id", "! !", "! 123456789 a@b.example"))
