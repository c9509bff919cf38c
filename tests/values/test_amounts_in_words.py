"""Amounts in words: known ones, and thousands that a reader of its own turns back into the number."""

import random
import re
from decimal import Decimal

import pytest

from backbench.values.amounts_in_words import in_words
from backbench.values.currencies import MINOR_DIGITS
from backbench.values.enums import DocumentLocale
from tests.support.violations import all_of

KNOWN = [
    ("0", "PLN", "zero złotych 00/100", "zero zlotys 00/100"),
    ("1", "PLN", "jeden złoty 00/100", "one zloty 00/100"),
    ("2.05", "PLN", "dwa złote 05/100", "two zlotys 05/100"),
    ("5", "PLN", "pięć złotych 00/100", "five zlotys 00/100"),
    ("12", "PLN", "dwanaście złotych 00/100", "twelve zlotys 00/100"),
    ("14", "PLN", "czternaście złotych 00/100", "fourteen zlotys 00/100"),
    ("21", "PLN", "dwadzieścia jeden złotych 00/100", "twenty-one zlotys 00/100"),
    ("22", "PLN", "dwadzieścia dwa złote 00/100", "twenty-two zlotys 00/100"),
    ("112", "PLN", "sto dwanaście złotych 00/100", "one hundred and twelve zlotys 00/100"),
    ("123.45", "EUR", "sto dwadzieścia trzy euro 45/100", "one hundred and twenty-three euros 45/100"),
    ("1", "EUR", "jedno euro 00/100", "one euro 00/100"),
    ("1", "CZK", "jedna korona czeska 00/100", "one Czech koruna 00/100"),
    ("32", "CZK", "trzydzieści dwie korony czeskie 00/100", "thirty-two Czech korunas 00/100"),
    ("12", "CZK", "dwanaście koron czeskich 00/100", "twelve Czech korunas 00/100"),
    ("1002", "GBP", "jeden tysiąc dwa funty szterlingi 00/100", "one thousand and two pounds sterling 00/100"),
    ("2222", "JPY", "dwa tysiące dwieście dwadzieścia dwa jeny", "two thousand two hundred and twenty-two yen"),
    ("5000", "PLN", "pięć tysięcy złotych 00/100", "five thousand zlotys 00/100"),
    ("12000", "PLN", "dwanaście tysięcy złotych 00/100", "twelve thousand zlotys 00/100"),
    ("1000000", "USD", "jeden milion dolarów amerykańskich 00/100", "one million US dollars 00/100"),
    ("3.125", "KWD", "trzy KWD 125/1000", "three KWD 125/1000"),
    ("22", "CHF", "dwadzieścia dwa CHF 00/100", "twenty-two CHF 00/100"),
]  # fmt: skip
# Written anew, from tables of the languages: stems that a number word begins with.
STEMS: dict[DocumentLocale, list[tuple[str, int]]] = {
    "pl": [
        ("jedenaście", 11), ("dwanaście", 12), ("trzynaście", 13), ("czternaście", 14), ("piętnaście", 15),
        ("szesnaście", 16), ("siedemnaście", 17), ("osiemnaście", 18), ("dziewiętnaście", 19), ("dwadzieścia", 20),
        ("trzydzieści", 30), ("czterdzieści", 40), ("pięćdziesiąt", 50), ("sześćdziesiąt", 60), ("siedemdziesiąt", 70),
        ("osiemdziesiąt", 80), ("dziewięćdziesiąt", 90), ("sto", 100), ("dwieście", 200), ("trzysta", 300),
        ("czterysta", 400), ("pięćset", 500), ("sześćset", 600), ("siedemset", 700), ("osiemset", 800),
        ("dziewięćset", 900), ("jeden", 1), ("jedna", 1), ("jedno", 1), ("dwa", 2), ("dwie", 2), ("trzy", 3),
        ("cztery", 4), ("pięć", 5), ("sześć", 6), ("siedem", 7), ("osiem", 8), ("dziewięć", 9), ("dziesięć", 10),
        ("zero", 0),
    ],
    "en": [
        ("zero", 0), ("one", 1), ("two", 2), ("three", 3), ("four", 4), ("five", 5), ("six", 6), ("seven", 7),
        ("eight", 8), ("nine", 9), ("ten", 10), ("eleven", 11), ("twelve", 12), ("thirteen", 13), ("fourteen", 14),
        ("fifteen", 15), ("sixteen", 16), ("seventeen", 17), ("eighteen", 18), ("nineteen", 19), ("twenty", 20),
        ("thirty", 30), ("forty", 40), ("fifty", 50), ("sixty", 60), ("seventy", 70), ("eighty", 80), ("ninety", 90),
    ],
}  # fmt: skip
SCALES = {"tysiąc": 10**3, "tysiące": 10**3, "tysięcy": 10**3, "thousand": 10**3, "million": 10**6, "milion": 10**6,
          "miliony": 10**6, "milionów": 10**6}  # fmt: skip


def number_of(text: str, locale: DocumentLocale) -> int:
    """The number that words say; they end where the currency begins."""
    known, total, group = dict(STEMS[locale]), 0, 0
    for word in re.split(r"[ -]", text):
        if word in known:
            group += known[word]
        elif word == "hundred":
            group *= 100
        elif word in SCALES:
            total += group * SCALES[word]
            group = 0
        elif word != "and":
            break
    return total + group


@all_of(("amount", "currency", "polish", "english"), KNOWN)
def test_known_amounts(amount: str, currency: str, polish: str, english: str) -> None:
    assert in_words(Decimal(amount), currency, "pl") == polish
    assert in_words(Decimal(amount), currency, "en") == english


@pytest.mark.parametrize("locale", ["pl", "en"])
def test_words_say_their_number(locale: DocumentLocale) -> None:
    chance = random.Random(1)
    numbers = [*range(2200), *(chance.randrange(10 ** chance.randint(4, 9)) for _ in range(4000)), 999_999_999]
    for currency in ("PLN", "CZK", "EUR"):
        wrong = [
            number for number in numbers if number_of(in_words(Decimal(number), currency, locale), locale) != number
        ]
        assert wrong == []


def test_polish_currencies_agree_with_their_number() -> None:
    """By the rule of CLDR: one; few for 2 to 4, 22 to 24 and so on but not 12 to 14; else many."""
    forms = {"one": "złoty", "few": "złote", "many": "złotych"}
    for number in [*range(1, 2200), *range(999_900, 1_000_200)]:
        category = "many"
        if number == 1:
            category = "one"
        elif number % 10 in (2, 3, 4) and number // 10 % 10 != 1:
            category = "few"
        assert in_words(Decimal(number), "PLN", "pl").split()[-2] == forms[category]


def test_every_currency_has_its_fraction() -> None:
    for currency, digits in MINOR_DIGITS.items():
        amount = Decimal(7) + (Decimal(3).scaleb(-digits) if digits else 0)
        text = in_words(amount, currency, "en")
        assert text.endswith(f" {3:0{digits}}/{10**digits}") if digits else "/" not in text
    with pytest.raises(ValueError, match="No words"):
        in_words(Decimal(-1), "PLN", "pl")
