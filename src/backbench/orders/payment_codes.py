"""Payment codes: the text of a QR code by which a bank's app fills in a transfer.

EUR: EPC069-12, version 002. PLN: the 2D code that the Polish Bank Association recommends (2013).
"""

import re
from decimal import Decimal
from urllib.parse import quote

from msgspec import UNSET, Struct, UnsetType

from backbench.customers import customers
from backbench.engine.database import Read
from backbench.estimating import document_settings
from backbench.estimating.document_settings import DocumentSettings
from backbench.orders import balances, order_details
from backbench.orders.balances import AmountDue
from backbench.orders.order_links import OrderLinkCall, OrderRef
from backbench.sharing import links
from backbench.values.currencies import minor_digits
from backbench.values.enums import DocumentLocale
from backbench.values.errors import NotFound
from backbench.values.numbers import Number
from backbench.values.scalars import is_iban, normalized_iban
from backbench.words import words
from backbench.workshops import members, workshops


class PaymentRequest(Struct, frozen=True, rename="camel"):
    """What is due and how to pay it. `code`: whether there is a payment code.

    Without a bank account there is neither `iban` nor what belongs to it, without a payment link no `link`; nothing of
    either where nothing is due.
    """

    due: Number
    currency: str
    code: bool
    iban: str | UnsetType = UNSET
    account_name: str | UnsetType = UNSET
    title: str | UnsetType = UNSET
    link: str | UnsetType = UNSET


# EPC069-12: the largest amount, and the limits in characters and bytes: no code is larger than version 13.
_EPC_MOST = Decimal("999999999.99")
_EPC_NAME, _EPC_TITLE, _EPC_BYTES = 70, 140, 331
# The recommendation of the Polish banks: characters of name and title, and of the amount, which is six digits or more.
_ZBP_NAME, _ZBP_TITLE, _ZBP_LEAST_DIGITS = 20, 32, 6
_ZBP_MOST = Decimal("999999999.99")
_NOT_ZBP = re.compile(r"[^A-Za-z0-9ĄĆĘŁŃÓŚŹŻąćęłńóśźż ,./\\\-@#&*]")
_NIP_WEIGHTS = (6, 5, 7, 2, 3, 4, 5, 6, 7)


class Transfer(Struct, frozen=True):
    """A transfer that a code asks for. `iban` is without spaces."""

    iban: str
    name: str
    amount: Decimal
    currency: str
    title: str
    tax_id: str = ""

    @property
    def code(self) -> str | None:
        """The text of the code; None where none can be made."""
        if self.currency == "EUR" and 0 < self.amount <= _EPC_MOST:
            return self._epc()
        if self.currency == "PLN" and self.iban.startswith("PL") and 0 < self.amount <= _ZBP_MOST:
            return self._zbp()
        return None

    def _epc(self) -> str:
        """The last line is the unstructured remittance information; BIC, purpose and reference are empty."""
        title = _within(self.title, _EPC_TITLE, _EPC_TITLE)
        frame = ("BCD", "002", "1", "SCT", "", "", self.iban, f"EUR{self.amount:.2f}", "", "", title)
        name = _within(self.name, _EPC_NAME, _EPC_BYTES - len("\n".join(frame).encode()))
        return "\n".join((*frame[:5], name, *frame[6:]))

    def _zbp(self) -> str | None:
        """None where no character of the name is allowed: the banks require one."""
        amount = str(int(self.amount.scaleb(2))).rjust(_ZBP_LEAST_DIGITS, "0")
        name, title = _zbp_text(self.name, _ZBP_NAME), _zbp_text(self.title, _ZBP_TITLE)
        if not name:
            return None
        return "|".join((nip(self.tax_id), "PL", self.iban[2:], amount, name, title, "", "", ""))


def transfer(settings: DocumentSettings, name: str, due: AmountDue, title: str) -> Transfer | None:
    """None where nothing is due, or the document settings have no valid bank account."""
    iban = normalized_iban("" if settings.iban is UNSET else settings.iban)
    if not due.amount or not is_iban(iban):
        return None
    return Transfer(iban, name, due.amount + 0, due.currency, title, settings.tax_id)


def payment_request(settings: DocumentSettings, name: str, due: AmountDue, title: str, number: str) -> PaymentRequest:
    """`number` is that of the order or document, for the payment link."""
    asked = transfer(settings, name, due, title)
    link = _link(settings, due, number)
    if asked is None:
        return PaymentRequest(due.amount, due.currency, code=False, link=link)
    has_code = asked.code is not None
    return PaymentRequest(due.amount, due.currency, has_code, asked.iban, asked.name, asked.title, link)


def order_title(number: int, locale: DocumentLocale) -> str:
    """The title of a transfer for an order."""
    return words(locale).names.payment.format(number=number)


def nip(tax_id: str) -> str:
    """The ten digits of a Polish tax id; "" for another text."""
    digits = re.sub(r"[\s-]", "", tax_id).upper().removeprefix("PL")
    if re.fullmatch(r"[0-9]{10}", digits) is None:
        return ""
    check = sum(weight * int(digit) for weight, digit in zip(_NIP_WEIGHTS, digits, strict=False)) % 11
    return digits if check == int(digits[-1]) else ""


def _link(settings: DocumentSettings, due: AmountDue, number: str) -> str | UnsetType:
    if settings.payment_link is UNSET or not due.amount:
        return UNSET
    amount = f"{due.amount:.{minor_digits(due.currency)}f}"
    values = {"{amount}": amount, "{currency}": due.currency, "{number}": quote(number, safe="")}
    return re.sub(r"\{[a-z]+\}", lambda name: values[name[0]], settings.payment_link)


def _within(text: str, characters: int, size: int) -> str:
    """The text in one line, cut at a character: so many characters, and so many bytes of UTF-8."""
    return _one_line(text)[:characters].encode()[:size].decode(errors="ignore").strip()


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _zbp_text(text: str, most: int) -> str:
    return _one_line(_NOT_ZBP.sub(" ", text))[:most].strip()


# Verbs


class Payable(Struct, frozen=True):
    """What is due for an order, and what asking for it needs."""

    due: AmountDue
    settings: DocumentSettings
    workshop_name: str
    number: str
    title: str

    @property
    def request(self) -> PaymentRequest:
        return payment_request(self.settings, self.workshop_name, self.due, self.title, self.number)

    @property
    def transfer(self) -> Transfer | None:
        return transfer(self.settings, self.workshop_name, self.due, self.title)

    @property
    def code(self) -> str:
        """The text of the code. Raises NotFound where none can be made."""
        asked = self.transfer
        if asked is None or asked.code is None:
            raise NotFound
        return asked.code


async def get_request(db: Read, order: OrderRef) -> PaymentRequest:
    """Read what is due for an order, and how to pay it. Raises NotFound while no price is agreed."""
    return _present(await lookup(db, order.id)).request


async def find_code(db: Read, order: OrderRef) -> str:
    """The text of the payment code of an order. Raises NotFound where none can be made."""
    return _present(await lookup(db, order.id)).code


async def find_code_for_customer(db: Read, call: OrderLinkCall) -> str:
    """The same for the holder of a status link."""
    return _present(await lookup_for_customer(db, call.caller.order.order_id)).code


async def lookup_for_customer(db: Read, order_id: str) -> Payable | None:
    """None without a price that the customer knows: a confirmed revision counts once it was shared."""
    return await _lookup(db, order_id, for_customer=True)


async def lookup(db: Read, order_id: str) -> Payable | None:
    """None without a price. The caller checks membership."""
    return await _lookup(db, order_id, for_customer=False)


async def _lookup(db: Read, order_id: str, *, for_customer: bool) -> Payable | None:
    found = await order_details.find(db, order_id)
    workshop = await workshops.find(db, found.order.workshop_id)
    settings = await document_settings.find(db, workshop.id)
    money = (await balances.find_stored(db, order_id)).of_order(settings)
    due, estimate_id = money.due(), found.facts.estimate_id
    link = None if estimate_id is None else await links.lookup_newest(db, estimate_id)
    is_shared = link is not None or money.balance().source != "confirmed"
    if due is None or (for_customer and not is_shared):
        return None
    # The language of the estimate that was shared, else of the customer's record, else of the workshop.
    locale = None if link is None else link.locale
    if locale is None and found.facts.customer_id is not None:
        locale = await customers.lookup_locale(db, found.facts.customer_id)
    locale = locale or await members.owner_locale(db, workshop.id)
    number = found.facts.number
    return Payable(due, settings, workshop.name, str(number), order_title(number, locale))


def _present(payable: Payable | None) -> Payable:
    if payable is None:
        raise NotFound
    return payable
