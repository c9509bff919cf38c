"""Examples of estimates, their line items and revisions."""

from collections.abc import Mapping
from typing import Any

from msgspec import structs

from backbench.estimating.estimates import (
    Estimate,
    EstimateConfirmation,
    EstimateEdit,
    EstimateRevision,
    EstimateRevisionsList,
    EstimatesList,
    LineItemEdit,
    MostUsedLineItemsList,
    NewEstimate,
    NewLineItem,
    OrderFromEstimate,
)
from backbench.estimating.line_items import LineItem, MostUsedLineItem
from backbench.reference.examples.ids import (
    ANNA_UID,
    CHANGED_AT,
    CONFIRMED_AT,
    COPY_ID,
    CREATED_AT,
    ESTIMATE_ID,
    OAK_BUTTON_ID,
    OAK_LINE_ID,
    OIL_LINE_ID,
    ORDERED_AT,
    PLACED_LINE_ID,
    REVISION_ID,
    SAWING_BUTTON_ID,
    WORK_LINE_ID,
    WORKSHOP_ID,
)
from backbench.reference.examples.workshops import CREATED_ORDER
from backbench.values.numbers import Number
from backbench.values.shapes import made_of

LINE_ITEMS = [
    LineItem(
        id=OAK_LINE_ID,
        label="Oak boards, 40 mm",
        unit="sqm",
        unit_price=Number("320"),
        quantity=Number("2.6"),
        source_button_id=OAK_BUTTON_ID,
    ),
    LineItem(
        id=WORK_LINE_ID,
        label="Joinery work",
        unit="hour",
        unit_price=Number("110"),
        quantity=Number("14"),
        source_button_id=SAWING_BUTTON_ID,
    ),
    LineItem(id=OIL_LINE_ID, label="Oil finish", unit="job", unit_price=Number("240"), quantity=Number("1")),
]
NEW_LINE_ITEMS = [
    NewLineItem(
        label=line.label,
        unit=line.unit,
        unit_price=line.unit_price,
        quantity=line.quantity,
        source_button_id=line.source_button_id,
    )
    for line in LINE_ITEMS
]
ESTIMATE = Estimate(
    id=ESTIMATE_ID,
    workshop_id=WORKSHOP_ID,
    name="Oak dining table, 220 × 95 cm",
    recipient_name="Siobhán Gallagher",
    markup_percent=Number("10"),
    discount_percent=Number("5"),
    created_at=CREATED_AT,
    updated_at=CHANGED_AT,
    line_items=LINE_ITEMS,
)
REVISION = EstimateRevision(
    id=REVISION_ID,
    revision_number=1,
    created_at=CONFIRMED_AT,
    created_by_uid=ANNA_UID,
    name=ESTIMATE.name,
    markup_percent=ESTIMATE.markup_percent,
    discount_percent=ESTIMATE.discount_percent,
    line_items=LINE_ITEMS,
)
NEW_LINE_ITEM = NewLineItem(
    label="Delivery", unit="job", unit_price=Number("180"), quantity=Number("1"), id=PLACED_LINE_ID
)
MOST_USED = [
    MostUsedLineItem(label="Joinery work", unit="hour", unit_price=Number("110"), count=14, last_used_at=CHANGED_AT),
    MostUsedLineItem(label="Oak boards, 40 mm", unit="sqm", unit_price=Number("320"), count=9, last_used_at=CHANGED_AT),
]
BODIES: Mapping[str, Any] = {
    "createEstimate": NewEstimate(
        name=ESTIMATE.name,
        recipient_name="Siobhán Gallagher",
        markup_percent=Number("10"),
        discount_percent=Number("5"),
        line_items=NEW_LINE_ITEMS,
    ),
    "updateEstimate": EstimateEdit(markup_percent=Number("10"), discount_percent=Number("5")),
    "createLineItem": NEW_LINE_ITEM,
    "updateLineItem": LineItemEdit(quantity=Number("2.5")),
    "createOrderFromEstimate": OrderFromEstimate(title=ESTIMATE.name, customer_name="Siobhán Gallagher"),
}
RESPONSES: Mapping[str, Any] = {
    "listEstimates": EstimatesList([ESTIMATE]),
    "createEstimate": structs.replace(ESTIMATE, updated_at=CREATED_AT),
    "getEstimate": ESTIMATE,
    "updateEstimate": ESTIMATE,
    "createLineItem": structs.replace(
        ESTIMATE, line_items=[*LINE_ITEMS, made_of(LineItem, NEW_LINE_ITEM, id=PLACED_LINE_ID)]
    ),
    "updateLineItem": structs.replace(
        ESTIMATE, line_items=[structs.replace(LINE_ITEMS[0], quantity=Number("2.5")), *LINE_ITEMS[1:]]
    ),
    "deleteLineItem": structs.replace(ESTIMATE, line_items=LINE_ITEMS[1:]),
    "duplicateEstimate": ESTIMATE.duplicate(COPY_ID, ORDERED_AT),
    "createOrderFromEstimate": CREATED_ORDER,
    "listMostUsedLineItems": MostUsedLineItemsList(MOST_USED),
    "confirmEstimate": EstimateConfirmation(ESTIMATE, REVISION),
    "listRevisions": EstimateRevisionsList([REVISION]),
    "getRevision": REVISION,
}
