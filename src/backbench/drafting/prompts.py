"""Prompts: instructions and material for a language model, kept apart, and a check of the response.

Material is text written by members and their clients. It is sent as one JSON object, and the instructions say that
nothing in it is an instruction. Safety does not rest on that: the check decides what may be used of a response.
"""

from collections.abc import Callable, Mapping
from typing import Any, Generic, TypeVar

import msgspec
from msgspec import Struct

from backbench.drafting.providers import Kind

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
