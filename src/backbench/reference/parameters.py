"""Parameters: a description and an example of each path and query parameter, for the OpenAPI document.

By name, or by `operationId.name` where an operation gives the name another meaning.
"""

from backbench.http.openapi.reference import Parameter
from backbench.reference.examples import ids

PARAMETERS = {
    # Path
    "workshopId": Parameter("The id of the workshop", ids.WORKSHOP_ID),
    "userId": Parameter("The `uid` of the member's account", ids.JAN_UID),
    "invitationId": Parameter("The id of the invitation", ids.INVITATION_ID),
    "orderId": Parameter("The id of the order", ids.ORDER_ID),
    "estimateId": Parameter("The id of the estimate", ids.ESTIMATE_ID),
    "lineId": Parameter("The id of the line item", ids.OAK_LINE_ID),
    "revisionNumber": Parameter(
        "The number of the revision, in decimal digits: 1 is the first revision of the estimate", "1"
    ),
    "pdfExportId": Parameter("The id of the PDF export", ids.PDF_EXPORT_ID),
    "paymentId": Parameter("The id of the payment, as listed by `listPayments`", ids.PAYMENT_ID),
    "pageNumber": Parameter("The number of the page, in decimal digits: 1 is the first page", "1"),
    "linkId": Parameter("The id of the link, as listed by `listLinks`", ids.LINK_ID),
    "decisionId": Parameter("The id of the decision, as listed by `listDecisions`", ids.DECISION_ID),
    "customerId": Parameter("The id of the customer", ids.CUSTOMER_ID),
    "gridId": Parameter("The id of the grid", ids.GRID_ID),
    "importId": Parameter("The id of the import, as listed by `listImports`", ids.IMPORT_ID),
    "photoId": Parameter("The id of the photo, as listed by `listPhotos`", ids.PHOTO_ID),
    "fileId": Parameter("The id of the file", ids.ICON_ID),
    "sessionId": Parameter("The id of the session, as listed by `listSessions`", ids.OTHER_SESSION_ID),
    "keyId": Parameter("The id of the API key, as listed by `listApiKeys`", ids.API_KEY_ID),
    "calendarId": Parameter("The id of the calendar, as listed by `listCalendars`", ids.CALENDAR_ID),
    "fileName": Parameter("The secret of the feed and `.ics`, as in its address", ids.CALENDAR_FILE),
    "webhookId": Parameter("The id of the webhook, as listed by `listWebhooks`", ids.WEBHOOK_ID),
    "deliveryId": Parameter("The id of the delivery, as listed by `listDeliveries`", ids.DELIVERY_ID),
    "subscriptionId": Parameter(
        "The id of the subscription, as listed by `listPushSubscriptions`", ids.SUBSCRIPTION_ID
    ),
    "itemId": Parameter("The id of the item, as listed by `getInbox`", f"accepted.{ids.DECISION_ID}"),
    # Query
    "limit": Parameter("The maximum number of entries in the page. Without it the whole list is returned", 50),
    "listAuditEntries.limit": Parameter("The maximum number of entries in the page; 100 by default", 50),
    "listMostUsedLineItems.limit": Parameter("The maximum number of line items; 20 by default", 10),
    "listRecipients.limit": Parameter("The maximum number of recipients; 20 by default", 10),
    "getInbox.limit": Parameter("The maximum number of items. Without it the whole inbox is returned", 50),
    "cursor": Parameter("Where the page starts: taken from the `Link` header of the page before. Opaque", ids.CURSOR),
    "since": Parameter(
        "The cursor of an earlier response. Without it the response has the present cursor and empty lists",
        ids.CHANGES_CURSOR,
    ),
    "listChanges.limit": Parameter("The maximum number of objects in the response; 200 by default", 50),
    "status": Parameter("Only orders with this status", "in_progress"),
    "q": Parameter(
        "Only orders with this text in `title` or `customerName`, without regard to case. `%` and `_` have no special "
        "meaning",
        "table",
    ),
    "listCustomers.q": Parameter(
        "Only customers with this text in their name or an email address, without regard to case, or with these digits "
        "in a phone number. `%` and `_` have no special meaning",
        "gall",
    ),
    "listEstimateSummaries.estimateId": Parameter("Only this estimate", ids.ESTIMATE_ID),
    "listEstimateSummaries.q": Parameter(
        "Only estimates with this text in their name or recipient, without regard to case. `%` and `_` have no special "
        "meaning",
        "table",
    ),
    "listEstimateSummaries.state": Parameter("Only estimates in this state", "changed"),
    "due": Parameter(
        "Only orders that are neither ready nor collected and due then, in the time zone of the workshop: `overdue`, "
        "`today`, `week` (the next seven days after today), `later`, or `none` without a day",
        "today",
    ),
    "stage": Parameter("Only orders at this stage", "waiting"),
    "assignedTo": Parameter("Only orders that are assigned to the member with this `uid`", ids.JAN_UID),
    "listOrderSummaries.customerId": Parameter("Only orders of this customer", ids.CUSTOMER_ID),
    "place": Parameter("Only orders at this place, compared as a whole", "bay 2"),
    "collected": Parameter("Only orders that were collected (`true`), or all others (`false`)", "false"),
    "owed": Parameter("Only orders that were collected and for which something is due (`true`)", "true"),
    "ids": Parameter("Only these orders of the workshop: up to 100 ids with commas between them", f"{ids.ORDER_ID}"),
    "listOrderSummaries.q": Parameter(
        "Only orders with this text in title, customer or item, without regard to case. Digits also match the whole "
        "number and a part of the phone number. `%` and `_` have no special meaning",
        "table",
    ),
    "format": Parameter("The paper; labels are width × height in millimetres. `a5` by default", "label-62x29"),
    "downloadSlip.locale": Parameter("The language of the slip; by default that of the caller's account", "pl"),
    "piece": Parameter("The piece of the item that the slip is for, from 1; 1 by default", 1),
    "downloadReceipt.locale": Parameter("The language of the receipt; by default that of the caller's account", "pl"),
    "from": Parameter("The first day of the period. Without it, the period has no beginning", "2026-11-01"),
    "to": Parameter("The last day of the period. Without it, the period has no end", "2026-11-30"),
    **{
        f"{operation}.{name}": Parameter(description, example)
        for operation in ("getNumbers", "listAgreedPrices", "downloadNumbersCsv")
        for name, description, example in (
            (
                "from",
                "The first day of the period; by default that of the month eleven months before",
                "2026-11-01",
            ),
            ("to", "The last day of the period; today by default", "2026-11-30"),
        )
    },
    **{
        f"download{kind}Csv.locale": Parameter("The language of the file; the caller's by default", "pl")
        for kind in ("Orders", "Payments", "Numbers", "Customers", "Tiles")
    },
    "listRecipients.q": Parameter(
        "Only recipients with this text in their name, without regard to case. `%` and `_` have no special meaning",
        "gall",
    ),
    "page": Parameter("The number of the page; 1 by default", 1),
    "width": Parameter("The width of the image in pixels; 1,080 by default", 780),
    "previewEstimate.locale": Parameter("The language of the document; by default that of the caller's account", "pl"),
    "breakdown": Parameter("Whether the lines are shown; true by default", True),
    "showMarkup": Parameter("Whether the markup has a row of its own; false by default", False),
    "showDiscount": Parameter("Whether the discount has a row of its own; false by default", True),
    "showRecipient": Parameter("Whether the client is named; true by default", True),
    "showBrandMark": Parameter(
        "Whether the Backbench mark is shown; true by default, and always on plans that cannot turn it off", True
    ),
    "code": Parameter("The authorization code, where the user consented", "4/0AX4XfWh9"),
    "state": Parameter("The state that `startGoogleSignIn` sent to Google", "Zk3v0Qe1b7"),
    "error": Parameter("Why Google issued no code", "access_denied"),
    "iss": Parameter("The issuer of the response", "https://accounts.google.com"),
}
