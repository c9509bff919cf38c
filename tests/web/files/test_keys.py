"""Idempotency-Keys of the web app: each is sent to an operation that takes one."""

import re

from backbench.routes import OPERATIONS
from tests.web.files.test_layers import MODULES

# `once("POST /workshops", …)`, and `call("POST /files", {}, { form, key })` with a key among its options.
_ONCE = re.compile(r'\bonce\(\s*"([A-Z]+ /[^"]*)"')
_WITH_KEY = re.compile(r'\b(?:call|request)\(\s*"([A-Z]+ /[^"]*)"[^;]*?,\s*\{([^{}]*\bkey\b[^{}]*)\}')


# What may be sent twice.
_WITHOUT = {
    "POST /invitations/{invitationId}/addresses",  # A secret is not replayed: each request makes another.
    "POST /orders/{orderId}/status-link/renew",  # The same.
    "POST /me/push-subscriptions/{subscriptionId}/test",  # Another notification that says what it is.
    "POST /me/push-subscriptions",  # That of the same browser is replaced.
    "POST /workshops/{workshopId}/inbox/read",  # What was read is read.
}
_POST = re.compile(r'"(POST /[^"]*)"')


def sent_with_key() -> set[str]:
    return {found[1] for text in MODULES.values() for pattern in (_ONCE, _WITH_KEY) for found in pattern.finditer(text)}


def test_a_key_is_sent_only_to_what_takes_one() -> None:
    """The app promises with it that a command is not done twice."""
    sent = sent_with_key()
    assert {"POST /links/{linkId}/mail", "POST /webhooks/{webhookId}/rotate", "POST /files"} <= sent
    taking = {f"{each.method} {each.path}" for each in OPERATIONS if each.takes_key}
    assert sent - taking == set()


def test_what_takes_a_key_is_sent_with_one() -> None:
    """A response that is lost is asked for again: what was done then is not there to be done once more."""
    taking = {f"{each.method} {each.path}" for each in OPERATIONS if each.takes_key}
    sent = {name for text in MODULES.values() for name in _POST.findall(text)}
    assert (sent & taking) - sent_with_key() == _WITHOUT
