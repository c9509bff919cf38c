"""An independent model of the balance of an order, and histories of an order made up at random.

It computes in whole minor units with fractions, and knows nothing of the code under test.
"""

from dataclasses import dataclass, field
from fractions import Fraction
from random import Random

MINOR_DIGITS = {"EUR": 2, "PLN": 2, "JPY": 0, "HUF": 2, "KWD": 3}


@dataclass
class Revision:
    """Prices and quantities of the lines, and percentages, as texts; the total in minor units."""

    lines: list[tuple[str, str]]
    markup: str
    discount: str
    tax: str
    deposit: str
    total: int = 0


@dataclass
class Paid:
    kind: str
    minor: int
    is_void: bool = False

    @property
    def added(self) -> int:
        return 0 if self.is_void else -self.minor if self.kind == "refund" else self.minor


@dataclass
class Model:
    """What an order should be after the operations that were applied."""

    currency: str
    revisions: list[Revision] = field(default_factory=list)
    accepted: int | None = None
    entered: int | None = None
    payments: list[Paid] = field(default_factory=list)

    @property
    def paid(self) -> int:
        return sum(each.added for each in self.payments)

    @property
    def price(self) -> tuple[str, int | None, int | None]:
        """The source, the amount in minor units, and the number of the revision."""
        if self.accepted is not None:
            return "accepted", self.revisions[self.accepted].total, self.accepted + 1
        if self.entered is not None:
            return "entered", self.entered, None
        if self.revisions:
            return "confirmed", self.revisions[-1].total, len(self.revisions)
        return "none", None, None

    def balance(self) -> dict[str, object]:
        """As the API answers, with amounts in minor units."""
        source, agreed, number = self.price
        found: dict[str, object] = {"currency": self.currency, "source": source, "paid": self.paid}
        if agreed is None:
            return found
        found |= {"agreed": agreed, "due": max(agreed - self.paid, 0)}
        if number is not None:
            found["revisionNumber"] = number
            percent = self.revisions[number - 1].deposit
            asked = _half_up(Fraction(agreed) * Fraction(percent) / 100)
            if asked:
                deposits = sum(each.minor for each in self.payments if each.kind == "deposit" and not each.is_void)
                found["deposit"] = {"amount": asked, "paid": deposits}
        if self.paid > agreed:
            found["overpaid"] = self.paid - agreed
        return found

    def may_void(self, at: int) -> bool:
        return self.paid - self.payments[at].added >= 0


def revision(random: Random, currency: str) -> Revision:
    """A revision with up to four lines, and its total by the rules of the contract."""
    places = random.choice((0, 2, 4))
    lines = [
        (f"{random.randrange(1, 10**7) / 10**places:.{places}f}", random.choice(("1", "2.5", "0.3333", "12")))
        for _ in range(random.randrange(1, 5))
    ]
    made = Revision(
        lines,
        random.choice(("0", "12.5", "33.3333")),
        random.choice(("0", "7", "2.0001")),
        random.choice(("0", "8", "23", "7.7")),
        random.choice(("0", "30", "33.3333", "100")),
    )
    unit = 10 ** MINOR_DIGITS[currency]
    subtotal = sum(_half_up(Fraction(price) * Fraction(quantity) * unit) for price, quantity in lines)
    marked_up = subtotal + _percentage(subtotal, made.markup)
    net = marked_up - _percentage(marked_up, made.discount)
    made.total = net + _percentage(net, made.tax)
    return made


def amount(random: Random, model: Model) -> int:
    """An amount in minor units: what is due, a part of it, or any."""
    due = model.balance().get("due")
    wanted = [random.randrange(1, 10**6)]
    if isinstance(due, int) and 0 < due <= 10**11:
        wanted += [due, max(due // 3, 1)]
    return random.choice(wanted)


def text(minor: int, currency: str) -> str:
    """Minor units as a decimal."""
    digits = MINOR_DIGITS[currency]
    whole, rest = divmod(minor, 10**digits)
    return f"{whole}.{rest:0{digits}}" if digits else str(whole)


def _percentage(value: int, percent: str) -> int:
    return _half_up(Fraction(value) * Fraction(percent) / 100)


def _half_up(value: Fraction) -> int:
    return (value * 2 + 1).__floor__() // 2
