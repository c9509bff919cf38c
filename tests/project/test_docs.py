"""Documentation: complete and correct compared with the code; command examples are executed."""

import ast
import inspect
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, get_args, get_type_hints

import httpx
import msgspec
import pytest
import typer
from tools.app_pictures import HELP, PICTURES, shown_pictures

from backbench import app
from backbench.commands import command_line
from backbench.engine.postgres import database
from backbench.engine.postgres.handles import CONNECTIONS_PER_WORKER
from backbench.http.openapi.document import CODES
from backbench.http.openapi.reference import ALREADY_CREATED, IN_PROGRESS
from backbench.reference import reference
from backbench.routes import OPERATIONS
from backbench.settings import PREFIX, Settings
from backbench.values.calls import Scope
from backbench.values.limits import Limit
from tests.support.providers.ai_server import MODEL, ai_server
from tests.support.providers.stripe_server import SECRET_KEY, WEBHOOK_SECRET, provider
from tests.support.server import running_server
from tests.support.violations import violations

ROOT = Path(__file__).parents[2]
MAX_LINES = 400
DOCS = ROOT / "docs"
PAGES = sorted(
    path
    for path in (
        *ROOT.glob("*.md"),
        *DOCS.rglob("*.md"),
        *HELP.rglob("*.md"),
        *(ROOT / "benchmarks").rglob("*.md"),
        *(ROOT / "deploy").rglob("*.md"),
        ROOT / "tests" / "security-controls.md",
    )
)
# What hosts and integrators read, without the reasons of decisions.
READING = sorted(path for path in DOCS.rglob("*.md") if "decisions" not in path.parts)
API_PAGES = sorted((DOCS / "api").glob("*.md"))
FENCED = re.compile(r"^ *```.*?^ *```$", re.MULTILINE | re.DOTALL)
SECTION = re.compile(r"^(?=## )", re.MULTILINE)


def name_of(page: Path) -> str:
    return str(page.relative_to(ROOT))


# Operations


REQUEST = re.compile(r"`(GET|POST|PUT|PATCH|DELETE) (?:/api)?(/[^\s`…?]+)")


def test_pages_name_only_operations_that_exist() -> None:
    paths = [(each.method, re.compile(re.sub(r"{\w+}", "[^/]+", each.path))) for each in OPERATIONS]
    paths += [
        ("GET", re.compile(path))
        for path in ("/docs", r"/openapi\.json", r"/calendars/.*", "/healthz", "/readyz", "/metrics")
    ]
    with violations() as case:
        for page in READING:
            for method, path in REQUEST.findall(page.read_text("utf-8")):
                with case(f"{name_of(page)}: {method} {path}"):
                    assert any(method == other and pattern.fullmatch(path) for other, pattern in paths)


def test_fields_and_examples_have_one_source() -> None:
    """The reference, made of the code, at /api/docs: a table or an example here would be a second one."""
    again = [name_of(page) for page in API_PAGES if re.search(r"^(```(json|http)|<!-- table)", page.read_text(), re.M)]
    assert again == []


def test_the_page_of_api_keys_names_every_scope() -> None:
    text = (DOCS / "api" / "api-keys.md").read_text("utf-8")
    assert re.findall(r"^\| `(\w+:\w+)` \|", text, re.MULTILINE) == list(get_args(Scope))


# Settings


def test_the_settings_page_lists_exactly_the_settings_with_defaults() -> None:
    rows = re.findall(
        rf"^\| `{PREFIX}(\w+)` \| (?:`(.*?)`)? ?\|", (DOCS / "guide" / "settings.md").read_text(), re.MULTILINE
    )
    defaults = {name.upper(): environment_text(getattr(Settings(), name)) for name in Settings.__struct_fields__}
    assert dict(rows) == defaults
    assert len(rows) == len(defaults)


def environment_text(value: Any) -> str:
    """The value of a setting as text of an environment variable."""
    if isinstance(value, Limit):
        return f"{value.count}/{value.window}"
    if isinstance(value, bool):
        return "on" if value else "off"
    return "" if value == () else str(value)


def test_pages_name_only_existing_settings() -> None:
    existing = {name.upper() for name in Settings.__struct_fields__}
    with violations() as case:
        for page in PAGES:
            with case(name_of(page)):
                named = set(re.findall(rf"\b{PREFIX}([A-Z_]*[A-Z])\b(?!_\*)", page.read_text("utf-8")))
                assert named - existing == set()


def test_pages_name_one_number_of_database_connections() -> None:
    used = app._EXPORTS_IN_ALL + app._LARGE_LISTS_IN_ALL + database._LARGEST_POOL
    assert used == CONNECTIONS_PER_WORKER
    for page, text in (
        ("docs/guide/running.md", f"A worker has up to {used} connections: {database._LARGEST_POOL} for requests"),
        ("docs/guide/several-machines.md", f"up to {used} to PostgreSQL"),
        ("deploy/standby/README.md", f"at least {used} × workers × nodes"),
    ):
        assert text in " ".join((ROOT / page).read_text("utf-8").split()), page


# Commands


def commands() -> dict[str, Callable[..., Any]]:
    """The functions of the commands, by the text after `backbench`."""
    groups = [
        ("", command_line.app),
        *((f"{group.name} ", group.typer_instance) for group in command_line.app.registered_groups),
    ]
    found = {}
    for prefix, group in groups:
        assert group is not None
        for info in group.registered_commands:
            assert info.callback is not None
            found[f"{prefix}{info.name or info.callback.__name__}"] = info.callback
    return found


def options(command: Callable[..., Any]) -> set[str]:
    hints = get_type_hints(command, include_extras=True)
    return {
        f"--{name.replace('_', '-')}"
        for name in inspect.signature(command).parameters
        if not isinstance(hints[name].__metadata__[0], typer.models.ArgumentInfo)
    }


def test_the_command_line_page_lists_exactly_the_commands_and_options() -> None:
    described = {}
    for section in SECTION.split((DOCS / "guide" / "command-line.md").read_text("utf-8"))[1:]:
        heading, _, rest = section.partition("\n")
        described[heading.removeprefix("## backbench ")] = set(re.findall(r"^\| `(--[\w-]+)` \|", rest, re.MULTILINE))
    assert described == {name: options(command) for name, command in commands().items()}


# Links


def links(page: Path) -> Iterator[str]:
    """The targets of links to files of the repository, except in code."""
    text = re.sub(r"`[^`\n]*`", "", FENCED.sub("", page.read_text("utf-8")))
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if "://" not in target:
            yield target


@cache
def anchors(page: Path) -> set[str]:
    """The anchors of headings, as sites that render Markdown derive them."""
    headings = re.findall(r"^#+ (.+)$", FENCED.sub("", page.read_text("utf-8")), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def is_dead(link: str, page: Path) -> bool:
    path, _, anchor = link.partition("#")
    target = (page.parent / path).resolve() if path else page
    return not target.exists() or bool(anchor and anchor not in anchors(target))


def test_every_code_block_is_closed() -> None:
    """An open one turns the rest of the page inside out: headings become code, and code becomes text."""
    assert [name_of(page) for page in PAGES if "```" in FENCED.sub("", page.read_text("utf-8"))] == []


def test_no_page_is_too_long_to_read() -> None:
    # Records, which are searched: of all versions, and of all controls.
    records = ("CHANGELOG.md", "security-controls.md")
    lengths = {name_of(page): len(page.read_text("utf-8").splitlines()) for page in PAGES if page.name not in records}
    assert {name: length for name, length in lengths.items() if length > MAX_LINES} == {}


def test_every_picture_of_the_app_is_shown_on_a_page() -> None:
    assert {picture.stem for picture in PICTURES.glob("*.webp")} == shown_pictures()


def test_no_link_is_dead() -> None:
    assert [f"{name_of(page)}: {link}" for page in PAGES for link in links(page) if is_dead(link, page)] == []


def test_every_page_is_reachable_from_the_readme() -> None:
    reached, queue = set(), [ROOT / "README.md"]
    while queue:
        page = queue.pop()
        # Dead links are tested above.
        if page in reached or page.suffix != ".md" or not page.exists():
            continue
        reached.add(page)
        queue += [(page.parent / link.partition("#")[0]).resolve() for link in links(page) if not link.startswith("#")]
    assert {name_of(page) for page in DOCS.rglob("*.md") if "decisions" not in page.parts} <= set(map(name_of, reached))


def test_the_index_lists_every_page() -> None:
    listed = {(DOCS / link.partition("#")[0]).resolve() for link in links(DOCS / "README.md")}
    pages = {page for page in DOCS.rglob("*.md") if page.parent.name != "decisions"} - {DOCS / "README.md"}
    assert {name_of(page) for page in pages - listed} == set()


def test_no_message_names_a_page_which_an_installed_package_lacks() -> None:
    named = []
    for module in (ROOT / "src").rglob("*.py"):
        text = module.read_text("utf-8")
        # Parsing takes most of the time, and few modules name a page at all.
        for node in ast.walk(ast.parse(text)) if re.search("docs/(?:guide|api)", text) else ():
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and "\n" not in node.value:
                named += re.findall(r"docs/(?:guide|api)/[\w-]+\.md", node.value)
    assert named == []


def test_api_basics_lists_the_code_of_every_error() -> None:
    text = (DOCS / "guide" / "api-basics.md").read_text()
    texts = reference().texts.operations.values()
    own = {each.code for operation in texts for each in operation.responses if each.code}
    of_keys = {IN_PROGRESS.code, ALREADY_CREATED.code}
    assert {code for code in {*own, *CODES.values(), *of_keys} if f"`{code}`" not in text} == set()


DECISIONS = sorted(set((DOCS / "decisions").glob("*.md")) - {DOCS / "decisions" / "README.md"})


def test_the_index_lists_every_decision_by_its_title() -> None:
    index = (DOCS / "decisions" / "README.md").read_text("utf-8")
    titles = {page.name: page.read_text("utf-8").partition("\n")[0].removeprefix("# ") for page in DECISIONS}
    assert {name: title for title, name in re.findall(r"^- \[(.+)\]\(([\w-]+\.md)\)", index, re.M)} == titles


def test_decisions_have_the_standard_headings() -> None:
    for page in DECISIONS:
        headings = re.findall(r"^## (.+)$", page.read_text("utf-8"), re.MULTILINE)
        assert headings in (["Context", "Decision", "Consequences"], []), page.name


def test_decisions_have_a_status_and_link_to_what_supersedes_them_both_ways() -> None:
    status = re.compile(r"# .+\n\nStatus: (?:accepted|superseded by \[([\w-]+)\]\(\1\.md\))\n(.*)")
    forth, back = set(), set()
    for page in DECISIONS:
        found = status.match(page.read_text("utf-8"))
        assert found, page.name
        forth |= {(page.stem, found[1])} if found[1] else set()
        back |= {(slug, page.stem) for slug in re.findall(r"^Supersedes: \[.+\]\(([\w-]+)\.md\)", found[2])}
    assert forth == back
    assert {new for _, new in forth} <= {page.stem for page in DECISIONS}


# Command examples


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """The environment of a shell with the values that the demo printed in variables.

    The server has a language model and a payment provider.
    """
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(PREFIX)}
    folder = tmp_path_factory.mktemp("demo")
    with ai_server() as model, provider() as payments:
        settings: dict[str, Any] = {
            f"{PREFIX}AI_PROVIDER": "openai",
            f"{PREFIX}AI_URL": f"{model.url}/v1",
            f"{PREFIX}AI_MODEL": MODEL,
            f"{PREFIX}STRIPE_SECRET_KEY": SECRET_KEY,
            f"{PREFIX}STRIPE_WEBHOOK_SECRET": WEBHOOK_SECRET,
            f"{PREFIX}STRIPE_PRICE": payments.plan(),
            f"{PREFIX}STRIPE_API_URL": payments.url,
        }
        with running_server(f"sqlite:///{folder}/demo.db", "--demo", "--json", folder=folder, **settings) as server:
            printed = msgspec.json.decode(server.printed)
            yield inherited | {
                "API": f"{server.url}/api",
                "EMAIL": printed["email"],
                "PASSWORD": printed["password"],
                "KEY": printed["apiKey"],
                "WORKSHOP": printed["workshopId"],
            }


def command_blocks(*pages: Path) -> list[Any]:
    return [
        pytest.param(block, id=f"{name_of(page)}-{number}")
        for page in pages
        for number, block in enumerate(re.findall(r"^```bash\n(.*?)^```$", page.read_text(), re.MULTILINE | re.DOTALL))
    ]


@pytest.mark.parametrize(
    "block",
    command_blocks(ROOT / "README.md", DOCS / "guide" / "api-basics.md", *API_PAGES),
)
def test_command_examples_run(demo: dict[str, str], block: str) -> None:
    assert output_of(demo, block)


@pytest.mark.parametrize("block", command_blocks(DOCS / "guide" / "billing.md", DOCS / "guide" / "ai.md"))
def test_command_examples_with_providers_run(demo: dict[str, str], block: str) -> None:
    printed = output_of(demo, block)
    assert '"url":"https://checkout.example/' in printed or '"aiDrafted":true' in printed


def test_the_python_example_reads_every_page(demo: dict[str, str]) -> None:
    (code,) = re.findall(r"^```python\n(.*?)^```$", (DOCS / "guide" / "api-basics.md").read_text(), re.M | re.S)
    ran = subprocess.run([sys.executable, "-c", code], env=demo, capture_output=True, text=True, check=True)
    listed = httpx.get(
        f"{demo['API']}/workshops/{demo['WORKSHOP']}/orders",
        headers={"Authorization": f"Bearer {demo['KEY']}"},
        timeout=60,
        # Loading CA certificates takes 50 ms.
        verify=False,
    )
    assert int(ran.stdout) == len(listed.json()["orders"]) > 2


def output_of(environment: dict[str, str], block: str) -> str:
    """Runs the block and returns its output."""
    # -f: an error response fails the line.
    lines = re.sub(r"\bcurl -s", "curl -fs", block)
    command = ["bash", "-euo", "pipefail", "-c", lines]
    ran = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout.strip()


def test_documented_installs_fetch_nothing_without_hashes() -> None:
    """Nor Backbench by its name: it is not published. A build in isolation fetches its backend past the lock files."""
    with violations() as case:
        for page in PAGES:
            for command in re.findall(r"pip install [^`\n]*", page.read_text("utf-8")):
                with case(f"{name_of(page)}: {command}"):
                    assert "--require-hashes" in command or re.search(r"--no-build-isolation|\.whl", command)
