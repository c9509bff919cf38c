"""Examples of customers: records, history, merges, erasure and the data about one."""

from collections.abc import Mapping
from typing import Any

from backbench.customers.customer_data import CustomerData, CustomerEstimate, CustomerOrder
from backbench.customers.customers import Customer, CustomerEdit, CustomerPhone, CustomersList, NewCustomer, NewPhone
from backbench.customers.erasures import Erasure, KeptObject
from backbench.customers.history import CustomerHistory, HistoryEntry
from backbench.customers.merges import CustomerMerge
from backbench.reference.examples.documents import FACTS
from backbench.reference.examples.estimates import ESTIMATE
from backbench.reference.examples.ids import (
    CHANGED_AT,
    CREATED_AT,
    CUSTOMER_ID,
    DECISION_ID,
    ESTIMATE_ID,
    ORDER_ID,
    OTHER_CUSTOMER_ID,
    REVISION_ID,
    WORKSHOP_ID,
)
from backbench.reference.examples.orders import DETAILS, NOTICE, PHOTO, QUESTION
from backbench.reference.examples.payments import PAYMENT
from backbench.reference.examples.workshops import ORDER
from backbench.sharing.exported_links import ExportedSharing
from backbench.values.numbers import Number

CUSTOMER = Customer(
    id=CUSTOMER_ID,
    workshop_id=WORKSHOP_ID,
    name="Siobhán Gallagher",
    kind="person",
    phones=[CustomerPhone("085 123 4567", "mobile", "+353851234567")],
    emails=["siobhan@example.com"],
    notes="Rings the bell twice",
    created_at=CREATED_AT,
    updated_at=CHANGED_AT,
    address="14 Orchard Lane\nDublin 6",
    site_address="2 Harbour Row\nHowth",
    locale="en",
)
BODIES: Mapping[str, Any] = {
    "createCustomer": NewCustomer(
        name=CUSTOMER.name,
        phones=[NewPhone("085 123 4567", "mobile")],
        emails=CUSTOMER.emails,
        notes=CUSTOMER.notes,
        address=CUSTOMER.address,
        site_address=CUSTOMER.site_address,
        locale="en",
    ),
    "updateCustomer": CustomerEdit(notes="Prefers a call in the evening", tax_id=None),
    "mergeCustomers": CustomerMerge(OTHER_CUSTOMER_ID),
    "unmergeCustomers": CustomerMerge(OTHER_CUSTOMER_ID),
}
RESPONSES: Mapping[str, Any] = {
    "listCustomers": CustomersList([CUSTOMER]),
    "createCustomer": CUSTOMER,
    "getCustomer": CUSTOMER,
    "updateCustomer": CUSTOMER,
    "mergeCustomers": CUSTOMER,
    "unmergeCustomers": CUSTOMER,
    "getCustomerHistory": CustomerHistory(
        [
            HistoryEntry("order", ORDER_ID, ORDER.created_at, ORDER.title, Number("1611.3"), "EUR", "in_progress"),
            HistoryEntry("estimate", ESTIMATE_ID, CREATED_AT, ESTIMATE.name, Number("1611.3"), "EUR", "confirmed"),
        ]
    ),
    "eraseCustomer": Erasure(
        [
            KeptObject("revision", REVISION_ID, "confirmed"),
            KeptObject("decision", DECISION_ID, "decided"),
            KeptObject("order", ORDER_ID, "free_text"),
        ]
    ),
    "getCustomerData": CustomerData(
        customer=CUSTOMER,
        merged=[],
        orders=[CustomerOrder(ORDER, DETAILS, [QUESTION], [NOTICE], [PAYMENT], [PHOTO])],
        estimates=[CustomerEstimate(ESTIMATE, FACTS, [], [], ExportedSharing([], [], []))],
    ),
}
