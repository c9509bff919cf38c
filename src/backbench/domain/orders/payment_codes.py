"""Payment codes: the text of a QR code by which a bank's app fills in a transfer.

EUR: EPC069-12, version 002. PLN: the 2D code that the Polish Bank Association recommends (2013).
"""

import re
from decimal import Decimal
from urllib.parse import quote

from msgspec import UNSET, Struct, UnsetType

from backbench.domain.estimating.document_settings import DocumentSettings
from backbench.domain.orders.balances import AmountDue
from backbench.domain.sharing.payment_requests import PaymentRequest
from backbench.domain.values.currencies import minor_digits
from backbench.domain.values.enums import DocumentLocale
from backbench.domain.values.scalars import is_iban, normalized_iban

# EPC069-12: the largest amount, and the limits in characters and bytes: no code is larger than version 13.
_EPC_MOST = Decimal("999999999.99")
_EPC_NAME, _EPC_TITLE, _EPC_BYTES = 70, 140, 331
# The recommendation of the Polish banks: characters of name and title, and of the amount, which is six digits or more.
_ZBP_NAME, _ZBP_TITLE, _ZBP_LEAST_DIGITS = 20, 32, 6
_ZBP_MOST = Decimal("999999999.99")
_NOT_ZBP = re.compile(r"[^A-Za-z0-9ĄĆĘŁŃÓŚŹŻąćęłńóśźż ,./\\\-@#&*]")
_NIP_WEIGHTS = (6, 5, 7, 2, 3, 4, 5, 6, 7)
_TITLES: dict[DocumentLocale, str] = {"en": "Order {number}", "pl": "Zlecenie {number}"}


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
    return _TITLES[locale].format(number=number)


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
