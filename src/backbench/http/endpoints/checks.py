"""Checks at start: that a line of the table of operations does not contradict its action."""

from backbench.http.arguments import Arguments
from backbench.http.operations import Operation
from backbench.storage.engine.database import Write


def require_consistent(operation: Operation, arguments: Arguments) -> None:
    """Raises TypeError where the line contradicts the action."""
    if not operation.is_safe and (operation.event is None) == (operation.no_event == ""):
        raise TypeError(f"{operation.name}: a write has an event, or states why it has none")
    makes_transactions = operation.handle is not Write
    if operation.takes_key and makes_transactions and "complete" not in arguments.names:
        # Otherwise a crash between the change and its stored response would let a repetition make it again.
        raise TypeError(f"{operation.name}: an action that creates in its own transactions takes `complete`")
    if operation.takes_key and (operation.path_names or operation.form is not None) and operation.authorize is None:
        raise TypeError(f"{operation.name}: a replay needs `authorize`")
    if operation.event is not None and makes_transactions and "complete" not in arguments.names:
        raise TypeError(f"{operation.name}: its audit entry is written by `complete`")
