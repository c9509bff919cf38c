"""The logs: JSON lines that tell who was refused, and never a secret."""

import json

from tests.canaries import Lines
from tests.people import PASSWORD, Shop


async def test_a_refusal_is_noted_with_the_address_and_nothing_that_was_sent(shop: Shop, logs: Lines) -> None:
    eve = shop.visitor("203.0.113.9")
    before = len(logs.getvalue())
    await eve.sign_in("the wrong password")
    line = json.loads(logs.getvalue()[before:].splitlines()[-1])
    assert (line["event"], line["status"], line["address"]) == ("refused", 401, "203.0.113.9")
    assert eve.email not in json.dumps(line)


async def test_the_watch_over_the_logs_bites(shop: Shop, logs: Lines) -> None:
    """Seen to fail: a line with a secret is found."""
    there = len(logs.getvalue())
    logs.write(json.dumps({"event": "careless", "password": PASSWORD}) + "\n")
    assert len(logs.found()) == 1
    logs.seek(there)
    logs.truncate()
    assert logs.found() == []
