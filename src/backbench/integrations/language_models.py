"""The protocols of language models, through pydantic-ai. Imported by `ai.py` when a model is first asked."""

import logging
import math
from collections.abc import AsyncIterator
from typing import Any, TypeVar

import httpx2
import msgspec
from pydantic_ai import Agent, ModelRetry, NativeOutput, PromptedOutput, StructuredDict
from pydantic_ai.exceptions import (
    ModelAPIError,
    ModelConnectionError,
    ModelHTTPError,
    ModelRateLimitError,
)
from pydantic_ai.models import Model
from pydantic_ai.settings import ModelSettings
from pydantic_ai.usage import UsageLimits

from backbench.domain.ai import NoAnswer, Provider, Question, Unfit, as_data

Answer = TypeVar("Answer")

# One question may take so many exchanges: an answer that is not fit is sent back with what is wrong with it.
_EXCHANGES = 3
_MOST_FAULTS = 20
_MOST_TOKENS = 4000
_MOST_BYTES = 512 * 1024
_LONGEST_WAIT = 3600
_OPENAI = "https://api.openai.com/v1"
# A server of one's own needs none; without one the libraries would look for another program's.
_NO_KEY = "none"
_ANTHROPIC = "https://api.anthropic.com"


class LanguageModel:
    """One model of one provider, with its connections."""

    def __init__(self, provider: Provider) -> None:
        # Compressed answers are not asked for: what comes is what is counted.
        self._http = httpx2.AsyncClient(
            timeout=provider.seconds,
            headers={"accept-encoding": "identity"},
            event_hooks={"response": [_bound]},
        )
        is_openai = provider.kind == "openai"
        self._model = _openai(provider, self._http) if is_openai else _anthropic(provider, self._http)
        # An older model of a provider that knows schemas is asked in plain words.
        knows_schemas = self._model.profile.get("supports_json_schema_output", False)
        self._is_held_to_schema = provider.output == "schema" and knows_schemas
        # Told to log more, the libraries log whole questions.
        for library in ("anthropic", "openai", "httpcore", "httpcore2", "httpx", "httpx2", "pydantic_ai"):
            logging.getLogger(library).setLevel(logging.WARNING)

    async def ask(self, question: Question[Answer]) -> Answer:
        """The checked answer. Raises NoAnswer, and names no more of what went wrong than its kind."""
        fit: list[Answer] = []
        shape = StructuredDict(msgspec.json.schema(question.answer), name=question.answer.__name__)
        agent = Agent(
            self._model,
            output_type=NativeOutput(shape) if self._is_held_to_schema else PromptedOutput(shape),
            instructions=question.instructions,
            retries={"output": _EXCHANGES - 1},
            # The client's own retries would spend what nobody has counted.
            model_settings=ModelSettings(max_tokens=_MOST_TOKENS, max_retries=0, framing_announcement="never"),
        )

        @agent.output_validator
        def accept(given: dict[str, Any]) -> dict[str, Any]:
            fit[:] = [_checked(question, given)]
            return given

        try:
            await agent.run(as_data(question.material), usage_limits=UsageLimits(request_limit=_EXCHANGES))
        except Exception as error:  # noqa: BLE001 - a stranger's answer may make the libraries raise anything
            # Not chained: what they say may quote the question.
            raise _failure(error) from None
        return fit[0]

    async def close(self) -> None:
        await self._http.aclose()


def _openai(provider: Provider, http: httpx2.AsyncClient) -> Model:
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.profiles.openai import OpenAIModelProfile
    from pydantic_ai.providers.openai import OpenAIProvider
    from pydantic_ai.providers.openai_compatible import OpenAICompatibleProvider

    if not provider.url:
        own = OpenAIProvider(base_url=_OPENAI, api_key=provider.key, http_client=http)
        return OpenAIChatModel(provider.model, provider=own)
    profile = OpenAIModelProfile(
        # The older name is understood by every server that speaks the protocol.
        openai_chat_supports_max_completion_tokens=False,
        supports_json_object_output=provider.output != "text",
        supports_json_schema_output=True,
    )
    other = OpenAICompatibleProvider(
        "openai-compatible", base_url=provider.url, api_key=provider.key or _NO_KEY, http_client=http, profile=profile
    )
    return OpenAIChatModel(provider.model, provider=other)


def _anthropic(provider: Provider, http: httpx2.AsyncClient) -> Model:
    from pydantic_ai.models.anthropic import AnthropicModel
    from pydantic_ai.providers.anthropic import AnthropicProvider

    key, url = provider.key or _NO_KEY, provider.url or _ANTHROPIC
    own = AnthropicProvider(api_key=key, base_url=url, http_client=http)
    return AnthropicModel(provider.model, provider=own)


def _checked(question: Question[Answer], given: dict[str, Any]) -> Answer:
    try:
        return question.check(msgspec.convert(given, question.answer))
    except msgspec.ValidationError as error:
        raise ModelRetry(str(error)) from None
    except Unfit as unfit:
        raise ModelRetry("\n".join(unfit.faults[:_MOST_FAULTS])) from None


def _failure(error: Exception) -> NoAnswer:
    fault = type(error).__name__
    if isinstance(error, ModelHTTPError):
        fault = f"{fault} {error.status_code}"
    if isinstance(error, ModelRateLimitError):
        return NoAnswer("limited", _wait(error.retry_after), fault)
    if isinstance(error, ModelConnectionError):
        return NoAnswer("unreachable", None, fault)
    if isinstance(error, ModelAPIError):
        return NoAnswer("refused", _wait(error.retry_after), fault)
    return NoAnswer("unusable", None, fault)


def _wait(seconds: float | None) -> int | None:
    """What the provider asked for, within reason."""
    if seconds is None or not 0 < seconds <= _LONGEST_WAIT:
        return None
    return math.ceil(seconds)


class _Bounded(httpx2.AsyncByteStream):
    """A body that breaks off where no answer is that long."""

    def __init__(self, body: httpx2.AsyncByteStream) -> None:
        self._body = body

    async def __aiter__(self) -> AsyncIterator[bytes]:
        size = 0
        async for piece in self._body:
            size += len(piece)
            if size > _MOST_BYTES:
                raise httpx2.DecodingError("longer than any answer")
            yield piece

    async def aclose(self) -> None:
        await self._body.aclose()


async def _bound(response: httpx2.Response) -> None:
    if response.headers.get("content-encoding", "identity") != "identity":
        raise httpx2.DecodingError("compressed, though nobody asked for that")
    assert isinstance(response.stream, httpx2.AsyncByteStream)
    response.stream = _Bounded(response.stream)
