"""Payment requests: what a customer or client still has to pay, and how."""

from msgspec import UNSET, Struct, UnsetType

from backbench.domain.values.numbers import Number


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
