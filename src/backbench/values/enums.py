"""Enumerations that documents, messages, line items and profiles share."""

from typing import Annotated, Literal

from msgspec import Meta

HandoffKind = Literal["message-copied", "message-shared", "pdf-shared", "pdf-and-message-shared", "email-opened"]


UserLocale = Literal["en", "pl"]
# In the order of the specification. A Literal in that order would change the other one: `typing` caches unions, and
# takes a Literal for one with the same values in another order.
DocumentLocale = Annotated[Literal["en", "pl"], Meta(extra_json_schema={"enum": ["pl", "en"]})]
MessageTone = Literal["formal", "friendly"]
MessageChannel = Literal["email", "message"]
MessageLink = Literal["answer", "read"]
LineItemUnit = Literal["sqm", "linear_m", "piece", "pair", "hour", "job", "freeform"]
PaperSize = Literal["A4", "Letter"]
TitleFont = Literal["sans", "serif", "didone", "mono", "rounded"]
# What a client decided about an estimate.
# `link`: by the client; the others are recorded by a member.
DecisionMethod = Literal["link", "in_person", "phone", "email", "message"]
DecisionOutcome = Literal["accepted", "declined"]
# What a deposit is: part of the price, or also a pledge that the one who withdraws loses or pays back twice.
DepositKind = Literal["advance", "earnest"]
PricesShown = Literal["net", "gross"]
# What the unit prices of an estimate are: without tax, or with it.
PricesEntered = Literal["net", "gross"]
DocumentTitle = Literal["estimate", "quotation", "cost_estimate"]
# The lines of a document: with prices, without, or none.
Breakdown = Literal["full", "unpriced", "none"]
# What a document says about the right of withdrawal of a consumer.
Withdrawal = Literal["none", "bespoke", "fourteen_days", "start_early"]
# What the HSTS header of an https server covers; with "off" it ends what browsers remember.
HstsScope = Literal["subdomains", "host", "off"]
PaymentKind = Literal["deposit", "payment", "refund"]
PaymentMethod = Literal["cash", "transfer", "card", "blik", "other"]
