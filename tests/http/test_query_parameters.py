"""Query parameters: an unknown one is an error, because ignoring it would return another list than was asked for."""

import pytest

from backbench.http.operations import Operation
from backbench.routes import OPERATIONS
from tests.people import App, pointers
from tests.support import operation_samples
from tests.support.violations import all_of


def is_strict(operation: Operation) -> bool:
    return operation.query is not None and not getattr(operation.query, "ignores_unknown", False)


@pytest.fixture(scope="module")
async def objects(app: App) -> operation_samples.SharedObjects:
    """Objects of one person for requests that change none of them."""
    return operation_samples.SharedObjects(await app.owner("Anna"))


@all_of("operation", [operation for operation in OPERATIONS if is_strict(operation)], ids=operation_samples.line)
async def test_unknown_and_duplicate_query_parameters_are_errors(
    objects: operation_samples.SharedObjects, operation: Operation
) -> None:
    caller, path = await objects.caller_for(operation), await objects.path_for(operation)
    if not operation.is_safe:
        # Checked before anything is deleted.
        response = await caller.send(operation.method, f"{path}?sort=title", operation_samples.body_for(operation))
        assert pointers(response) == ["/sort"]
        return
    if "limit" not in operation.query.__struct_fields__:
        # An event stream has no end, and page images take time.
        assert pointers(await caller.get(f"{path}?sort=title&limit=2")) == ["/sort", "/limit"]
        return
    assert pointers(await caller.get(f"{path}?sort=title&limit=2&li%2Fmit=3&limit=5")) == [
        "/sort",
        "/li~1mit",
        "/limit",
    ]
    assert (await caller.get(f"{path}?limit=2")).status_code == 200


async def test_parameters_of_an_operation_without_any_are_ignored(app: App) -> None:
    anna = await app.owner("Anna")
    assert (await anna.get("/me?_=1763788800")).status_code == 200


def test_only_the_callback_of_a_provider_ignores_unknown_parameters() -> None:
    lenient = {operation.name for operation in OPERATIONS if operation.query and not is_strict(operation)}
    assert lenient == {"finishGoogleSignIn"}
