"""Access log: one JSON line for each response, without secrets."""

import json
import re
from urllib.parse import urlsplit

import httpx

from backbench.accounts import api_keys
from backbench.connections import calendars
from backbench.http.access_log import AccessLog
from backbench.orders import order_links
from backbench.routes import OPERATIONS
from backbench.sharing import links
from tests.people import App
from tests.support.secret_log_check import LogOutput

SECRET = "Hidden0000000000000000000000000000000000000"


async def test_each_response_is_one_line_without_query_or_headers(app: App, logs: LogOutput) -> None:
    anna = await app.owner("Anna")
    program = await anna.integrator("orders:read")
    logged = AccessLog(app.backbench, app.backbench.settings.trusted_proxies)
    before = len(logs.getvalue())
    transport = httpx.ASGITransport(app=logged, client=("203.0.113.9", 1))
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8000") as client:
        path = f"/api/workshops/{anna.workshop}/orders"
        answer = await client.get(f"{path}?q=hidden", headers={"authorization": f"Bearer {program.bearer}"})
        await client.get("/healthz")
        await client.get("/" + "no-page-" * 600)
    lines = [json.loads(line) for line in logs.getvalue()[before:].splitlines()]
    requests = [line for line in lines if line["event"] == "request"]
    assert [(line["method"], line["status"]) for line in requests] == [("GET", 200), ("GET", 200), ("GET", 404)]
    first = requests[0]
    assert (first["path"], first["address"]) == (path, "203.0.113.9")
    assert (first["bytes"], first["request_id"]) == (len(answer.content), answer.headers["x-request-id"])
    assert first["seconds"] >= 0
    assert len(requests[2]["path"]) == 200
    assert "hidden" not in json.dumps(requests)
    assert str(program.bearer) not in json.dumps(requests)


async def test_no_path_that_holds_a_token_is_logged(app: App, logs: LogOutput) -> None:
    anna = await app.owner("Anna")
    made = (
        await anna.post(f"/workshops/{anna.workshop}/calendars", {"name": "Due", "show": "due", "names": "full"})
    ).json()
    feed = urlsplit(made["url"]).path
    logged = AccessLog(app.backbench, app.backbench.settings.trusted_proxies)
    before = len(logs.getvalue())
    tokens = [
        f"{prefix}{SECRET}"
        for prefix in (order_links.TOKEN_PREFIX, calendars.TOKEN_PREFIX, api_keys.PREFIX, links.TOKEN_PREFIX)
    ]
    open_paths = [operation.path for operation in OPERATIONS if operation.is_safe and operation.path_names]
    async with httpx.AsyncClient(
        transport=httpx.ASGITransport(app=logged, client=("203.0.113.9", 1)), base_url="http://127.0.0.1:8000"
    ) as client:
        assert (await client.get(feed)).status_code == 200
        for path in open_paths:
            for token in tokens:
                await client.get(f"/api{re.sub('{[A-Za-z]+}', token, path)}")
    lines = logs.getvalue()[before:]
    assert feed.split("/")[-1] not in lines
    assert SECRET not in lines
    assert json.dumps("/api/calendar-feeds/bbc_…") in lines
