"""Rules over many cases: one test tries all of them and lists every violation.

    with violations() as case:
        for operation in OPERATIONS:
            with case(line(operation)):
                assert operation.summary

A test with a parameter per case costs 10 ms a case in collection and reports, one of pytest's subtests 3 ms. `all_of`
stands in for such a parameter.
"""

import contextlib
import inspect
import traceback
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from functools import wraps
from typing import Any

import pytest

from backbench.engine.database import Database
from tests.support.database_dump import changed_rows, dump_of

Case = Callable[[str], AbstractContextManager[None]]


@contextlib.contextmanager
def violations() -> Iterator[Case]:
    """Fails at its end with every case that failed, or if there was no case."""
    found: list[str] = []
    tried = 0

    @contextlib.contextmanager
    def case(name: str) -> Iterator[None]:
        nonlocal tried
        tried += 1
        try:
            yield
        except (AssertionError, pytest.fail.Exception) as error:
            found.append("\n".join([f"{name}: {error}", *getattr(error, "__notes__", [])]))
        except Exception:  # noqa: BLE001 - an error ends its case alone, too
            found.append(f"{name}: {traceback.format_exc(limit=-3)}")

    yield case
    assert tried, "no case was tried"
    if found:
        pytest.fail(f"{len(found)} of {tried} cases:\n" + "\n".join(found), pytrace=False)


@contextlib.asynccontextmanager
async def violations_or_changes(db: Database, *except_tables: str) -> AsyncIterator[Case]:
    """The same, for requests that must change nothing: every row that they change is a violation."""
    before = await dump_of(db, except_tables)
    with violations() as case:
        yield case
        with case("the database afterwards"):
            changed = changed_rows(before, await dump_of(db, except_tables))
            assert not changed, "\n".join(changed)


def all_of(
    names: str | tuple[str, ...], cases: Iterable[Any], ids: Callable[[Any], str] = repr
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """As `pytest.mark.parametrize`, in one test that tries all cases; fixtures of the test are the same for all."""
    listed, own = list(cases), (names,) if isinstance(names, str) else names

    def arguments(case: Any) -> dict[str, Any]:
        return dict(zip(own, (case,) if isinstance(names, str) else case, strict=True))

    def decorated(test: Callable[..., Any]) -> Callable[..., Any]:
        def tried(**fixtures: Any) -> None:
            with violations() as case:
                for each in listed:
                    with case(ids(each)):
                        test(**arguments(each), **fixtures)

        async def awaited(**fixtures: Any) -> None:
            with violations() as case:
                for each in listed:
                    with case(ids(each)):
                        await test(**arguments(each), **fixtures)

        made = wraps(test)(awaited if inspect.iscoroutinefunction(test) else tried)
        signature = inspect.signature(test)
        fixtures = [each for each in signature.parameters.values() if each.name not in own]
        # What pytest takes for fixtures.
        made.__signature__ = signature.replace(parameters=fixtures)  # type: ignore[attr-defined]
        return made

    return decorated
