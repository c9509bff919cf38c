"""AI client: sends prompts to a language model, with a deadline, a concurrency limit and a bounded queue.

The libraries take seconds to load on a small machine, so they are loaded in a thread by the first prompt. Prompts,
responses and error messages of the provider are never logged.
"""

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator
from importlib import import_module
from typing import Protocol, TypeVar

from backbench.integrations.prompts import ModelError, Prompt, Provider, Reason
from backbench.logs import log

Response = TypeVar("Response")

# Beyond this, a prompt fails at once instead of at its deadline.
_QUEUED_PER_SLOT = 8
_BUSY_RETRY_SECONDS = 10


class _Model(Protocol):
    """The interface of `LanguageModel`, which is imported on first use only."""

    async def respond(self, prompt: Prompt[Response]) -> Response: ...
    async def close(self) -> None: ...


class AiClient:
    """Client of one language model."""

    def __init__(self, provider: Provider) -> None:
        self._provider = provider
        self._slots = asyncio.Semaphore(provider.at_once)
        self._queued = 0
        self._loading: asyncio.Task[_Model] | None = None

    async def respond(self, prompt: Prompt[Response]) -> Response:
        """The response, as the prompt's check returns it. Raises ModelError, at the latest at the deadline.

        The deadline starts when the libraries are loaded, because loading time does not depend on the provider.
        """
        started = time.monotonic()
        try:
            model = await self.load()
            async with asyncio.timeout(self._provider.seconds), self._slot():
                response = await model.respond(prompt)
        except TimeoutError:
            raise self._logged(prompt, ModelError("timeout"), started) from None
        except ModelError as error:
            raise self._logged(prompt, error, started) from None
        log.info("language model responded", kind=prompt.kind, seconds=_seconds_since(started))
        return response

    async def load(self) -> _Model:
        """Loads the libraries, once. Raises ModelError if they are not installed."""
        # What failed once, as for want of file descriptors, is tried again.
        if self._loading is None or (self._loading.done() and self._loading.exception() is not None):
            self._loading = asyncio.create_task(asyncio.to_thread(_load, self._provider))
        try:
            # Shielded: a caller that is cancelled must not cancel the loading for the others.
            return await asyncio.shield(self._loading)
        except ImportError:
            raise ModelError("missing") from None

    async def close(self) -> None:
        if self._loading is None:
            return
        loading, self._loading = self._loading, None
        await asyncio.wait([loading])
        # Its error was raised to those who asked for it.
        if loading.exception() is None:
            await loading.result().close()

    @contextlib.asynccontextmanager
    async def _slot(self) -> AsyncIterator[None]:
        """One of the concurrent slots. Raises ModelError if too many prompts are queued."""
        if self._queued >= _QUEUED_PER_SLOT * self._provider.at_once:
            raise ModelError("busy", _BUSY_RETRY_SECONDS)
        self._queued += 1
        try:
            await self._slots.acquire()
        finally:
            self._queued -= 1
        try:
            yield
        finally:
            self._slots.release()

    def _logged(self, prompt: Prompt[Response], error: ModelError, started: float) -> ModelError:
        log.warning(
            "language model failed",
            kind=prompt.kind,
            reason=error.reason,
            error_type=error.error_type,
            seconds=_seconds_since(started),
        )
        return error


def error_detail(reason: Reason) -> str:
    """The reason as the detail of an error response."""
    return {
        "busy": "Too many requests are waiting for the language model",
        "limited": "The provider of the language model accepts no more requests for now",
        "missing": "The packages of the extra 'ai' are not installed on the server",
        "refused": "The provider of the language model refused the request",
        "timeout": "The language model did not respond in time",
        "unreachable": "The language model cannot be reached",
        "unusable": "The language model gave no response that can be used",
    }[reason]


def _load(provider: Provider) -> _Model:
    module = import_module("backbench.integrations.language_models")
    model: _Model = module.LanguageModel(provider)
    return model


def _seconds_since(started: float) -> float:
    return round(time.monotonic() - started, 3)
