"""Examples of connections to other programs."""

from collections.abc import Mapping
from typing import Any

from msgspec import structs

from backbench.connections.calendars import AddedCalendar, Calendar, CalendarsList, NewCalendar
from backbench.connections.push import NewPushSubscription, PushKey, PushSubscription, PushSubscriptionsList
from backbench.connections.tools import McpMessage, McpResponse
from backbench.connections.webhooks import (
    AddedWebhook,
    DeliveriesList,
    Delivery,
    NewWebhook,
    Replay,
    Webhook,
    WebhookEdit,
    WebhookSecret,
    WebhooksList,
)
from backbench.reference.examples.ids import (
    CALENDAR_FILE,
    CALENDAR_ID,
    CREATED_AT,
    DELIVERY_ID,
    SUBSCRIPTION_ID,
    WEBHOOK_ID,
)

_NEW = NewCalendar("Workshop", "both", "initials")
CALENDAR = Calendar(CALENDAR_ID, _NEW.name, _NEW.show, _NEW.names, CREATED_AT)
_HEARS = NewWebhook("https://n8n.example/webhook/orders", ["order.created", "order.moved"], "Our automation")
_WEBHOOK = Webhook(WEBHOOK_ID, _HEARS.url, [*_HEARS.events], True, CREATED_AT, _HEARS.description)
_SECRET = "whsec_Q2FycGVudGVycyBtZWFzdXJlIHR3aWNlIGFuZCBjdXQuLg=="  # noqa: S105 - an example
_BROWSER_KEY = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
_SERVER_KEY = "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8"
_SUBSCRIBED = NewPushSubscription(
    "https://push.example/send/JzLQ3raZJfFBR0aqvOMsLrt54w4rJUsV",
    _BROWSER_KEY,
    "BTBZMqHH6r4Tts7J_aSIgg",
    ["question", "accepted", "declined"],
)
_SUBSCRIPTION = PushSubscription(
    SUBSCRIPTION_ID, _SUBSCRIBED.kinds, False, "push.example", "Mozilla/5.0 (Android 15; Mobile)", True, CREATED_AT
)
_FOUND: dict[str, Any] = {"customers": []}
BODIES: Mapping[str, Any] = {
    "callTools": McpMessage("2.0", "tools/call", 1, {"name": "search_customers", "arguments": {"q": "Nowak"}}),
    "createCalendar": _NEW,
    "createPushSubscription": _SUBSCRIBED,
    "createWebhook": _HEARS,
    "updateWebhook": WebhookEdit(enabled=False),
    "replayWebhook": Replay(CREATED_AT),
}
RESPONSES: Mapping[str, Any] = {
    "callTools": McpResponse(
        "2.0", 1, {"content": [{"type": "text", "text": '{"customers":[]}'}], "structuredContent": _FOUND}
    ),
    "getPushKey": PushKey(_SERVER_KEY),
    "listPushSubscriptions": PushSubscriptionsList([_SUBSCRIPTION]),
    "createPushSubscription": _SUBSCRIPTION,
    "listWebhooks": WebhooksList([_WEBHOOK]),
    "createWebhook": AddedWebhook(_WEBHOOK, _SECRET),
    "getWebhook": _WEBHOOK,
    "updateWebhook": structs.replace(_WEBHOOK, enabled=False, disabled_reason="owner"),
    "rotateWebhookSecret": WebhookSecret(_SECRET),
    "listDeliveries": DeliveriesList([Delivery(DELIVERY_ID, "order.moved", 1, "delivered", 204)]),
    "listCalendars": CalendarsList([CALENDAR]),
    "createCalendar": AddedCalendar(CALENDAR, f"https://office.example/calendars/{CALENDAR_FILE}"),
}
