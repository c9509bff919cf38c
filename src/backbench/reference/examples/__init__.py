"""Examples: one for each JSON body, response and error code of the OpenAPI document, about one workshop.

They are values of the types that the operations name, so that mypy checks them and the product's encoder writes them.
What the domain derives (totals, a draft, a new order) is derived here as well. Bodies and responses are by operationId.
"""

from collections.abc import Mapping
from typing import Any

from backbench.reference.examples import (
    accounts,
    billing,
    connections,
    customers,
    documents,
    estimates,
    grids,
    imports,
    inbox,
    operations,
    orders,
    payments,
    sharing,
    workshops,
)

__all__ = ["BODIES", "PROBLEMS", "RESPONSES"]
BODIES: Mapping[str, Any] = {
    **accounts.BODIES,
    **workshops.BODIES,
    **grids.BODIES,
    **inbox.BODIES,
    **connections.BODIES,
    **estimates.BODIES,
    **documents.BODIES,
    **sharing.BODIES,
    **orders.BODIES,
    **payments.BODIES,
    **customers.BODIES,
    **imports.BODIES,
}
RESPONSES: Mapping[str, Any] = {
    **accounts.RESPONSES,
    **workshops.RESPONSES,
    **billing.RESPONSES,
    **grids.RESPONSES,
    **inbox.RESPONSES,
    **connections.RESPONSES,
    **estimates.RESPONSES,
    **documents.RESPONSES,
    **sharing.RESPONSES,
    **orders.RESPONSES,
    **payments.RESPONSES,
    **customers.RESPONSES,
    **imports.RESPONSES,
    **operations.RESPONSES,
}
