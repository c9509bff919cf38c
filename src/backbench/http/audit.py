"""Audit entries of operations: which workshop and object a successful request changed.

The table of operations names the event; the object follows from the path and the result, checked at start.
"""

from collections.abc import Callable, Mapping
from typing import Any, get_origin

from backbench.domain.workshops.audit import Audited
from backbench.http.operations import Operation, snake

# The result of an action without any Audited wrapper, and the parameters of the path -> workshop id, object id.
Subject = Callable[[Any, Mapping[str, str]], tuple[str, str]]


def subject_of(operation: Operation) -> Subject:
    """How to find the workshop and the object of the operation's audit entry. Raises TypeError where it cannot."""
    result = operation.result
    if get_origin(result) is Audited or "complete" in operation.arguments:
        return lambda result, _: (result.workshop_id, result.object_id)
    fields = set(getattr(result, "__struct_fields__", ()))
    if "workshopId" in operation.path_names:
        last = snake(operation.path_names[-1])
        if "id" in fields:
            return lambda result, params: (params["workshop_id"], result.id)
        return lambda _, params: (params["workshop_id"], params[last])
    if {"id", "workshop_id"} <= fields:
        return lambda result, _: (result.workshop_id, result.id)
    raise TypeError(f"{operation.name}: event {operation.event} without a workshop and an object")
