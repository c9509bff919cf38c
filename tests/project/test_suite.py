"""Rules for the tests themselves."""

import ast
import asyncio
import math
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.hang_limit import limited
from tests.support.run.bytecode import Bytecode
from tests.support.run.examples import run_examples
from tests.support.run_folder import delete_left

TESTS = Path(__file__).parents[1]
CLOCKS = {"monotonic", "perf_counter"}
CONFTEST = """
import sys
from pathlib import Path
import pytest
from tests.support.assertion_guard import AssertionGuard

sys.path.append(str(Path(__file__).parent / "site-packages"))
pytest_plugins = ["asserting_plugin"]

def pytest_configure(config):
    guard = AssertionGuard()
    guard.counts(pytest.RaisesExc, "__exit__")
    config.pluginmanager.register(guard)
"""
# As the one of anyio.
ASSERTING_PLUGIN = """
import pytest

@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call(pyfuncitem):
    result = yield
    assert result
    return result
"""
EXAMPLES = """
import pytest

def test_assertion():
    assert 1 + 1 == 2

def test_expected_error():
    with pytest.raises(ZeroDivisionError):
        1 / 0

def test_skipped():
    pytest.skip("a reason")

def test_without_assertion():
    test_assertion

def test_loop_over_nothing():
    for number in ():
        assert number
"""


def test_a_test_in_which_no_assertion_runs_fails(tmp_path: Path) -> None:
    (tmp_path / "pytest.ini").write_text("[pytest]\nenable_assertion_pass_hook = true\n")
    (tmp_path / "conftest.py").write_text(CONFTEST)
    (tmp_path / "site-packages").mkdir()
    (tmp_path / "site-packages" / "asserting_plugin.py").write_text(ASSERTING_PLUGIN)
    (tmp_path / "test_examples.py").write_text(EXAMPLES)
    printed = run_examples(tmp_path, "-rA")
    assert sorted(re.findall(r"^(PASSED|FAILED) test_examples.py::(\w+)", printed, re.MULTILINE)) == [
        ("FAILED", "test_loop_over_nothing"),
        ("FAILED", "test_without_assertion"),
        ("PASSED", "test_assertion"),
        ("PASSED", "test_expected_error"),
    ]


def test_the_end_of_a_run_says_what_was_skipped_and_why(tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text(
        "from tests.support.run.skips import skip_lines\n\n"
        "def pytest_terminal_summary(terminalreporter):\n"
        "    for text in skip_lines(terminalreporter.getreports('skipped')):\n"
        "        terminalreporter.line(text)\n"
    )
    fixture = "import pytest\n\n@pytest.fixture(scope='module')\ndef browser():\n    pytest.skip('no browser')\n"
    tests = "".join(f"\ndef test_{name}(browser):\n    assert browser\n" for name in ("one", "two"))
    marked = "\n@pytest.mark.skip(reason='no proxy')\ndef test_three():\n    assert 1\n"
    (tmp_path / "test_examples.py").write_text(fixture + tests + marked)
    printed = run_examples(tmp_path, "-q", "-p", "xdist", "-n", "2")
    assert "\n2 skipped: no browser\n1 skipped: no proxy\n" in printed


async def test_a_test_that_hangs_ends_and_says_where(capsys: pytest.CaptureFixture[str]) -> None:
    async def waits_for_ever() -> None:
        await asyncio.Event().wait()

    with pytest.raises(TimeoutError):
        await limited(waits_for_ever, 0.01)()
    assert "in waits_for_ever" in capsys.readouterr().err


def test_the_folder_of_a_killed_run_is_deleted_by_the_next(tmp_path: Path) -> None:
    begin = """
import sys
from pathlib import Path
from tests.support import run_folder
run_folder.MEMORY = Path(sys.argv[1])
run_folder._NEEDED_BYTES = 0
print(run_folder.begin_run(), flush=True)
sys.stdin.read()
"""
    command = [sys.executable, "-c", begin, str(tmp_path)]
    with subprocess.Popen(command, cwd=TESTS.parent, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as run:
        assert run.stdout is not None
        folder = Path(run.stdout.readline().strip())
        delete_left(tmp_path)
        assert folder.is_dir(), "while it runs"
        run.kill()
    assert folder.is_dir()
    delete_left(tmp_path)
    assert list(tmp_path.iterdir()) == []


def names_in(tree: ast.AST) -> set[str]:
    nodes = list(ast.walk(tree))
    return {node.attr for node in nodes if isinstance(node, ast.Attribute)} | {
        node.id for node in nodes if isinstance(node, ast.Name)
    }


def test_no_test_asserts_elapsed_seconds() -> None:
    """A bound on seconds fails on a busy machine. Counts, order, events and processor time do not."""
    assertions = [
        (path, node)
        for path in TESTS.rglob("*.py")
        if any(clock in path.read_text("utf-8") for clock in CLOCKS)
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Assert)
    ]
    # A deadline only ends a wait; it is not a promise.
    assert [
        f"{path.relative_to(TESTS)}:{node.lineno}"
        for path, node in assertions
        if names_in(node) & CLOCKS and "deadline" not in names_in(node)
    ] == []


def test_each_wait_may_last_a_minute() -> None:
    """A shorter limit fails on a busy machine. One that a test waits for on purpose is a setting of what it tests."""
    short = [
        f"{path.relative_to(TESTS)}:{node.lineno}"
        for path in TESTS.rglob("*.py")
        if re.search(r"timeout|wait_for|httpx\.", text := path.read_text("utf-8"))
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Call) and wait_limit(node) < 60
    ]
    assert short == []


def wait_limit(call: ast.Call) -> float:
    """The limit of a wait in seconds, as far as it is written as a number; infinity if the call is no wait."""
    name = ast.unparse(call.func)
    named = {argument.arg: argument.value for argument in call.keywords}
    if name == "asyncio.timeout":
        return constant(call.args[0])
    if name in ("asyncio.wait_for", "socket.create_connection") and len(call.args) > 1:
        return constant(call.args[1])
    if re.fullmatch(r"httpx\.(get|post|put|patch|delete|stream|Client|AsyncClient)", name):
        # Without a limit of its own, httpx waits five seconds. Calls of an application in this process have none.
        if "transport" in named or None in named:
            return math.inf
        return constant(named["timeout"]) if "timeout" in named else 5
    if name.endswith(("set_default_timeout", "set_options")):
        value = named.get("timeout") or call.args[0]
        return constant(value) / 1000
    return math.inf


def constant(node: ast.expr) -> float:
    """Infinity for a limit that has a name: it is given once, with its reason."""
    return float(node.value) if isinstance(node, ast.Constant) and isinstance(node.value, int | float) else math.inf


def test_modules_without_bytecode_are_compiled_before_the_processes_of_a_run_start(tmp_path: Path) -> None:
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    for folder in ("large", "small"):
        (tmp_path / "tests" / folder).mkdir(parents=True)
        for number in range(11):
            (tmp_path / "tests" / folder / f"test_{folder}_{number}.py").write_text("def test(): assert True\n")
    bytecode = Bytecode(tmp_path)
    bytecode.pytest_xdist_setupnodes(["one"])
    assert not list(tmp_path.rglob("*.pyc"))
    bytecode.pytest_xdist_setupnodes(["one", "another"])
    assert len(list(tmp_path.rglob("*.pyc"))) == 22
