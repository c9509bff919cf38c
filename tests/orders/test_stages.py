"""Stages of orders, against a model that follows each change as it happens."""

from itertools import pairwise
from typing import Any, get_args

from hypothesis import given
from hypothesis import strategies as st

from backbench.orders.orders import OrderStatus, StatusChange
from backbench.orders.stages import stage, stage_since, status_since

steps = st.lists(
    st.one_of(
        st.tuples(st.just("move"), st.sampled_from(get_args(OrderStatus))),
        st.tuples(st.just("wait"), st.sampled_from([None, "parts", "customer"])),
        st.tuples(st.just("collect"), st.booleans()),
    ),
    max_size=12,
)


@given(steps)
def test_stage_since_and_ready_at_follow_the_changes(changes: list[tuple[str, Any]]) -> None:
    history = [StatusChange("todo", "000")]
    waiting: str | None = None
    waiting_since: str | None = None
    collected_at: str | None = None
    # The model: the present stage, and when it began, changed with each step.
    status, ready_at = "todo", None
    for number, (kind, value) in enumerate(changes, 1):
        at = f"{number:03d}"
        if kind == "move":
            if value == "done" and status != "done":
                ready_at = at
            if value != "done":
                ready_at = collected_at = None
            status = value
            history.append(StatusChange(value, at))
        elif kind == "wait" and value != waiting:
            waiting, waiting_since = value, None if value is None else at
        elif kind == "collect" and status == "done":
            collected_at = (collected_at or at) if value else None
    shown = stage(history[-1].status, is_waiting=waiting is not None, is_collected=collected_at is not None)
    if status == "done":
        assert shown == ("ready" if collected_at is None else "collected")
        assert status_since(history) == ready_at
    elif waiting is not None:
        assert shown == "waiting"
    else:
        assert shown == {"todo": "received", "in_progress": "in_progress"}[status]
    since = stage_since(shown, history, waiting_since, collected_at)
    if shown == "collected":
        assert since == collected_at
    elif shown == "waiting":
        # Not before it waited, and not before it was last open.
        left_done = [change.at for before, change in pairwise(history) if before.status == "done"]
        assert since == max([str(waiting_since), *[at for at in left_done[-1:] if at > str(waiting_since)]])
    else:
        last = [change for change in history if change.status == status]
        run = [change.at for change in history[history.index(last[-1]) :]]
        assert run[0] >= since
        assert all(change.status == status for change in history if change.at >= since)
