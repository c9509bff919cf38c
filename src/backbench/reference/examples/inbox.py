"""Examples of the inbox."""

from collections.abc import Mapping
from typing import Any

from backbench.reference.examples.ids import COMMENT_ID, CONFIRMED_AT, DECIDED_AT, DECISION_ID, ESTIMATE_ID
from backbench.reference.examples.orders import ASKED_AT, QUESTION
from backbench.reference.examples.sharing import DECISION
from backbench.reference.examples.workshops import ORDER
from backbench.workshops.inbox import Inbox, InboxItem, InboxRead, item_id

INBOX = Inbox(
    [
        InboxItem(
            id=item_id("question", COMMENT_ID),
            kind="question",
            at=ASKED_AT,
            title=ORDER.title,
            name=QUESTION.name,
            text=QUESTION.text,
            order_id=ORDER.id,
        ),
        InboxItem(
            id=item_id("accepted", DECISION_ID),
            kind="accepted",
            at=DECIDED_AT,
            read=True,
            title=ORDER.title,
            name=DECISION.name,
            estimate_id=ESTIMATE_ID,
        ),
        InboxItem(
            id=item_id("unsent", ESTIMATE_ID, "2"),
            kind="unsent",
            at=CONFIRMED_AT,
            title=ORDER.title,
            name=DECISION.name,
            estimate_id=ESTIMATE_ID,
        ),
    ],
    2,
)
BODIES: Mapping[str, Any] = {"markInboxRead": InboxRead([item.id for item in INBOX.items if not item.read])}
RESPONSES: Mapping[str, Any] = {"getInbox": INBOX}
