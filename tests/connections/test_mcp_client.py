"""Tools of agents through the official client of the protocol, in both of its ways to begin."""

import httpx2
import pytest

from tests.people import App


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_the_official_client_lists_and_calls_tools(app: App, mode: str) -> None:
    # Half a second, which no process should take that runs other tests.
    from mcp import Client
    from mcp.client.streamable_http import streamable_http_client

    anna = await app.owner()
    await anna.order(title="Ring")
    program = await anna.integrator("orders:read", "orders:write")
    sent: list[httpx2.Response] = []

    async def remember(response: httpx2.Response) -> None:
        sent.append(response)

    transport = httpx2.ASGITransport(app=app.backbench)
    authorization = {"authorization": f"Bearer {program.bearer}"}
    async with httpx2.AsyncClient(
        transport=transport, headers=authorization, event_hooks={"response": [remember]}
    ) as http:
        server = streamable_http_client("http://127.0.0.1:8000/api/mcp", http_client=http)
        async with Client(server, mode=mode) as client:
            names = [tool.name for tool in (await client.list_tools()).tools]
            assert {"search_orders", "create_order"} <= set(names)
            made = await client.call_tool("create_order", {"title": "Chair"})
            assert not made.is_error
            found = await client.call_tool("search_orders", {"q": "chair"})
            assert found.structured_content is not None
            assert [each["title"] for each in found.structured_content["summaries"]] == ["Chair"]
            refused = await client.call_tool("get_order", {"orderId": "unknown"})
            assert refused.is_error
    assert {response.status_code for response in sent} <= {200, 202, 405}
