"""Responses in pieces that are held until others are answered: which ones overlap does not depend on the machine."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Coroutine
from contextlib import aclosing
from itertools import islice
from types import ModuleType
from typing import Any

import httpx
import pytest


async def responses_while_held(
    held: list[tuple[ModuleType, str]], requests: list[Coroutine[Any, Any, httpx.Response]], *, answered: int
) -> list[httpx.Response]:
    """The responses, in the order of the requests.

    Those whose pieces are from a `held` function (its module and name) have none before `answered` others are complete.
    Raises TimeoutError where fewer of them can be.
    """
    others_are_complete = asyncio.Event()

    def delayed(pieces: Callable[..., AsyncGenerator[bytes, None]]) -> Callable[..., AsyncGenerator[bytes, None]]:
        async def wait_first(*arguments: Any) -> AsyncGenerator[bytes, None]:
            await others_are_complete.wait()
            async with aclosing(pieces(*arguments)) as whole:
                async for piece in whole:
                    yield piece

        return wait_first

    with pytest.MonkeyPatch.context() as patched:
        for module, name in held:
            patched.setattr(module, name, delayed(getattr(module, name)))
        sent = [asyncio.create_task(request) for request in requests]
        try:
            for complete in islice(asyncio.as_completed(sent, timeout=60), answered):
                await complete
        finally:
            others_are_complete.set()
            responses = await asyncio.gather(*sent)
    return responses
