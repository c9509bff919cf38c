"""Answers that are made while they are sent. Until their first piece is there, they may still become a refusal."""

from collections.abc import AsyncGenerator
from contextlib import aclosing

from backbench.http.requests import Request
from backbench.http.responses import Response


async def begun(answer: Response, pieces: AsyncGenerator[bytes, None], request: Request) -> Response:
    """The answer with its first piece at hand, before its status goes out."""
    if request.method != "HEAD":
        answer.pieces = preceded(await anext(pieces), pieces)
    return answer


async def preceded(first: bytes, rest: AsyncGenerator[bytes, None]) -> AsyncGenerator[bytes, None]:
    async with aclosing(rest):
        yield first
        async for piece in rest:
            yield piece
