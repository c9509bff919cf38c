"""Providers of language models: how one is reached, how often a workshop may ask, and how a request fails."""

from typing import Literal

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
