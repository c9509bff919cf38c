"""Rules for the tests themselves."""

import ast
from functools import cache
from pathlib import Path

from msgspec import Struct

TESTS = Path(__file__).parents[1]
# They fail where what they are given does not hold: pytest's own, and Playwright's.
FAILING = {"expect", "fail", "raises"}
CLOCKS = {"monotonic", "perf_counter"}
# Files with an assertion on elapsed seconds that is still to be replaced.
BY_THE_CLOCK: set[str] = set()


class Function(Struct):
    """`names` are those it calls or hands on; `clocks` the lines of assertions that read a clock."""

    path: Path
    name: str
    names: set[str]
    asserts: bool
    clocks: list[int]

    @property
    def is_test(self) -> bool:
        return self.name.startswith("test_") and self.path.name.startswith("test_")

    def __str__(self) -> str:
        return f"{self.path.relative_to(TESTS)}::{self.name}"


@cache
def functions() -> list[Function]:
    return [
        function_of(path, node)
        for path in TESTS.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]


def function_of(path: Path, function: ast.FunctionDef | ast.AsyncFunctionDef) -> Function:
    assertions = [node for node in ast.walk(function) if isinstance(node, ast.Assert)]
    names = names_in(function)
    # A deadline ends a wait, and is no promise.
    clocks = [each.lineno for each in assertions if names_in(each) & CLOCKS and "deadline" not in names_in(each)]
    return Function(path, function.name, names, bool(assertions or names & FAILING), clocks)


def names_in(tree: ast.AST) -> set[str]:
    nodes = list(ast.walk(tree))
    return {node.attr for node in nodes if isinstance(node, ast.Attribute)} | {
        node.id for node in nodes if isinstance(node, ast.Name)
    }


def asserting_helpers() -> set[str]:
    """The names of helpers that assert something, or call one that does."""
    helpers = [function for function in functions() if not function.is_test]
    found = {function.name for function in helpers if function.asserts}
    while more := {function.name for function in helpers if function.names & found} - found:
        found |= more
    return found


def test_every_test_asserts_something() -> None:
    helpers = asserting_helpers()
    silent = [each for each in functions() if each.is_test and not each.asserts and not each.names & helpers]
    assert [str(each) for each in silent] == []


def test_no_test_asserts_elapsed_seconds() -> None:
    """A bound on seconds fails on a busy machine. Counts, order, events and processor time do not."""
    timed = [each for each in functions() if each.clocks and each.path.name not in BY_THE_CLOCK]
    assert [str(each) for each in timed] == []
