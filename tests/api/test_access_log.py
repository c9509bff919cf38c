"""Access log: one JSON line for each response, without secrets."""

import json

import httpx

from backbench.api.access_log import AccessLog
from tests.people import App
from tests.support.secret_log_check import LogOutput


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
