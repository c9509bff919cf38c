"""Estimates whose prices are meant with tax, and their figures by exact fractions: the rules, written a second time."""

import random
from fractions import Fraction
from math import floor
from typing import NamedTuple

DIGITS = {"PLN": 2, "EUR": 2, "JPY": 0, "KWD": 3}
QUANTITIES = ["1", "1", "1", "2", "3", "4", "5", "6", "7", "8", "10", "12", "1.25", "3.75", "0.5", "2.4", "3.5", "7.35"]
# The highest rate first, then the kinds: as a table of taxes has them.
TAXES = ["23", "21", "13.5", "10", "8", "5", "0", "exempt", "reverse_charge", "outside"]


class Line(NamedTuple):
    """`price` and `quantity` as texts of decimals; `tax` is one of TAXES."""

    price: str
    quantity: str
    tax: str


class GeneratedEstimate(NamedTuple):
    lines: list[Line]
    tax: str
    markup: str
    discount: str
    currency: str
    is_entered_gross: bool


class Part(NamedTuple):
    """What has one tax: with it, and the tax in it."""

    tax: str
    gross: Fraction
    amount: Fraction


class Figures(NamedTuple):
    prices: list[Fraction]
    amounts: list[Fraction]
    subtotal: Fraction
    markup: Fraction
    discount: Fraction
    total: Fraction
    parts: list[Part]


def generated(generator: random.Random) -> GeneratedEstimate:
    """An estimate as workshops write them: usual prices and quantities, one tax or several."""
    currency = generator.choice(["PLN", "PLN", "PLN", "EUR", "EUR", "JPY", "KWD"])
    usual = generator.choice(["23", "23", "8", "21", "13.5"])
    others = [usual, usual, usual, *generator.sample(TAXES, 2)] if generator.random() < 0.4 else [usual]
    lines = [
        Line(_price(generator, DIGITS[currency]), generator.choice(QUANTITIES), generator.choice(others))
        for _ in range(generator.randint(1, 8))
    ]
    has_percents = generator.random() < 0.4
    return GeneratedEstimate(
        lines,
        usual,
        generator.choice(["5", "10", "12.5", "33.3333"]) if has_percents else "0",
        generator.choice(["0", "5", "10", "2.5"]) if has_percents else "0",
        currency,
        generator.random() < 0.7,
    )


def _price(generator: random.Random, digits: int) -> str:
    whole = generator.randint(20, 1200)
    if currency_is_whole := digits == 0:
        whole *= 100
    if currency_is_whole or generator.random() < 0.6:
        return str(whole)
    return f"{whole}.{generator.choice(['50', '90', '99', '95', '05', '45'])}"


def figures(estimate: GeneratedEstimate) -> Figures:
    """The figures of the estimate with gross prices shown."""
    digits = DIGITS[estimate.currency]
    prices = [_shown(line, estimate.is_entered_gross, digits) for line in estimate.lines]
    amounts = [
        half_up(price * Fraction(line.quantity), digits) for price, line in zip(prices, estimate.lines, strict=True)
    ]
    subtotal = sum(amounts, Fraction(0))
    markup = half_up(subtotal * Fraction(estimate.markup) / 100, digits)
    discount = half_up((subtotal + markup) * Fraction(estimate.discount) / 100, digits)
    total = subtotal + markup - discount
    taxes = sorted({line.tax for line in estimate.lines}, key=TAXES.index)
    of_tax = [
        sum(amount for amount, line in zip(amounts, estimate.lines, strict=True) if line.tax == tax) for tax in taxes
    ]
    shares = shared(total, [Fraction(each) for each in of_tax], digits)
    parts = [Part(tax, share, half_up(share * _part(tax), digits)) for tax, share in zip(taxes, shares, strict=True)]
    return Figures(prices, amounts, subtotal, markup, discount, total, parts)


def rate(tax: str) -> Fraction:
    return Fraction(0) if tax.isalpha() or "_" in tax else Fraction(tax)


def _part(tax: str) -> Fraction:
    """The part of a gross amount that is tax."""
    return rate(tax) / (100 + rate(tax))


def _shown(line: Line, is_entered_gross: bool, digits: int) -> Fraction:
    if is_entered_gross or not rate(line.tax):
        return Fraction(line.price)
    return half_up(Fraction(line.price) * (1 + rate(line.tax) / 100), digits)


def half_up(value: Fraction, digits: int) -> Fraction:
    return Fraction(floor(value * 10**digits + Fraction(1, 2)), 10**digits)


def shared(whole: Fraction, weights: list[Fraction], digits: int) -> list[Fraction]:
    """`whole` in proportion to the weights: each rounded down, then a unit more where most was cut off."""
    if not sum(weights):
        return [whole, *(Fraction(0) for _ in weights[1:])]
    exact = [whole * weight / sum(weights) * 10**digits for weight in weights]
    units = [floor(each) for each in exact]
    most_cut = sorted(range(len(weights)), key=lambda at: units[at] - exact[at])
    for at in most_cut[: int(whole * 10**digits) - sum(units)]:
        units[at] += 1
    return [Fraction(each, 10**digits) for each in units]
