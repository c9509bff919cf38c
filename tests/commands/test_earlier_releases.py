"""Upgrades from earlier releases: their data, made by running them, is served by this version, nothing of it changed.

`releases/VERSION.zip` has a backup of the demo workshop of that release, its export, and how to sign in.
"""

import json
import re
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from backbench.engine.urls import open_database
from backbench.hosting.backups import restore
from backbench.integrations.blobs import open_blobs
from backbench.values.ids import new_id
from tests.exports.test_archives import archive_of, document
from tests.people import Person
from tests.support.databases import running_app

# Signing in is a change; decided in migration 10: the actions of the audit trail became types of events.
EXPECTED = re.compile(r"/user/lastLoginAt: |/audit/\d+/action: '[a-z_]+\.[a-z_]+' became '[a-z]+\.[a-z]+'$")
RELEASES = Path(__file__).parent / "releases"
# Its data pass every migration, so PostgreSQL shows with it what it shows with all.
OLDEST = "before-0.1.0"


@pytest.fixture(
    params=[
        pytest.param(file.stem, marks=pytest.mark.both_engines if file.stem == OLDEST else ())
        for file in sorted(RELEASES.glob("*.zip"))
    ]
)
def release(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """The folder of what an earlier release left behind."""
    folder = tmp_path / "release"
    with zipfile.ZipFile(RELEASES / f"{request.param}.zip") as file:
        file.extractall(folder)
    return folder


def changed(old: Any, new: Any, path: str = "") -> Iterator[str]:
    """Where a value of `old` is missing from `new` or another one there. New members may be added, and new entries."""
    if isinstance(old, dict) and isinstance(new, dict):
        for name, value in old.items():
            if name in new:
                yield from changed(value, new[name], f"{path}/{name}")
            else:
                yield f"{path}/{name} is missing"
    elif isinstance(old, list) and isinstance(new, list):
        by_id = {entry["id"]: entry for entry in new if isinstance(entry, dict) and "id" in entry}
        for at, value in enumerate(old):
            known = isinstance(value, dict) and value.get("id") in by_id
            other = by_id[value["id"]] if known else new[at] if at < len(new) else None
            yield from changed(value, other, f"{path}/{at}")
    elif old != new:
        yield f"{path}: {old!r} became {new!r}"


async def exported_by(person: Person) -> Any:
    """The export as earlier releases made it: with what only the archive has since, of the one workshop of the demo."""
    export = (await person.get("/me/data-export")).json()
    archive = await archive_of(person)
    files = {Path(path).stem: document(archive, path) for path in archive.namelist() if path.count("/") == 2}
    [workshop] = export["workshops"]
    shared = {each.pop("estimateId"): each for each in files["sharing"]["estimates"]}
    for estimate in workshop["estimates"]:
        if estimate["id"] in shared:
            estimate["sharing"] = shared[estimate["id"]]
    return export | {"audit": files["audit"]["audit"]}


async def use(piotr: Person) -> None:
    """What this version added works with the records of the release, and what was there goes on."""
    orders = (await piotr.get(f"/workshops/{piotr.workshop}/orders")).json()["orders"]
    details = [(await piotr.get(f"/orders/{order['id']}/details")).json() for order in orders]
    assert sorted(each["number"] for each in details) == list(range(1, len(orders) + 1))
    assert {each["stage"] for each in details} >= {"received", "in_progress", "ready"}
    slip = await piotr.get(f"/orders/{orders[0]['id']}/slip")
    assert slip.content.startswith(b"%PDF-")
    estimates = (await piotr.get(f"/workshops/{piotr.workshop}/estimates")).json()["estimates"]
    for estimate in estimates:
        confirmed = await piotr.post(f"/estimates/{estimate['id']}/confirm")
        # Some have as many revisions as the plan allows, and one was accepted as it stands.
        assert confirmed.status_code in (200, 201, 409), confirmed.text
        body = {"revisionNumber": 1, "locale": "pl", "preliminary": False}
        exported = await piotr.post(f"/estimates/{estimate['id']}/pdf-exports", body)
        assert exported.status_code in (200, 201), exported.text
    files = (await piotr.get(f"/workshops/{piotr.workshop}/files")).json()["files"]
    assert files
    for file in files:
        assert len((await piotr.get(f"/files/{file['id']}")).content) == file["sizeBytes"]


async def test_data_of_an_earlier_release_is_served_unchanged(
    release: Path, empty_database_url: Callable[[], str], tmp_path: Path
) -> None:
    url, files_url = empty_database_url(), f"file://{tmp_path}/files"
    db = open_database(url)
    await restore(db, open_blobs(files_url), release / "backup", new_id)
    await db.close()
    signed_in = json.loads((release / "credentials.json").read_text("utf-8"))
    async with running_app(url, files_url=files_url, default_plan="free") as app:
        piotr = Person(app, signed_in["email"])
        assert (await piotr.sign_in(signed_in["password"])).status_code == 200
        piotr.workshop = signed_in["workshop"]
        export = await exported_by(piotr)
        old = json.loads((release / "export.json").read_text("utf-8"))
        assert [line for line in changed(old, export) if not EXPECTED.match(line)] == []
        await use(piotr)
