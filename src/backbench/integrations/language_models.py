"""Language models of OpenAI-compatible and Anthropic providers, through pydantic-ai. Imported by `ai` on first use."""

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

from backbench.integrations.prompts import InvalidResponse, ModelError, Prompt, Provider, material_as_json

Response = TypeVar("Response")

# Exchanges per prompt: an invalid response is sent back with its problems.
_EXCHANGES = 3
_MOST_PROBLEMS = 20
_MOST_TOKENS = 4000
_MOST_BYTES = 512 * 1024
_LONGEST_RETRY_SECONDS = 3600
_OPENAI = "https://api.openai.com/v1"
# A local server needs no key. Without one the libraries would read a key meant for other programs from the environment.
_NO_KEY = "none"
_ANTHROPIC = "https://api.anthropic.com"


class LanguageModel:
    """A language model and its HTTP connections."""

    def __init__(self, provider: Provider) -> None:
        # Compressed responses are refused, so that the limit on bytes received is a limit on bytes held.
        self._http = httpx2.AsyncClient(
            timeout=provider.seconds,
            headers={"accept-encoding": "identity"},
            event_hooks={"response": [_limit_size]},
        )
        is_openai = provider.kind == "openai"
        self._model = _openai(provider, self._http) if is_openai else _anthropic(provider, self._http)
        # Older models of a provider that supports schemas may not support them.
        supports_schemas = self._model.profile.get("supports_json_schema_output", False)
        self._uses_schema = provider.output == "schema" and supports_schemas
        # At lower levels the libraries log whole prompts.
        for library in ("anthropic", "openai", "httpcore", "httpcore2", "httpx", "httpx2", "pydantic_ai"):
            logging.getLogger(library).setLevel(logging.WARNING)

    async def respond(self, prompt: Prompt[Response]) -> Response:
        """The checked response. Raises ModelError, which holds the type of the cause and nothing of its text."""
        checked: list[Response] = []
        shape = StructuredDict(msgspec.json.schema(prompt.response_type), name=prompt.response_type.__name__)
        agent = Agent(
            self._model,
            output_type=NativeOutput(shape) if self._uses_schema else PromptedOutput(shape),
            instructions=prompt.instructions,
            retries={"output": _EXCHANGES - 1},
            # Retries by the library would be attempts that are not counted.
            model_settings=ModelSettings(max_tokens=_MOST_TOKENS, max_retries=0, framing_announcement="never"),
        )

        # Asynchronous: others are called in threads, and msgspec crashes where two of them are the first to use a type.
        @agent.output_validator
        async def check(response: dict[str, Any]) -> dict[str, Any]:
            checked[:] = [_checked(prompt, response)]
            return response

        try:
            await agent.run(material_as_json(prompt.material), usage_limits=UsageLimits(request_limit=_EXCHANGES))
        except Exception as error:  # noqa: BLE001 - an unexpected response may make the libraries raise anything
            # Not chained: the message of the cause may quote the prompt.
            raise _model_error(error) from None
        return checked[0]

    async def close(self) -> None:
        await self._http.aclose()


def _openai(provider: Provider, http: httpx2.AsyncClient) -> Model:
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.profiles.openai import OpenAIModelProfile
    from pydantic_ai.providers.openai import OpenAIProvider
    from pydantic_ai.providers.openai_compatible import OpenAICompatibleProvider

    if not provider.url:
        openai = OpenAIProvider(base_url=_OPENAI, api_key=provider.key, http_client=http)
        return OpenAIChatModel(provider.model, provider=openai)
    profile = OpenAIModelProfile(
        # The older parameter, max_tokens, is supported by every compatible server.
        openai_chat_supports_max_completion_tokens=False,
        supports_json_object_output=provider.output != "text",
        supports_json_schema_output=True,
    )
    compatible = OpenAICompatibleProvider(
        "openai-compatible", base_url=provider.url, api_key=provider.key or _NO_KEY, http_client=http, profile=profile
    )
    return OpenAIChatModel(provider.model, provider=compatible)


def _anthropic(provider: Provider, http: httpx2.AsyncClient) -> Model:
    from pydantic_ai.models.anthropic import AnthropicModel
    from pydantic_ai.providers.anthropic import AnthropicProvider

    key, url = provider.key or _NO_KEY, provider.url or _ANTHROPIC
    anthropic = AnthropicProvider(api_key=key, base_url=url, http_client=http)
    return AnthropicModel(provider.model, provider=anthropic)


def _checked(prompt: Prompt[Response], response: dict[str, Any]) -> Response:
    try:
        return prompt.check(msgspec.convert(response, prompt.response_type))
    except msgspec.ValidationError as error:
        raise ModelRetry(str(error)) from None
    except InvalidResponse as invalid:
        raise ModelRetry("\n".join(invalid.problems[:_MOST_PROBLEMS])) from None


def _model_error(error: Exception) -> ModelError:
    error_type = type(error).__name__
    if isinstance(error, ModelHTTPError):
        error_type = f"{error_type} {error.status_code}"
    if isinstance(error, ModelRateLimitError):
        return ModelError("limited", _retry_after(error.retry_after), error_type)
    if isinstance(error, ModelConnectionError):
        return ModelError("unreachable", None, error_type)
    if isinstance(error, ModelAPIError):
        return ModelError("refused", _retry_after(error.retry_after), error_type)
    return ModelError("unusable", None, error_type)


def _retry_after(seconds: float | None) -> int | None:
    """The wait that the provider asked for, if it is between a second and an hour."""
    if seconds is None or not 0 < seconds <= _LONGEST_RETRY_SECONDS:
        return None
    return math.ceil(seconds)


class _LimitedStream(httpx2.AsyncByteStream):
    """A response body that raises DecodingError beyond the maximum size."""

    def __init__(self, body: httpx2.AsyncByteStream) -> None:
        self._body = body

    async def __aiter__(self) -> AsyncIterator[bytes]:
        size = 0
        async for chunk in self._body:
            size += len(chunk)
            if size > _MOST_BYTES:
                raise httpx2.DecodingError("response body too long")
            yield chunk

    async def aclose(self) -> None:
        await self._body.aclose()


async def _limit_size(response: httpx2.Response) -> None:
    if response.headers.get("content-encoding", "identity") != "identity":
        raise httpx2.DecodingError("unrequested compression")
    assert isinstance(response.stream, httpx2.AsyncByteStream)
    response.stream = _LimitedStream(response.stream)
