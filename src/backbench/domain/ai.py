"""Questions to a language model: our rules and a workshop's material, kept apart, and a check of what comes back.

Material is what members and their clients have written. It travels as one JSON object that the rules call material;
whatever it says, the check decides what of an answer may be used.
"""

from collections.abc import Callable, Mapping
from typing import Any, Generic, Literal, TypeVar

import msgspec
from msgspec import Struct

from backbench.domain.values.limits import Limit

Answer = TypeVar("Answer")
Kind = Literal["context_synthesis", "message_draft"]
Reason = Literal["busy", "limited", "missing", "refused", "timeout", "unreachable", "unusable"]


class Unfit(Exception):
    """The answer may not be used; `faults` say why, in words that the model can act on."""

    def __init__(self, faults: list[str]) -> None:
        super().__init__(faults)
        self.faults = faults


class NoAnswer(Exception):
    """The model has said nothing that may be used.

    `wait` are the seconds that its provider asked for; `fault` is the kind of what went wrong, for the log.
    """

    def __init__(self, reason: Reason, wait: int | None = None, fault: str = "") -> None:
        super().__init__(reason)
        self.reason: Reason = reason
        self.wait = wait
        self.fault = fault


class Provider(Struct, frozen=True):
    """Where the model is and how it is asked. `url` is "" for the provider's own address.

    output: how the answer's shape is asked for: a JSON object, one held to its schema by the server, or plain words.
    seconds: the deadline of one question, with every exchange that it takes.
    """

    kind: Literal["openai", "anthropic"]
    model: str
    url: str = ""
    key: str = ""
    output: Literal["json", "schema", "text"] = "json"
    seconds: float = 30
    at_once: int = 4


class Question(Struct, Generic[Answer], frozen=True):
    """`check` gives the answer as it may be used, or raises Unfit."""

    kind: Kind
    instructions: str
    material: Mapping[str, Any]
    answer: type[Answer]
    check: Callable[[Answer], Answer]


class AiLimits(Struct, frozen=True):
    """Attempts of one workshop."""

    synthesis: Limit = Limit(5, 3600)
    drafts: Limit = Limit(20, 3600)


def as_data(material: Mapping[str, Any]) -> str:
    """The material as a JSON object that nothing inside it can end: no line, fence or tag of its own."""
    text = msgspec.json.encode(material).decode()
    for character in "<>`\u2028\u2029\u0085":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return f"The material, one JSON object on one line:\n{text}"
