"""Examples of order details, summaries, status links, questions and notices."""

from collections.abc import Mapping
from typing import Any

from msgspec import UNSET, structs

from backbench.orders.balances import AmountDue
from backbench.orders.client_orders import ClientItem, ClientOrder, ClientPrice, ClientWorkshop
from backbench.orders.intake_words import IntakeWords, catalog_words
from backbench.orders.order_details import NewCollection, OrderDetails, OrderDetailsEdit, OrderItem
from backbench.orders.order_links import StatusLink, page_url
from backbench.orders.order_messages import NewOrderMessage, OrderMessageFacts, order_message
from backbench.orders.order_notices import NewNotice, Notice, NoticesList
from backbench.orders.order_questions import NewOrderAnswer, NewQuestion, OrderQuestion, OrderQuestionsList
from backbench.orders.order_signatures import NewOrderSignature, OrderSignature
from backbench.orders.order_summaries import AgreedPrice, OrderCounts, OrderSummariesList, OrderSummary
from backbench.orders.photos import ClientPhoto, Photo, PhotoEdit, PhotosList, PhotosOrder
from backbench.reference.examples.ids import (
    ANNA_UID,
    ANSWER_ID,
    COMMENT_ID,
    ESTIMATE_ID,
    HANDOFF_ID,
    JAN_UID,
    MOVED_AT,
    ORDER_ID,
    OTHER_PHOTO_ID,
    PHOTO_ID,
)
from backbench.reference.examples.payments import REQUEST
from backbench.reference.examples.workshops import ORDER, WORKSHOP
from backbench.values.numbers import Number

ITEM = OrderItem("Dining table, to be sanded and oiled", "Two deep scratches, one leg loose", "OT-2019-17", 1)
DETAILS = OrderDetails(
    order_id=ORDER_ID,
    number=214,
    stage="in_progress",
    phone="+353 85 123 4567",
    item=ITEM,
    due_on="2026-12-04",
    due_time="16:00",
    price_limit=Number(1800),
    place="bay 2",
    assigned_to=JAN_UID,
    estimate_id=ESTIMATE_ID,
)
DONE_AT, COLLECTED_AT, ASKED_AT = "2026-12-03T15:10:00.250Z", "2026-12-04T15:55:12.004Z", "2026-12-01T18:02:45.771Z"
READY = structs.replace(DETAILS, stage="ready", ready_at=DONE_AT)
COLLECTED = structs.replace(READY, stage="collected", collected_at=COLLECTED_AT, collected_by="Aoife Gallagher")
SUMMARY = OrderSummary(
    **structs.asdict(structs.replace(DETAILS, item=OrderItem(ITEM.description, UNSET, UNSET, ITEM.pieces))),
    title=ORDER.title,
    customer_name=ORDER.customer_name,
    status=ORDER.status,
    last_activity_at=ORDER.last_activity_at,
    photos=2,
    cover_photo_id=PHOTO_ID,
    agreed=AgreedPrice(ESTIMATE_ID, 1, "EUR", Number("1611.3"), True),
    due=AmountDue("EUR", Number("1127.91")),
)
STATUS_TOKEN = "bbo_e1QH1xbTO1GmcMlSzbQIWr8okCqb0Vtj2f41EJCb6062HR2fJ"  # noqa: S105 - an example
PAGE = page_url("https://backbench.example", STATUS_TOKEN)
QUESTION = OrderQuestion(COMMENT_ID, "customer", "Siobhán", "Will it be dry by Friday?", ASKED_AT)
REPLY = OrderQuestion(ANSWER_ID, "member", WORKSHOP.name, "Yes, the oil needs two days.", DONE_AT)
STROKES = [[[Number("12.5"), Number(40)], [Number(20), Number("18.2")], [Number(31), Number(44)]]]
SIGNATURE = OrderSignature(ORDER_ID, STROKES, "Aoife Gallagher", MOVED_AT)
NOTICE = Notice(HANDOFF_ID, "ready", "message-shared", DONE_AT, ANNA_UID)
PHOTO = Photo(
    id=PHOTO_ID,
    order_id=ORDER_ID,
    kind="before",
    shared=True,
    taken_at="2026-11-20T09:12:00.000Z",
    width=2048,
    height=1536,
    size_bytes=412_380,
    created_at="2026-11-20T09:12:31.204Z",
    created_by_uid=JAN_UID,
    caption="The loose leg",
)
OTHER_PHOTO = structs.replace(PHOTO, id=OTHER_PHOTO_ID, kind="detail", shared=False, caption=UNSET)
CLIENT_ORDER = ClientOrder(
    workshop=ClientWorkshop(
        name=WORKSHOP.name,
        tagline=WORKSHOP.tagline,
        logo=WORKSHOP.logo,
        background=WORKSHOP.background,
        title_font=WORKSHOP.title_font,
        accent_color="#8A4B21",
        phone="+353 1 555 0101",
        opening_hours="Mon–Fri 9–17",
    ),
    number=DETAILS.number,
    title=ORDER.title,
    stage="in_progress",
    since=MOVED_AT,
    photos=[ClientPhoto(PHOTO_ID, PHOTO.kind, PHOTO.taken_at, PHOTO.caption)],
    questions=[QUESTION],
    item=ClientItem(ITEM.description, 1),
    due_on=DETAILS.due_on,
    due_time=DETAILS.due_time,
    estimate=ClientPrice(Number("1611.3"), "EUR", "accepted", "12/2026"),
    payment=REQUEST,
)
BODIES: Mapping[str, Any] = {
    "updateOrderDetails": OrderDetailsEdit(item=ITEM, due_on="2026-12-04", due_time="16:00", price_limit=Number(1800)),
    "collectOrder": NewCollection("Aoife Gallagher"),
    "signOrder": NewOrderSignature(STROKES, "Aoife Gallagher"),
    "askAboutOrder": NewQuestion(QUESTION.name, QUESTION.text),
    "answerOrderQuestion": NewOrderAnswer(REPLY.text),
    "draftOrderMessage": NewOrderMessage("ready", "en", "friendly"),
    "createNotice": NewNotice(NOTICE.kind, NOTICE.channel),
    "updatePhoto": PhotoEdit(shared=True),
    "reorderPhotos": PhotosOrder([PHOTO_ID, OTHER_PHOTO_ID]),
}
RESPONSES: Mapping[str, Any] = {
    "listOrderSummaries": OrderSummariesList([SUMMARY]),
    "countOrders": OrderCounts(open=38, overdue=3, today=4, week=11, waiting=5, ready=9),
    "getOrderDetails": DETAILS,
    "updateOrderDetails": DETAILS,
    "collectOrder": COLLECTED,
    "uncollectOrder": READY,
    "getOrderSignature": SIGNATURE,
    "signOrder": SIGNATURE,
    "deleteOrderSignature": OrderSignature(ORDER_ID),
    "getStatusLink": StatusLink(PAGE),
    "renewStatusLink": StatusLink(PAGE),
    "getClientOrder": CLIENT_ORDER,
    "askAboutOrder": QUESTION,
    "listOrderQuestions": OrderQuestionsList([QUESTION, REPLY]),
    "answerOrderQuestion": REPLY,
    "draftOrderMessage": order_message(
        OrderMessageFacts(DETAILS.number, ORDER.title, PAGE, WORKSHOP.name, WORKSHOP.crafter_name, "+353 1 555 0101"),
        NewOrderMessage("ready", "en", "friendly"),
    ),
    "listIntakeWords": IntakeWords(catalog_words().crafts[:1]),
    "listNotices": NoticesList([NOTICE]),
    "createNotice": NOTICE,
    "listPhotos": PhotosList([PHOTO, OTHER_PHOTO]),
    "uploadPhoto": PHOTO,
    "reorderPhotos": PhotosList([PHOTO, OTHER_PHOTO]),
    "getPhoto": PHOTO,
    "updatePhoto": PHOTO,
}
