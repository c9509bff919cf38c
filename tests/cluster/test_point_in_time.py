"""Recovery to a point in time with pgBackRest: a workshop that was deleted by mistake is there again, files included.

On PostgreSQL under Patroni. The number of orders is POINT_IN_TIME_ORDERS.
"""

import asyncio
import os
import time
from pathlib import Path

import httpx
import pytest

from backbench.engine.urls import open_database
from backbench.integrations.blobs import open_blobs
from backbench.jobs.sweep import SweepJob
from backbench.values import times
from tests.support import image_files
from tests.support.cluster.figures import report
from tests.support.cluster.loaded_nodes import DATABASE
from tests.support.patroni.installation import BEHIND_HAPROXY, Installation, running_installation
from tests.support.patroni.point_in_time import PointInTime, configure, require_pgbackrest
from tests.support.uploads import FORM_TYPE, form

pytestmark = pytest.mark.prove

ORDERS = int(os.environ.get("POINT_IN_TIME_ORDERS", "20000"))
# Of the workshop that is deleted; all others are of another one.
DELETED = 20_000
# As in the guide.
FILE_DAYS = "21"
# Rows as a busy workshop has them, without the trigger's recount for each.
_FILL = """
    SET session_replication_role = replica;
    INSERT INTO orders (workshop_id, created_at, id, title, customer_name, notes, status, last_activity_at,
        status_history, title_folded, customer_folded)
    SELECT CASE WHEN n <= {deleted} THEN '{workshop}' ELSE '{other}' END,
        '2026-01-01T00:00:00.000Z', 'order-' || n, 'Oak table ' || n, 'Łucja',
        repeat('ash, oiled ', 10), 'todo', '2026-01-01T00:00:00.000Z',
        '[{{"status":"todo","at":"2026-01-01T00:00:00.000Z"}}]', 'oak table ' || n, 'lucja'
    FROM generate_series(1, {orders}) n
"""


class Owner:
    """The owner of the workshop that is deleted."""

    def __init__(self, installation: Installation) -> None:
        self._installation = installation
        place = installation.workplaces[0]
        self.workshop = place.workshop
        self._headers = place.headers

    async def send(self, method: str, path: str, content: bytes | None = None, **headers: str) -> httpx.Response:
        async with httpx.AsyncClient(timeout=120, trust_env=False) as client:
            url = f"{self._installation.url()}/api{path}"
            return await client.request(method, url, content=content, headers={**self._headers, **headers})

    async def upload(self, content: bytes) -> str:
        body = form(("category", "grid_tile_icon"), ("workshopId", self.workshop), ("file", ("icon.png", content)))
        answer = await self.send("POST", "/files", body, **{"content-type": FORM_TYPE})
        assert answer.status_code == 201, answer.text
        return str(answer.json()["id"])


async def test_a_deleted_workshop_is_there_again_with_its_files(tmp_path: Path) -> None:
    require_pgbackrest()
    files = f"file://{tmp_path}/files"
    settings = {"BACKBENCH_FILES_URL": files, "BACKBENCH_DELETED_FILES_DAYS": FILE_DAYS}
    async with running_installation(BEHIND_HAPROXY, configure, **settings) as installation:
        owner, recovery = Owner(installation), PointInTime(installation.database)
        await asyncio.to_thread(recovery.create_stanza)
        other = installation.workplaces[1].workshop
        fill = _FILL.format(workshop=owner.workshop, other=other, deleted=DELETED, orders=ORDERS)
        await asyncio.to_thread(lambda: installation.database.primary.run(fill, DATABASE))
        backed_up = await asyncio.to_thread(recovery.back_up)
        async with installation.load.at_work():
            await installation.load.acknowledgments(100)
        keys = list(installation.load.journal.replayable)
        await check(installation)
        icon = await owner.upload(image_files.png())
        orders = count_orders(installation, owner)
        # A second and a bit of nothing, so that the moment before the deletion is after all that was acknowledged.
        await asyncio.sleep(2)
        target, cursor = await delete_by_mistake(installation, owner)
        assert count_orders(installation, owner) == "0"
        # What others do afterwards is lost with the deletion.
        json = {"content-type": "application/json"}
        assert (await owner.send("POST", "/workshops", b'{"name": "Ash"}', **json)).status_code == 201
        await sweep(files)
        restored = await restore(installation, recovery, target)
        installation.load.journal.replayable = keys
        await check(installation)
        assert count_orders(installation, owner) == orders
        assert int(installation.database.primary.run("SELECT count(*) FROM orders", DATABASE)) >= ORDERS
        assert (await owner.send("GET", f"/files/{icon}")).content == image_files.png()
        assert [each["name"] for each in (await owner.send("GET", "/workshops")).json()["workshops"]] != ["Ash"]
        changes = await owner.send("GET", f"/workshops/{owner.workshop}/changes?since={cursor}")
        assert (changes.status_code, changes.json()["reset"]) == (200, False)
        async with installation.load.at_work():
            await installation.load.acknowledgments(50)
        await check(installation)
        await asyncio.to_thread(recovery.back_up)
        size = installation.database.primary.run(f"SELECT pg_size_pretty(pg_database_size('{DATABASE}'))")
        busy = " ".join(f"{each:.0f}" for each in os.getloadavg())
        report(
            f"point in time: {ORDERS:,} orders, {size}: backup {backed_up:.0f} s, "
            f"restore until there is a primary {restored[0]:.0f} s, "
            f"until nodes serve and there are two standbys {restored[1]:.0f} s; load {busy}"
        )


async def check(installation: Installation) -> None:
    """Everything acknowledged is there, and repeated keys get the first response. Orders that were filled in have no
    entries in the log, so its rules are not checked here."""
    assert await installation.load.check_replays() > 0
    assert await installation.lost() == []


def count_orders(installation: Installation, owner: Owner) -> str:
    sql = f"SELECT count(*) FROM orders WHERE workshop_id = '{owner.workshop}'"
    return installation.database.primary.run(sql, DATABASE)


async def delete_by_mistake(installation: Installation, owner: Owner) -> tuple[str, str]:
    """Returns the moment a second before the deletion, as the server writes it, and the cursor of a client."""
    cursor = (await owner.send("GET", f"/workshops/{owner.workshop}/changes")).json()["cursor"]
    target = installation.database.primary.run("SELECT clock_timestamp() - interval '1 s'")
    answer = await owner.send("DELETE", f"/workshops/{owner.workshop}")
    assert answer.status_code == 204, answer.text
    return target, cursor


async def sweep(files_url: str) -> None:
    """As a node does within ten minutes."""
    db = open_database(BEHIND_HAPROXY)
    try:
        await SweepJob(db, open_blobs(files_url), times.now, blob_days=int(FILE_DAYS)).sweep()
    finally:
        await db.close()


async def restore(installation: Installation, recovery: PointInTime, target: str) -> tuple[float, float]:
    """Seconds until there is a primary, and until everything is as before."""
    began = time.monotonic()
    for node in installation.nodes:
        await asyncio.to_thread(node.stop)
    await asyncio.to_thread(recovery.stop)
    first = await asyncio.to_thread(recovery.restore, target)
    for node in installation.nodes:
        await asyncio.to_thread(node.start)
    return first, time.monotonic() - began
