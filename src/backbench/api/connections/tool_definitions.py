"""Tools of agents: which operations they may call, and what each tool takes.

What leaves the workshop or cannot be taken back is no tool: an agent reads what strangers wrote, and may follow it.
"""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

from msgspec import Struct

from backbench.domain.accounts.sessions import Scope
from backbench.http.openapi.reference import Reference
from backbench.http.openapi.schemas import components_of, query_schemas
from backbench.http.operations import Operation

_PLACE = "#/components/schemas/"


class Tool(Struct, frozen=True):
    """A tool and its operation. `details`: another one whose response is added under that name.

    `required` and `left_out` are parameters beyond what the operation says.
    """

    name: str
    operation: str
    text: str
    details: str = ""
    required: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()


TOOLS = (
    Tool("search_orders", "listOrderSummaries", "Find orders with their stage and day.", left_out=("due",)),
    Tool("get_order", "getOrder", "Read an order with its details.", details="getOrderDetails"),
    Tool("list_due", "listOrderSummaries", "List the orders that are due, earliest first.", required=("due",)),
    Tool("search_estimates", "listEstimateSummaries", "Find estimates: their state, total, client and dates."),
    Tool("get_estimate", "getEstimate", "Read an estimate with its lines and facts.", details="getEstimateDocument"),
    Tool("get_totals", "getEstimateTotals", "Read the sums of an estimate: lines, discount, taxes, total."),
    Tool("search_customers", "listCustomers", "Find customers by name, digits of a phone number, or email."),
    Tool("get_customer", "getCustomer", "Read a customer."),
    Tool("get_inbox", "getInbox", "Read what waits for a person: questions, decisions, what is due."),
    Tool("get_catalog", "listGrids", "Read the priced tiles from which the workshop makes estimates."),
    Tool("list_most_used_lines", "listMostUsedLineItems", "List the lines that are used most."),
    Tool("create_order", "createOrder", "Make an order."),
    Tool("update_order_details", "updateOrderDetails", "Change the day, place, item or phone number of an order."),
    Tool("create_estimate", "createEstimate", "Make a draft of an estimate. Nobody outside of the workshop sees it."),
    Tool("update_estimate", "updateEstimate", "Change the name, client, markup or discount of a draft."),
    Tool("add_line", "createLineItem", "Add a line to a draft."),
    Tool("change_line", "updateLineItem", "Change a line of a draft."),
    Tool("remove_line", "deleteLineItem", "Remove a line of a draft."),
)  # fmt: skip


def _reference() -> Reference:
    # Where definitions are asked for: most servers have no agents, and its texts take long to read.
    from backbench.api.reference import reference

    return reference()


class Tools:
    """The tools of the operations that there are."""

    def __init__(self, operations: Sequence[Operation]) -> None:
        self.operations = {operation.name: operation for operation in operations}
        self.by_name = {tool.name: tool for tool in TOOLS if tool.operation in self.operations}

    def of_key(self, scopes: Sequence[Scope]) -> list[Mapping[str, Any]]:
        """The definitions of those that a key with these scopes may call, always in the same order."""
        return [
            self._definitions[name]
            for name, tool in self.by_name.items()
            if self.operations[tool.operation].access.allows(scopes)
        ]

    @cached_property
    def _definitions(self) -> dict[str, Mapping[str, Any]]:
        """Made once they are asked for: most servers have no agents."""
        return {name: self._definition(tool) for name, tool in self.by_name.items()}

    def _definition(self, tool: Tool) -> Mapping[str, Any]:
        operation = self.operations[tool.operation]
        is_read = operation.is_safe
        return {
            "name": tool.name,
            "title": _reference().texts.operations[operation.name].summary,
            "description": tool.text,
            "inputSchema": self._schema(tool, operation),
            "annotations": {
                "readOnlyHint": is_read,
                "destructiveHint": operation.method == "DELETE",
                "idempotentHint": operation.method != "POST",
                "openWorldHint": False,
            },
        }

    def _schema(self, tool: Tool, operation: Operation) -> dict[str, Any]:
        queries = {} if operation.query is None else query_schemas(operation.query)
        properties = {name: {"type": "string"} for name in operation.path_names} | queries
        for name in properties:
            properties[name] = {**properties[name], "description": _meaning(operation, name)}
        required = [*(name for name in operation.path_names if name != "workshopId"), *tool.required]
        schema: dict[str, Any] = {"type": "object", "properties": properties, "required": required}
        if operation.body is not None:
            _, components = components_of([operation.body], _reference().properties)
            body = components.pop(operation.body.__name__)
            schema["properties"] |= body["properties"]
            schema["required"] += body.get("required", [])
            if components:
                schema["$defs"] = components
        for name in tool.left_out:
            schema["properties"].pop(name, None)
        return {**_local(schema), "additionalProperties": False}


def _meaning(operation: Operation, name: str) -> str:
    parameters = _reference().parameters
    text = (parameters.get(f"{operation.name}.{name}") or parameters[name]).description
    return f"{text}. The only workshop of the key where it is left out" if name == "workshopId" else text


def _local(value: Any) -> Any:
    """The same with references into the schema itself."""
    if isinstance(value, dict):
        return {key: _local(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_local(each) for each in value]
    return value.replace(_PLACE, "#/$defs/") if isinstance(value, str) else value
