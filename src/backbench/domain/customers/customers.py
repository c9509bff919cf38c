"""Customers: the people and companies that a workshop works for, each with a record."""

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType, structs

from backbench.domain.customers.phones import e164_of
from backbench.domain.orders.order_details import Phone
from backbench.domain.values.enums import DocumentLocale
from backbench.domain.values.pagination import PageQuery
from backbench.domain.values.scalars import (
    NO_CONTROL,
    NOT_BLANK,
    NOT_REVERSED,
    ONE_LINE,
    Email,
    LongText,
    Name,
    OptionalName,
)
from backbench.domain.values.times import Instant
from backbench.domain.workshops.orders import Notes

CustomerKind = Literal["person", "company"]
PhoneLabel = Annotated[str, Meta(max_length=100, pattern=NO_CONTROL, extra=ONE_LINE), NOT_BLANK, NOT_REVERSED]
MOST_PHONES = 5
MOST_EMAILS = 5


class CustomerPhone(Struct, frozen=True, omit_defaults=True):
    """`number` is as it was typed. `e164` is absent where it cannot be read as a number of a country."""

    number: str
    label: str | UnsetType = UNSET
    e164: str | UnsetType = UNSET


class NewPhone(Struct, frozen=True, forbid_unknown_fields=True):
    """A phone number in a request. `e164` is accepted, so that a list that was read can be sent, and computed anew."""

    number: Phone
    label: PhoneLabel | UnsetType = UNSET
    e164: Annotated[str, Meta(max_length=40)] | UnsetType = UNSET

    def read(self, country: str | None) -> CustomerPhone:
        return CustomerPhone(self.number, self.label, e164_of(self.number, country) or UNSET)


Phones = Annotated[list[NewPhone], Meta(max_length=MOST_PHONES)]
Emails = Annotated[list[Email], Meta(max_length=MOST_EMAILS)]


class Customer(Struct, frozen=True, rename="camel"):
    """The record of a customer. `duplicates`: records of the workshop with the same phone, email address or tax id."""

    id: str
    workshop_id: str
    name: str
    kind: CustomerKind
    phones: list[CustomerPhone]
    emails: list[str]
    notes: str
    created_at: Instant
    updated_at: Instant
    address: str | UnsetType = UNSET
    site_address: str | UnsetType = UNSET
    tax_id: str | UnsetType = UNSET
    locale: DocumentLocale | UnsetType = UNSET
    # Not in lists.
    duplicates: list[str] | UnsetType = UNSET

    def phones_read(self, country: str | None) -> "Customer":
        """With the numbers read as those of the country."""
        phones = [structs.replace(each, e164=e164_of(each.number, country) or UNSET) for each in self.phones]
        return structs.replace(self, phones=phones)


class CustomersList(Struct, frozen=True):
    customers: list[Customer]


class NewCustomer(Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    name: Name
    kind: CustomerKind = "person"
    phones: Phones = []
    emails: Emails = []
    notes: Notes = ""
    address: LongText | UnsetType = UNSET
    site_address: LongText | UnsetType = UNSET
    tax_id: OptionalName | UnsetType = UNSET
    locale: DocumentLocale | UnsetType = UNSET

    def to_customer(self, workshop_id: str, customer_id: str, at: Instant, country: str | None) -> Customer:
        return Customer(
            id=customer_id,
            workshop_id=workshop_id,
            name=self.name,
            kind=self.kind,
            phones=[phone.read(country) for phone in self.phones],
            emails=list(self.emails),
            notes=self.notes,
            created_at=at,
            updated_at=at,
            address=self.address,
            site_address=self.site_address,
            tax_id=self.tax_id,
            locale=self.locale,
        )


# What null stands for in a change.
_CLEARED: dict[str, Any] = {"phones": [], "emails": [], "notes": ""}


class CustomerEdit(Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """null clears a member, an absent member is unchanged. Lists are replaced as a whole."""

    name: Name | UnsetType = UNSET
    kind: CustomerKind | UnsetType = UNSET
    phones: Phones | UnsetType | None = UNSET
    emails: Emails | UnsetType | None = UNSET
    notes: Notes | UnsetType | None = UNSET
    address: LongText | UnsetType | None = UNSET
    site_address: LongText | UnsetType | None = UNSET
    tax_id: OptionalName | UnsetType | None = UNSET
    locale: DocumentLocale | UnsetType | None = UNSET

    def apply(self, customer: Customer, country: str | None) -> Customer:
        """The customer with the members that were sent."""
        sent: dict[str, Any] = {
            name: _CLEARED.get(name, UNSET) if value is None else value
            for name in self.__struct_fields__
            if (value := getattr(self, name)) is not UNSET
        }
        if self.phones is not UNSET and self.phones is not None:
            sent["phones"] = [phone.read(country) for phone in self.phones]
        return structs.replace(customer, **sent)


class CustomerFilter(PageQuery, frozen=True):
    """`q` is a part of the name, of an email address, or of the digits of a phone number."""

    # It holds the name at which the page ends.
    cursor: Annotated[str, Meta(max_length=2000)] | None = None
    q: Annotated[str, Meta(max_length=250)] | None = None
