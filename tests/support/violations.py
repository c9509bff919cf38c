"""Rules over many cases: one test tries all of them and lists every violation.

    with violations() as case:
        for operation in OPERATIONS:
            with case(line(operation)):
                assert operation.summary

A test with a parameter per case costs 10 ms a case in collection and reports, one of pytest's subtests 3 ms.
"""

import contextlib
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractContextManager

import pytest

from backbench.engine.database import Database
from tests.support.database_dump import changed_rows, dump_of

Case = Callable[[str], AbstractContextManager[None]]


@contextlib.contextmanager
def violations() -> Iterator[Case]:
    """Fails at its end with every case whose assertion failed, or if there was no case."""
    found: list[str] = []
    tried = 0

    @contextlib.contextmanager
    def case(name: str) -> Iterator[None]:
        nonlocal tried
        tried += 1
        try:
            yield
        except AssertionError as error:
            found.append(f"{name}: {error}")
        except Exception as error:
            error.add_note(f"in the case {name}")
            raise

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
