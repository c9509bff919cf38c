"""Payment provider: the URL of a page, or Unavailable before the deadline, for every behaviour of its server."""

import asyncio
import contextlib
import json
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest

from backbench.billing.payment_provider import Payments
from backbench.values.errors import Unavailable
from tests.support.providers.servers import stream_server

Behaviour = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]
SECONDS = 1.0

# How the provider's library calls its own client; an error here would look like a provider that is down.
pytestmark = pytest.mark.filterwarnings("ignore:Use 'content=:DeprecationWarning")


def answers(status: int, body: bytes) -> Behaviour:
    async def answer(_: asyncio.StreamReader, line: asyncio.StreamWriter) -> None:
        head = f"HTTP/1.1 {status} OK\r\ncontent-type: application/json\r\ncontent-length: {len(body)}\r\n\r\n"
        line.write(head.encode() + body)

    return answer


async def hangs(asked: asyncio.StreamReader, _: asyncio.StreamWriter) -> None:
    await asked.read()


async def drips(_: asyncio.StreamReader, line: asyncio.StreamWriter) -> None:
    line.write(b"HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n")
    for _turn in range(1000):
        line.write(b" ")
        await line.drain()
        await asyncio.sleep(0.05)


async def hangs_up(_: asyncio.StreamReader, line: asyncio.StreamWriter) -> None:
    line.close()


async def sends_no_http(_: asyncio.StreamReader, line: asyncio.StreamWriter) -> None:
    line.write(b"\x00\xffnot HTTP at all\r\n\r\n")
    line.close()


class Heard:
    """A server in place of the provider: its URL, and the requests it received."""

    def __init__(self) -> None:
        self.asked: list[bytes] = []
        self.url = ""


@contextlib.asynccontextmanager
async def server(behaviour: Behaviour) -> AsyncIterator[Heard]:
    heard = Heard()

    async def meet(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        heard.asked.append(await reader.readuntil(b"\r\n\r\n"))
        await behaviour(reader, writer)

    async with stream_server(meet) as port:
        heard.url = f"http://127.0.0.1:{port}"
        yield heard


def payments(url: str, seconds: float = 60) -> Payments:
    return Payments("sk_test_x", "whsec_x", "price_x", url, seconds=seconds)


PAGE = json.dumps({"id": "cs_1", "object": "checkout.session", "url": "https://checkout.example/1"}).encode()


async def test_a_request_contains_no_telemetry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    async with server(answers(200, PAGE)) as heard:
        for _ in range(2):
            found = await payments(heard.url).checkout("workshop", None, "anna@example.com", "http://back")
            assert found == "https://checkout.example/1"
    for asked in heard.asked:
        request = asked.decode().casefold()
        assert "post /v1/checkout/sessions" in request
        assert not any(word in request for word in ("telemetry", "platform", sys.platform, "uname"))
    assert not (tmp_path / "stripe").exists()


FAILURES: dict[str, Behaviour] = {
    "silence": hangs,
    "a drip": drips,
    "hangs up": hangs_up,
    "no HTTP": sends_no_http,
    "500": answers(500, b'{"error": {"message": "no"}}'),
    "429": answers(429, b'{"error": {"message": "slowly"}}'),
    "401": answers(401, b'{"error": {"message": "who?"}}'),
    "no such price": answers(400, b'{"error": {"type": "invalid_request_error", "message": "No such price"}}'),
    "no JSON": answers(200, b"<html>"),
    "a page without address": answers(200, b'{"id": "cs_1", "object": "checkout.session"}'),
    "a list": answers(200, b"[]"),
    "a text": answers(200, b'"https://checkout.example"'),
    "null": answers(200, b"null"),
    "an address that is none": answers(200, b'{"object": "checkout.session", "url": null}'),
    "a script": answers(200, b'{"object": "checkout.session", "url": "javascript:alert(1)"}'),
}


@pytest.mark.parametrize("failure", FAILURES)
async def test_every_failure_of_the_provider_is_unavailable_in_time(failure: str) -> None:
    await asyncio.to_thread(__import__, "stripe")
    async with server(FAILURES[failure]) as heard:
        till = payments(heard.url, SECONDS)
        for page in (till.checkout("workshop", "cus_1", "", "http://back"), till.portal("cus_1", "http://back")):
            # The end of a hang, and no promise.
            async with asyncio.timeout(60):
                with pytest.raises(Unavailable) as rejection:
                    await page
            assert rejection.value.code == "unavailable"
    assert heard.asked
