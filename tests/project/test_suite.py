"""Rules for the tests themselves."""

import ast
from functools import cache
from pathlib import Path

from msgspec import Struct

TESTS = Path(__file__).parents[1]
# Functions of pytest and Playwright that fail a test, as assertions do.
FAILING_FUNCTIONS = {"expect", "fail", "raises"}
CLOCKS = {"monotonic", "perf_counter"}
# Files with an assertion on elapsed seconds that is still to be replaced.
EXEMPT_FILES: set[str] = set()


class Function(Struct):
    """`names` are all names that it uses; `clocks` are the lines of assertions that read a clock."""

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
    # A deadline only ends a wait; it is not a promise.
    clocks = [each.lineno for each in assertions if names_in(each) & CLOCKS and "deadline" not in names_in(each)]
    return Function(path, function.name, names, bool(assertions or names & FAILING_FUNCTIONS), clocks)


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
    without_assertion = [each for each in functions() if each.is_test and not each.asserts and not each.names & helpers]
    assert [str(each) for each in without_assertion] == []


def test_no_test_asserts_elapsed_seconds() -> None:
    """A bound on seconds fails on a busy machine. Counts, order, events and processor time do not."""
    with_clock = [each for each in functions() if each.clocks and each.path.name not in EXEMPT_FILES]
    assert [str(each) for each in with_clock] == []
