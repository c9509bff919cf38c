"""Which tests run by default, and on PostgreSQL: those that are marked, and no storage function without one."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.people import App
from tests.support.run.engines import ENGINES
from tests.support.run.storage_functions import StorageFunctions

ROOT = Path(__file__).parents[2]
SETTINGS = "[pytest]\ntestpaths = test_examples.py\nmarkers =\n both_engines\n all_only\n"
CHOICE = """
from tests.support.run.engines import EngineChoice

def pytest_configure(config):
    config.pluginmanager.register(EngineChoice())
"""
CHOSEN = """
import pytest

@pytest.fixture(params=["sqlite", "postgres"])
def engine(request):
    return request.param

def test_one(engine):
    assert engine

@pytest.mark.both_engines
def test_two(engine):
    assert engine

@pytest.mark.parametrize("browser", ["first", pytest.param("other", marks=pytest.mark.all_only)])
def test_three(browser):
    assert browser
"""
GUARD = """
import handles
from tests.support.run.engines import EngineChoice
from tests.support.run.storage_functions import StorageFunctions

def pytest_configure(config):
    config.pluginmanager.register(EngineChoice())
    config.pluginmanager.register(StorageFunctions({"sqlite": [handles.SQLite], "postgres": [handles.Postgres]}))
"""
HANDLES = """
class SQLite:
    async def value(self, sql, **values):
        return None

class Postgres(SQLite):
    async def value(self, sql, **values):
        return None
"""
GUARDED = """
import asyncio
import pytest
from backbench.accounts import accounts
from backbench.workshops import members
from handles import Postgres, SQLite

@pytest.fixture(params=["sqlite", "postgres"])
def engine(request):
    return {"sqlite": SQLite, "postgres": Postgres}[request.param]()

@pytest.mark.both_engines
def test_on_both(engine):
    assert asyncio.run(accounts.lookup_name(engine, "id")) is None

def test_on_one():
    assert asyncio.run(accounts.lookup_account_id(SQLite(), "issuer", "subject")) is None

def test_on_both_where_all_run(engine):
    assert asyncio.run(members.lookup_role(engine, "id", "id")) is None
"""


def run(folder: Path, *arguments: str, **variables: str) -> "subprocess.CompletedProcess[str]":
    (folder / "pytest.ini").write_text(SETTINGS)
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-p", "xdist", "-rA", *arguments]
    # Others take longer to import than all of this.
    alone = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONPATH": os.pathsep.join([str(ROOT), str(folder)])}
    environment = {**os.environ, **alone, **variables}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)


@pytest.mark.parametrize("engines", ["", "all"])
def test_a_run_leaves_out_what_is_not_marked_and_says_so(tmp_path: Path, engines: str) -> None:
    (tmp_path / "conftest.py").write_text(CHOICE)
    (tmp_path / "test_examples.py").write_text(CHOSEN)
    ran = run(tmp_path, "-n", "1", TEST_ENGINES=engines)
    passed = sorted(re.findall(r"^PASSED test_examples.py::(\S+)", ran.stdout, re.MULTILINE))
    left_out = [] if engines else ["test_one[postgres]", "test_three[other]"]
    cases = {f"test_{name}[{engine}]" for name in ("one", "two") for engine in ENGINES}
    cases |= {"test_three[first]", "test_three[other]"}
    assert passed == sorted(cases - {*left_out})
    says = "2 deselected: cases on PostgreSQL or in another browser; TEST_ENGINES=all runs all tests"
    assert (says in ran.stdout) == bool(left_out)


@pytest.mark.parametrize("engines", ["", "all"])
def test_a_run_of_all_tests_fails_by_a_storage_function_that_postgresql_has_not_run(
    tmp_path: Path, engines: str
) -> None:
    """Of all files: one with every engine fails by what one without would fail by."""
    for name, text in (("conftest.py", GUARD), ("handles.py", HANDLES), ("test_examples.py", GUARDED)):
        (tmp_path / name).write_text(text)
    ran = run(tmp_path, "-n", "2", TEST_ENGINES=engines)
    assert ran.returncode == 1, ran.stdout
    missing = ["accounts/accounts.py: lookup_account_id", "workshops/members.py: lookup_role"]
    assert re.findall(r"^\w+/\w+\.py: .*", ran.stdout, re.MULTILINE) == missing
    assert run(tmp_path, "test_examples.py").returncode == 0, "of a part nothing is known"


@pytest.mark.both_engines
async def test_a_function_that_runs_a_statement_is_noted_with_the_engine(app: App, pytestconfig: pytest.Config) -> None:
    functions = pytestconfig.pluginmanager.get_plugin("storage_functions")
    assert isinstance(functions, StorageFunctions)
    before = {engine: set(codes) for engine, codes in functions.codes.items()}
    for codes in functions.codes.values():
        codes.clear()
    await app.owner()
    names = functions.names()
    # What the run has noted so far is compared at its end.
    for engine, codes in before.items():
        functions.codes[engine] |= codes
    [other] = {*ENGINES} - {app.engine}
    assert "accounts/accounts.py: add" in names[app.engine]
    assert "accounts/accounts.py: add" not in names[other]
