"""Invoices of the demo: made, issued and corrected as members would have, in the order of their days."""

from collections.abc import Sequence
from typing import NamedTuple

from msgspec import structs

from backbench.demo.log import Log
from backbench.demo.workshop import PlannedInvoice, instant
from backbench.engine.database import Write
from backbench.orders import invoices
from backbench.orders.invoices import INVOICE, Invoice, InvoiceEdit, InvoiceIssue, NewInvoiceLine
from backbench.orders.order_links import ORDER_REF
from backbench.values.calls import Call, Caller
from backbench.values.ids import NewId
from backbench.values.shapes import made_of
from backbench.values.times import Instant


class OfOrder(NamedTuple):
    """An invoice that is to be made of an order."""

    order_id: str
    planned: PlannedInvoice


async def add_invoices(
    db: Write, caller: Caller, planned: Sequence[OfOrder], now: Instant, new_id: NewId, log: Log
) -> None:
    """An advance before its final, and each series in the order of its days."""
    for each in sorted(planned, key=lambda of: instant(of.planned.at, now)):
        await _add(db, Call(caller, instant(each.planned.at, now), new_id), each, now, log)


async def _add(db: Write, call: Call, wanted: OfOrder, now: Instant, log: Log) -> None:
    order = await ORDER_REF.lock(db, call, wanted.order_id)
    draft = await invoices.create(db, call, order, wanted.planned.body)
    log.record(call.caller, "invoice.created", draft.id, call.now)
    if wanted.planned.is_draft:
        return
    await _issue(db, call, draft.id, log)
    if wanted.planned.correction is not None:
        await _correct(db, structs.replace(call, now=instant(wanted.planned.correction.at, now)), draft, wanted, log)


async def _issue(db: Write, call: Call, invoice_id: str, log: Log) -> None:
    await invoices.issue(db, call, await INVOICE.lock(db, call, invoice_id), InvoiceIssue())
    log.record(call.caller, "invoice.issued", invoice_id, call.now)


async def _correct(db: Write, call: Call, invoice: Invoice, wanted: OfOrder, log: Log) -> None:
    """With the quantities that the lines should have had."""
    correction = wanted.planned.correction
    assert correction is not None
    draft = await invoices.correct(db, call, await INVOICE.lock(db, call, invoice.id), correction.body)
    log.record(call.caller, "invoice.created", draft.id, call.now)
    lines = [
        structs.replace(made_of(NewInvoiceLine, line), quantity=quantity)
        for line, quantity in zip(draft.lines, correction.quantities, strict=True)
    ]
    await invoices.update(db, await INVOICE.lock(db, call, draft.id), InvoiceEdit(lines=lines))
    log.record(call.caller, "invoice.updated", draft.id, call.now)
    await _issue(db, call, draft.id, log)
