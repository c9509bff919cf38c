"""Workshops for the load on a cluster, made before its nodes start."""

from tests.people import App
from tests.support.cluster.load import Workplace
from tests.support.databases import running_app
from tests.support.server import session_headers


async def opened_workplaces(url: str, number: int) -> list[Workplace]:
    async with running_app(url) as app:
        return [await _opened_workplace(app) for _ in range(number)]


async def _opened_workplace(app: App) -> Workplace:
    anna = await app.owner("Anna")
    await app.put_on_pro(anna.workshop)
    estimate = await anna.estimate()
    return Workplace(session_headers(anna), anna.workshop, estimate["id"])
