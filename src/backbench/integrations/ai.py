"""A language model somewhere: asked within a deadline, so many at once, and never waited for by anybody else.

What speaks to it is loaded beside the loop when it is first asked: the libraries take seconds on a small machine.
Neither questions nor answers, nor what a provider says of them, are ever logged.
"""

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator
from importlib import import_module
from typing import Protocol, TypeVar

import structlog

from backbench.domain.ai import NoAnswer, Provider, Question, Reason

log = structlog.get_logger()
Answer = TypeVar("Answer")

# Whoever finds so many waiting for each place is told at once instead of when the deadline has passed.
_QUEUE_PER_PLACE = 8
_BUSY_SECONDS = 10


class _Model(Protocol):
    """`LanguageModel`, which is not imported before it is needed."""

    async def ask(self, question: Question[Answer]) -> Answer: ...
    async def close(self) -> None: ...


class Ai:
    """Asks one model of one provider."""

    def __init__(self, provider: Provider) -> None:
        self._provider = provider
        self._places = asyncio.Semaphore(provider.at_once)
        self._waiting = 0
        self._loading: asyncio.Task[_Model] | None = None

    async def ask(self, question: Question[Answer]) -> Answer:
        """The answer as the question's check gives it. Raises NoAnswer, at the latest when the deadline has passed.

        The deadline begins when the libraries are loaded: how long that takes says nothing of the provider.
        """
        started = time.monotonic()
        try:
            model = await self._loaded()
            async with asyncio.timeout(self._provider.seconds), self._place():
                answer = await model.ask(question)
        except TimeoutError:
            raise self._told(question, NoAnswer("timeout"), started) from None
        except NoAnswer as failure:
            raise self._told(question, failure, started) from None
        log.info("language model answered", kind=question.kind, seconds=_since(started))
        return answer

    async def close(self) -> None:
        if self._loading is None:
            return
        loading, self._loading = self._loading, None
        with contextlib.suppress(ImportError):
            await (await loading).close()

    @contextlib.asynccontextmanager
    async def _place(self) -> AsyncIterator[None]:
        """One of the places for calls under way. Raises NoAnswer where too many wait already."""
        if self._waiting >= _QUEUE_PER_PLACE * self._provider.at_once:
            raise NoAnswer("busy", _BUSY_SECONDS)
        self._waiting += 1
        try:
            await self._places.acquire()
        finally:
            self._waiting -= 1
        try:
            yield
        finally:
            self._places.release()

    async def _loaded(self) -> _Model:
        if self._loading is None:
            self._loading = asyncio.create_task(asyncio.to_thread(_load, self._provider))
        try:
            # Who gives up waiting must not take the others' library away.
            return await asyncio.shield(self._loading)
        except ImportError:
            self._loading = None
            raise NoAnswer("missing") from None

    def _told(self, question: Question[Answer], failure: NoAnswer, started: float) -> NoAnswer:
        log.warning(
            "language model gave no answer",
            kind=question.kind,
            reason=failure.reason,
            fault=failure.fault,
            seconds=_since(started),
        )
        return failure


def because(reason: Reason) -> str:
    """For the people who asked."""
    return {
        "busy": "Too many questions are waiting for the language model",
        "limited": "The provider of the language model takes no more questions for now",
        "missing": "Install backbench[ai] on the server",
        "refused": "The provider of the language model refused the question",
        "timeout": "The language model did not answer in time",
        "unreachable": "The language model cannot be reached",
        "unusable": "The language model gave no answer that can be used",
    }[reason]


def _load(provider: Provider) -> _Model:
    module = import_module("backbench.integrations.language_models")
    model: _Model = module.LanguageModel(provider)
    return model


def _since(started: float) -> float:
    return round(time.monotonic() - started, 3)
