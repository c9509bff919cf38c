"""Providers of language models: how one is reached, how often a workshop may ask, and how a request fails."""

from collections.abc import Callable, Mapping
from typing import Any, Generic, Literal, TypeVar

import msgspec
from msgspec import Struct

from backbench.values.limits import Limit

Kind = Literal["context_synthesis", "message_draft"]
Reason = Literal["busy", "limited", "missing", "refused", "timeout", "unreachable", "unusable"]


class Provider(Struct, frozen=True):
    """A language model and its address. `url` is "" for the provider's own address.

    output: how the shape of a response is requested: as a JSON object, by a JSON schema, or in plain words only.
    seconds: the deadline of one prompt, including all of its exchanges.
    at_once: the concurrency limit of each worker.
    """

    kind: Literal["openai", "anthropic"]
    model: str
    url: str = ""
    key: str = ""
    output: Literal["json", "schema", "text"] = "json"
    seconds: float = 30
    at_once: int = 4


class AiLimits(Struct, frozen=True):
    """Limits of the attempts of one workshop."""

    synthesis: Limit = Limit(5, 3600)
    drafts: Limit = Limit(20, 3600)


class ModelError(Exception):
    """The language model gave no usable response.

    `retry_after` is the wait in seconds that the provider asked for; `error_type` names the cause, for the log.
    """

    def __init__(self, reason: Reason, retry_after: int | None = None, error_type: str = "") -> None:
        super().__init__(reason)
        self.reason: Reason = reason
        self.retry_after = retry_after
        self.error_type = error_type


Response = TypeVar("Response")


class InvalidResponse(Exception):
    """The response may not be used. `problems` are sentences for the model, which may try again."""

    def __init__(self, problems: list[str]) -> None:
        super().__init__(problems)
        self.problems = problems


class Prompt(Struct, Generic[Response], frozen=True):
    """`check` returns the response as it may be used, or raises InvalidResponse."""

    kind: Kind
    instructions: str
    material: Mapping[str, Any]
    response_type: type[Response]
    check: Callable[[Response], Response]


def material_as_json(material: Mapping[str, Any]) -> str:
    """The material on one line, as a JSON object without line breaks, code fences or tags that could seem to end it."""
    text = msgspec.json.encode(material).decode()
    for character in "<>`\u2028\u2029\u0085":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return f"The material, one JSON object on one line:\n{text}"
