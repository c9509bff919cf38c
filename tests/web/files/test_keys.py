"""Idempotency-Keys of the web app: each is sent to an operation that takes one."""

import re

from backbench.routes import OPERATIONS
from tests.web.files.test_layers import MODULES

# `once("POST /workshops", …)`, and `call("POST /files", {}, { form, key })` with a key among its options.
_ONCE = re.compile(r'\bonce\(\s*"([A-Z]+ /[^"]*)"')
_WITH_KEY = re.compile(r'\b(?:call|request)\(\s*"([A-Z]+ /[^"]*)"[^;]*?,\s*\{([^{}]*\bkey\b[^{}]*)\}')


def sent_with_key() -> set[str]:
    return {found[1] for text in MODULES.values() for pattern in (_ONCE, _WITH_KEY) for found in pattern.finditer(text)}


def test_a_key_is_sent_only_to_what_takes_one() -> None:
    """The app promises with it that a command is not done twice."""
    sent = sent_with_key()
    assert {"POST /links/{linkId}/mail", "POST /webhooks/{webhookId}/rotate", "POST /files"} <= sent
    taking = {f"{each.method} {each.path}" for each in OPERATIONS if each.takes_key}
    assert sent - taking == set()
