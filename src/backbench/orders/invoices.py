"""Invoices of orders: drafts, which change, and issued ones, which never do.

A draft has what members entered; its figures are made of the revision that it is based on. Issuing gives it the next
number of its series and keeps seller, buyer, lines, sums, texts and logo as they are at that moment. A wrong one is
corrected by another: a correction has the lines as they should have been.
"""

import asyncio
from collections import defaultdict
from collections.abc import Collection, Sequence
from datetime import date, timedelta
from decimal import Decimal, localcontext
from typing import Annotated, Literal, TypeVar

from msgspec import UNSET, Meta, Struct, UnsetType, structs

from backbench.accounts import accounts
from backbench.customers.customer_links import INVOICE_OF_CUSTOMER
from backbench.documents.documents import PdfExportOptions
from backbench.documents.invoice_xml import missing_facts, xml_of
from backbench.documents.invoices import (
    AdvanceRef,
    Buyer,
    Corrected,
    EnteredLine,
    Figures,
    InvoiceBasis,
    InvoiceDocument,
    InvoiceFormat,
    InvoiceKind,
    InvoiceLine,
    InvoiceQuery,
    NewBuyer,
    PrintedInvoice,
    Seller,
    XmlQuery,
    advance,
    as_entered,
    corrected,
    difference,
    less,
    less_advances,
    of_lines,
    of_revision,
    sums_of,
)
from backbench.engine.database import Database, Read, Value, Write
from backbench.engine.lists import NewestFirst
from backbench.engine.objects import Loaded
from backbench.engine.rows import containing, rows_of
from backbench.estimating import document_settings, files, revisions
from backbench.estimating.document_facts import NO_FACTS
from backbench.estimating.document_settings import DocumentSettings
from backbench.estimating.documents import letterhead, rates_of, with_logo
from backbench.estimating.estimates import Quantity, UnitPrice
from backbench.estimating.line_items import Label
from backbench.estimating.revisions import ConfirmedRevision, DocumentSnapshot, RevisionKey, snapshot
from backbench.http.responses import Response, made_file
from backbench.http.streaming import disposition
from backbench.orders import balances, issued_invoices
from backbench.orders.issued_invoices import IS_UNPAID
from backbench.orders.order_links import OrderRef
from backbench.orders.payment_codes import Transfer
from backbench.orders.payments import PaidAmount
from backbench.services import EndpointServices
from backbench.values.calls import Call
from backbench.values.enums import DocumentLocale, LineItemUnit, PaymentMethod, PricesShown
from backbench.values.errors import Conflict, FieldError, NotFound, ValidationError
from backbench.values.money import EXACT, TaxAmount, deposit, of_thousandths, plain, require_exact, thousandths
from backbench.values.numbers import Number, to_json_text
from backbench.values.pagination import Page, PagedList, PageQuery
from backbench.values.scalars import (
    LINE_FEEDS,
    LINES,
    NOT_BLANK,
    NOT_REVERSED,
    Day,
    MoneyDay,
    Name,
    fold_case,
    is_iban,
    normalized_iban,
)
from backbench.values.shapes import edited, made_of
from backbench.values.taxes import Tax, tax_of
from backbench.values.text import in_locale
from backbench.values.times import Instant
from backbench.workshops import workshops
from backbench.workshops.audit import Unchanged

MAX_LINES = 500
DEFAULT_PAYMENT_DAYS = 14
InvoiceState = Literal["draft", "issued"]
# Of all that was agreed: an order has one of these.
_OF_ALL: tuple[InvoiceKind, ...] = ("invoice", "final")
Notes = Annotated[str, Meta(max_length=1000, pattern=LINE_FEEDS, extra=LINES), NOT_BLANK, NOT_REVERSED]


class NewInvoiceLine(Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """Its price is with tax where the prices of the workshop are, or those of the invoice that is corrected."""

    label: Label
    unit: LineItemUnit
    quantity: Quantity
    unit_price: UnitPrice
    tax: Tax | UnsetType = UNSET


NewLines = Annotated[list[NewInvoiceLine], Meta(min_length=1, max_length=MAX_LINES)]


class NewInvoice(Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """Of the accepted revision of the order's estimate unless it names another; of `lines` without an estimate."""

    kind: Literal["invoice", "advance", "final"]
    revision_number: Annotated[int, Meta(ge=1, le=10**9)] | UnsetType = UNSET
    lines: NewLines | UnsetType = UNSET
    amount: PaidAmount | UnsetType = UNSET
    sale_date: MoneyDay | UnsetType = UNSET
    due_date: MoneyDay | UnsetType = UNSET
    method: PaymentMethod | UnsetType = UNSET
    buyer: NewBuyer | UnsetType = UNSET
    notes: Notes | UnsetType = UNSET


class InvoiceEdit(Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """An absent member is unchanged; null clears it."""

    revision_number: Annotated[int, Meta(ge=1, le=10**9)] | UnsetType | None = UNSET
    lines: NewLines | UnsetType | None = UNSET
    amount: PaidAmount | UnsetType | None = UNSET
    sale_date: MoneyDay | UnsetType | None = UNSET
    due_date: MoneyDay | UnsetType | None = UNSET
    method: PaymentMethod | UnsetType | None = UNSET
    buyer: NewBuyer | UnsetType | None = UNSET
    notes: Notes | UnsetType | None = UNSET


class InvoiceIssue(Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """Without a day it is today, in the time zone of the workshop."""

    issue_date: MoneyDay | UnsetType = UNSET


class NewCorrection(Struct, frozen=True, forbid_unknown_fields=True):
    reason: Name


class InvoiceFacts(Struct, frozen=True, rename="camel", omit_defaults=True):
    """What members have entered: the members of a new invoice, and the reason of a correction.

    `standing_id`: the latest correction, or the invoice itself, when a draft of a correction began with its lines.
    """

    revision_number: int | UnsetType = UNSET
    lines: list[NewInvoiceLine] | UnsetType = UNSET
    amount: Number | UnsetType = UNSET
    sale_date: str | UnsetType = UNSET
    due_date: str | UnsetType = UNSET
    method: PaymentMethod | UnsetType = UNSET
    buyer: NewBuyer | UnsetType = UNSET
    notes: str | UnsetType = UNSET
    reason: str | UnsetType = UNSET
    standing_id: str | UnsetType = UNSET


class Content(Struct, frozen=True, rename="camel", omit_defaults=True):
    """The parties and figures. `exempt_reason` is what the settings say of sales without tax."""

    seller: Seller
    buyer: Buyer
    figures: Figures
    basis: InvoiceBasis | None = None
    advances: list[AdvanceRef] = []
    corrects: Corrected | None = None
    lines_before: Figures | None = None
    ordered: Figures | None = None
    exempt_reason: str = ""


class Invoice(Struct, frozen=True, rename="camel", kw_only=True):
    """`paid` and `to_pay` follow from the payments for the order, which cover its invoices in the order of issue."""

    id: str
    workshop_id: str
    order_id: str
    kind: InvoiceKind
    state: InvoiceState
    currency: str
    prices_shown: PricesShown
    seller: Seller
    buyer: Buyer
    lines: list[InvoiceLine]
    taxes: list[TaxAmount]
    subtotal: Number
    markup: Number
    discount: Number
    net: Number
    tax: Number
    total: Number
    paid: Number
    to_pay: Number
    created_at: Instant
    created_by_uid: str
    number: str | UnsetType = UNSET
    issue_date: str | UnsetType = UNSET
    sale_date: str | UnsetType = UNSET
    due_date: str | UnsetType = UNSET
    method: PaymentMethod | UnsetType = UNSET
    notes: str | UnsetType = UNSET
    basis: InvoiceBasis | UnsetType = UNSET
    advances: list[AdvanceRef] | UnsetType = UNSET
    corrects: Corrected | UnsetType = UNSET
    issued_at: Instant | UnsetType = UNSET
    issued_by_uid: str | UnsetType = UNSET


class InvoicesList(PagedList, frozen=True):
    invoices: list[Invoice]


class InvoicesQuery(PageQuery, frozen=True, rename={"from_": "from", "customer_id": "customerId"}):
    """`from_` and `to` are days of issue, both included. `q` is a part of the number or of the buyer's name."""

    from_: Day | None = None
    to: Day | None = None
    kind: InvoiceKind | None = None
    state: InvoiceState | None = None
    customer_id: Annotated[str, Meta(max_length=64)] | None = None
    q: Annotated[str, Meta(max_length=250)] | None = None
    unpaid: Literal["true"] | None = None


class StoredInvoice(Struct, frozen=True, kw_only=True):
    """The row. `standing_thousandths`: what is to be paid by its due date, before payments; absent of drafts."""

    id: str
    workshop_id: str
    order_id: str
    customer_id: str | None
    kind: InvoiceKind
    state: InvoiceState
    currency: str
    estimate_id: str | None
    revision_number: int | None
    corrected_id: str | None
    facts: InvoiceFacts
    content: Content
    number: str | None
    issue_date: str | None
    due_date: str | None
    standing_thousandths: int | None
    created_at: Instant
    created_by_uid: str
    issued_at: Instant | None
    issued_by_uid: str | None
    paid_thousandths: int

    @property
    def is_issued(self) -> bool:
        return self.state == "issued"

    @property
    def left_thousandths(self) -> int:
        """What is to be paid."""
        return max((self.standing_thousandths or 0) - self.paid_thousandths, 0)

    def to_response(self) -> Invoice:
        content, figures = self.content, self.content.figures
        return made_of(
            Invoice,
            self,
            content,
            figures,
            self.facts,
            paid=of_thousandths(self.paid_thousandths),
            to_pay=of_thousandths(self.left_thousandths),
            number=self.number or UNSET,
            issue_date=self.issue_date or UNSET,
            due_date=self.due_date or UNSET,
            basis=content.basis or UNSET,
            advances=content.advances or UNSET,
            corrects=content.corrects or UNSET,
            issued_at=self.issued_at or UNSET,
            issued_by_uid=self.issued_by_uid or UNSET,
        )

    def document(self) -> InvoiceDocument:
        """What its files and its PDF show."""
        return made_of(
            InvoiceDocument,
            self,
            self.content,
            number=self.number or "",
            issue_date=_day(self.issue_date),
            sale_date=_day(self.facts.sale_date),
            due_date=_day(self.due_date),
            method=self.facts.method or None,
            notes=self.facts.notes or "",
            issued_at=self.issued_at or "",
        )


def _day(text: str | UnsetType | None) -> date | None:
    return date.fromisoformat(text) if text else None


def is_issued() -> Conflict:
    return Conflict("issued", "An issued invoice never changes; correct it")


def is_draft(errors: Sequence[FieldError] = ()) -> Conflict:
    """`errors`: what would stand in the way of the file."""
    return Conflict("draft", "The invoice is a draft; issue it first", errors=list(errors))


def incomplete(errors: Sequence[FieldError]) -> Conflict:
    first = errors[0]
    return Conflict("incomplete", f"{first.pointer}: {first.detail}", errors=list(errors))


# Statements


COLUMNS = """i.id, i.workshop_id, i.order_id, i.customer_id, i.kind, i.state, i.currency, i.estimate_id,
    i.revision_number, i.corrected_id, i.facts, i.content, i.number, i.issue_date, i.due_date, i.standing_thousandths,
    i.created_at, i.created_by_uid, i.issued_at, i.issued_by_uid, i.paid_thousandths"""
# The invoice of a path. Sums of invoices are judged under the lock of their order.
INVOICE = Loaded(
    StoredInvoice,
    "invoice",
    "invoices i",
    key="invoice_id",
    own_columns=COLUMNS,
    locked="invoices i JOIN order_details d ON d.order_id = i.order_id",
    locks=("d",),
)


def of_order(order_id: str) -> NewestFirst[StoredInvoice]:
    select = f"SELECT {COLUMNS} FROM invoices i WHERE i.order_id = :order_id"
    return NewestFirst(StoredInvoice, select, {"order_id": order_id}, at="i.created_at", id_="i.id")


def of_workshop(workshop_id: str, wanted: InvoicesQuery, today: str = "") -> NewestFirst[StoredInvoice]:
    """Those of the workshop, the latest created first. `today` in its time zone, for unpaid ones."""
    conditions, values = ["i.workshop_id = :workshop_id"], dict[str, Value](workshop_id=workshop_id)
    for name, condition in (
        ("from_", "i.issue_date >= :from_"),
        ("to", "i.issue_date <= :to"),
        ("kind", "i.kind = :kind"),
        ("state", "i.state = :state"),
        ("customer_id", INVOICE_OF_CUSTOMER),
    ):
        if getattr(wanted, name) is not None:
            conditions.append(condition)
            values[name] = getattr(wanted, name)
    if wanted.q is not None:
        conditions.append("(coalesce(i.number_folded, '') LIKE :q ESCAPE '!' OR i.buyer_folded LIKE :q ESCAPE '!')")
        values["q"] = containing(wanted.q)
    if wanted.unpaid is not None:
        conditions.append(IS_UNPAID)
        values["today"] = today
    select = f"SELECT {COLUMNS} FROM invoices i WHERE {' AND '.join(conditions)}"
    return NewestFirst(StoredInvoice, select, values, at="i.created_at", id_="i.id")


async def find(db: Read, invoice_id: str) -> StoredInvoice:
    """Raises NotFound."""
    found = await db.one(StoredInvoice, f"SELECT {COLUMNS} FROM invoices i WHERE i.id = :id", id=invoice_id)
    if found is None:
        raise NotFound
    return found


class _Source(Struct, frozen=True):
    """What an order says for its invoices."""

    id: str
    title: str
    customer_name: str
    estimate_id: str | None
    customer_id: str | None
    latest_revision: int | None
    accepted_revision: int | None


_SOURCES = """
    SELECT o.id, o.title, o.customer_name, o.estimate_id, d.customer_id, e.latest_revision,
        a.revision_number AS accepted_revision
    FROM orders o JOIN order_details d ON d.order_id = o.id LEFT JOIN estimates e ON e.id = o.estimate_id
        LEFT JOIN decisions a ON a.estimate_id = e.id AND a.voided_at IS NULL AND a.outcome = 'accepted'
    WHERE o.id IN ({rows})
"""
# What the client has accepted shows a markup or discount, or hides it; else as the newest link does. It is the last.
_OPTIONS = """
    SELECT l.estimate_id, l.toggles FROM links l
        LEFT JOIN decisions a ON a.link_id = l.id AND a.voided_at IS NULL AND a.outcome = 'accepted'
    WHERE l.estimate_id IN ({rows})
    ORDER BY CASE WHEN a.id IS NULL THEN 0 ELSE 1 END, l.created_at, l.id
"""
_RECORDS = "SELECT id, name, address, tax_id, emails FROM customers WHERE id IN ({rows}) AND state = 'present'"
_ISSUED = f"""
    SELECT {COLUMNS} FROM invoices i WHERE i.state = 'issued' AND i.order_id IN ({{rows}}) ORDER BY i.issued_at, i.id
"""


class _Options(Struct, frozen=True):
    estimate_id: str
    toggles: PdfExportOptions


class _Record(Struct, frozen=True):
    """Of a customer."""

    id: str
    name: str
    address: str | None
    tax_id: str | None
    emails: list[str]


class _Series(Struct, frozen=True):
    latest: int
    latest_date: str


_NEXT_IN_SERIES = """
    INSERT INTO invoice_series (workshop_id, series, latest, latest_date) VALUES (:workshop_id, :series, 1, :day)
    ON CONFLICT (workshop_id, series) DO UPDATE SET latest = invoice_series.latest + 1,
        latest_date = CASE WHEN invoice_series.latest_date > :day THEN invoice_series.latest_date ELSE :day END
    RETURNING latest, latest_date
"""


async def take_number(db: Write, workshop_id: str, pattern: str, day: str) -> str:
    """The next number of the series of that day.

    Its row is locked until the transaction ends, and one that fails takes no number: no gap and no duplicate under
    concurrent requests. Raises ValidationError for a day before that of the latest number.
    """
    series = pattern.replace("{year}", day[:4]).replace("{month}", day[5:7])
    while True:
        row = await db.one(_Series, _NEXT_IN_SERIES, workshop_id=workshop_id, series=series, day=day)
        assert row is not None
        if row.latest_date > day:
            detail = f"The latest invoice of this series is of {row.latest_date}"
            raise ValidationError(FieldError("/issueDate", "too_early", detail))
        number = series.replace("{n}", str(row.latest))
        taken = "SELECT 1 FROM invoices WHERE workshop_id = :workshop_id AND number = :number"
        # Another pattern may have given it: `1{n}` and `{n}` have numbers in common.
        if await db.value(taken, workshop_id=workshop_id, number=number) is None:
            return number


class _Draft(Struct, frozen=True):
    """What members say for the content of a draft."""

    order_id: str
    kind: InvoiceKind
    facts: InvoiceFacts
    corrected_id: str | None = None


class _Standing(Struct, frozen=True):
    """An issued invoice, and how it is now: itself, or the latest issued correction."""

    root: StoredInvoice
    now: StoredInvoice


class _Sources(Struct, frozen=True):
    """Everything else that the content of drafts of a workshop follows from.

    `revisions` are those that the drafts may be based on; `issued` are by order, and in the order of issue.
    """

    settings: DocumentSettings
    seller: Seller
    orders: dict[str, _Source]
    records: dict[str, _Record]
    options: dict[str, PdfExportOptions]
    issued: dict[str, list[StoredInvoice]]
    revisions: dict[RevisionKey, ConfirmedRevision]

    def standing(self, order_id: str) -> list[_Standing]:
        """Those of an order that were not corrected to nothing, in the order of issue."""
        return [each for each in self._all(order_id) if not each.now.content.figures.is_nothing]

    def corrected(self, draft: _Draft) -> _Standing:
        """What a correction corrects. Raises NotFound."""
        for each in self._all(draft.order_id):
            if each.root.id == draft.corrected_id:
                return each
        raise NotFound

    def _all(self, order_id: str) -> list[_Standing]:
        issued = self.issued[order_id]
        corrections = {each.corrected_id: each for each in issued if each.corrected_id is not None}
        return [_Standing(each, corrections.get(each.id, each)) for each in issued if each.corrected_id is None]


_Row = TypeVar("_Row")


async def _find_sources(db: Read, workshop_id: str, drafts: Sequence[_Draft]) -> _Sources:
    """As many statements for a page of drafts as for one."""
    settings = await document_settings.find(db, workshop_id)
    workshop = await workshops.find(db, workshop_id)
    of_orders = {each.order_id for each in drafts}
    orders = {each.id: each for each in await _of_ids(db, _Source, _SOURCES, of_orders)}
    customers = {each.customer_id for each in orders.values()}
    estimates = {each.estimate_id for each in orders.values()}
    issued = defaultdict[str, list[StoredInvoice]](list)
    for each in await _of_ids(db, StoredInvoice, _ISSUED, of_orders):
        issued[each.order_id].append(each)
    based = [(orders[each.order_id], each.facts) for each in drafts if each.order_id in orders]
    keys = {(source.estimate_id, _revision_number(source, facts)) for source, facts in based}
    # A correction has the markup and discount of the revision in its lines.
    roots = {each.corrected_id for each in drafts}
    keys |= {(each.estimate_id, each.revision_number) for of in issued.values() for each in of if each.id in roots}
    return _Sources(
        settings=settings,
        seller=_seller(workshop.name, settings),
        orders=orders,
        records={each.id: each for each in await _of_ids(db, _Record, _RECORDS, customers)},
        options={each.estimate_id: each.toggles for each in await _of_ids(db, _Options, _OPTIONS, estimates)},
        issued=issued,
        revisions=await revisions.list_confirmed(db, {(id_, number) for id_, number in keys if id_ and number}),
    )


async def _of_ids(db: Read, type_: type[_Row], sql: str, ids: Collection[str | None]) -> list[_Row]:
    """The rows of a statement that has the ids at `{rows}`."""
    known = sorted(id_ for id_ in ids if id_ is not None)
    if not known:
        return []
    sent = db.catalog.rows_from_json("orders", ["id"])
    return await db.all(type_, sql.format(rows=sent), rows=rows_of(known))


def _require_currency(invoices: Sequence[_Standing], currency: str) -> None:
    """Sums of two currencies are never added. Raises Conflict `other_currency`."""
    if any(each.root.currency != currency for each in invoices):
        detail = "The order has invoices in another currency; correct them to nothing first"
        raise Conflict("other_currency", detail)


# What an invoice is made of


def _seller(name: str, settings: DocumentSettings) -> Seller:
    return Seller(
        name=name,
        address=settings.address or UNSET,
        country=settings.phone_country or UNSET,
        tax_id=settings.tax_id or UNSET,
        registration=settings.registration or UNSET,
        email=settings.email or UNSET,
        phone=settings.phone or UNSET,
        iban=settings.iban or UNSET,
    )


def _buyer(facts: InvoiceFacts, source: _Source, record: _Record | None, confirmed: ConfirmedRevision | None) -> Buyer:
    """Whom the draft names; else the recipient of the revision, the customer, or the name at the order."""
    if facts.buyer is not UNSET:
        own = facts.buyer
        is_consumer = not own.tax_id if own.is_consumer is UNSET else own.is_consumer
        return made_of(Buyer, own, tax_id=own.tax_id or UNSET, email=own.email or UNSET, is_consumer=is_consumer)
    shown = NO_FACTS if confirmed is None else confirmed.facts
    name = "" if confirmed is None else confirmed.recipient_name
    tax_id = shown.recipient_tax_id or (record and record.tax_id) or ""
    return Buyer(
        name=name or (record.name if record else "") or source.customer_name,
        address=shown.recipient_address or (record and record.address) or UNSET,
        tax_id=tax_id or UNSET,
        email=shown.recipient_email or (record.emails[0] if record and record.emails else UNSET),
        is_consumer=not tax_id,
    )


def _revision_number(source: _Source, facts: InvoiceFacts) -> int | None:
    return facts.revision_number or source.accepted_revision or source.latest_revision


def _confirmed(sources: _Sources, source: _Source, facts: InvoiceFacts) -> ConfirmedRevision | None:
    """The revision that the figures are from; None for an order without an estimate."""
    if source.estimate_id is None:
        if facts.revision_number is not UNSET:
            raise ValidationError(FieldError("/revisionNumber", "unknown", "The order has no estimate"))
        return None
    if facts.lines is not UNSET:
        raise ValidationError(FieldError("/lines", "conflict", "The lines are those of the order's estimate"))
    number = _revision_number(source, facts)
    if not number:
        raise Conflict("not_confirmed", "The estimate of the order has no confirmed revision")
    confirmed = sources.revisions.get((source.estimate_id, number))
    if confirmed is None:
        raise ValidationError(FieldError("/revisionNumber", "unknown", "The estimate has no such revision"))
    return confirmed


def _whole(
    sources: _Sources, source: _Source, facts: InvoiceFacts, confirmed: ConfirmedRevision | None
) -> tuple[Figures, str]:
    """The figures of all that was agreed, and their currency."""
    settings = sources.settings
    if confirmed is not None:
        shown = sources.options.get(source.estimate_id or "", PdfExportOptions())
        return _figures(confirmed, shown), confirmed.terms.currency
    if facts.lines is UNSET:
        raise ValidationError(FieldError("/lines", "missing", "The order has no estimate: enter the lines"))
    prices: PricesShown = "gross" if settings.prices_entered == "gross" else "net"
    label = in_locale("" if settings.tax_label is UNSET else settings.tax_label, "en") or "VAT"
    lines, currency = _numbered(facts.lines), settings.currency
    return of_lines(lines, currency=currency, prices=prices, tax=_tax_of(settings), label=label), currency


def _figures(confirmed: ConfirmedRevision, shown: PdfExportOptions) -> Figures:
    return of_revision(
        confirmed.revision.line_items,
        confirmed.terms.totals(confirmed.revision),
        rates_of(confirmed, "en"),
        show_markup=shown.show_markup,
        show_discount=shown.show_discount,
    )


def _numbered(lines: Sequence[NewInvoiceLine]) -> list[EnteredLine]:
    return [made_of(EnteredLine, line, id=str(at)) for at, line in enumerate(lines, 1)]


def _tax_of(settings: DocumentSettings) -> Tax | None:
    """Of a line that names none."""
    percent = None if settings.tax_percent is UNSET else settings.tax_percent
    return tax_of(settings.tax_kind or "rate", percent)


class _Made(Struct, frozen=True):
    content: Content
    currency: str
    customer_id: str | None
    estimate_id: str | None
    revision_number: int | None


def _make(sources: _Sources, draft: _Draft) -> _Made:
    """The content of a draft. Raises ValidationError, NotFound, Conflict `not_confirmed`, `other_currency`."""
    if draft.corrected_id is not None:
        return _make_correction(sources, draft)
    facts, source = draft.facts, sources.orders.get(draft.order_id)
    if source is None:
        raise NotFound
    confirmed = _confirmed(sources, source, facts)
    figures, currency = _whole(sources, source, facts, confirmed)
    advances: list[AdvanceRef] = []
    whole = figures
    if draft.kind == "advance":
        label = source.title if confirmed is None else confirmed.revision.name
        figures = advance(figures, _asked(facts, confirmed, figures, currency), currency, label)
    elif facts.amount is not UNSET:
        raise ValidationError(FieldError("/amount", "conflict", "Only an advance has an amount"))
    if draft.kind == "final":
        standing = [each for each in sources.standing(draft.order_id) if each.root.kind == "advance"]
        _require_currency(standing, currency)
        advances = [
            AdvanceRef(each.root.id, each.root.number or "", each.now.content.figures.total) for each in standing
        ]
        figures = less_advances(figures, [each.now.content.figures for each in standing])
    basis = None
    if confirmed is not None and source.estimate_id is not None:
        number = confirmed.revision.revision_number
        basis = InvoiceBasis(source.estimate_id, number, confirmed.snapshot.number)
    content = Content(
        seller=sources.seller,
        buyer=_buyer(facts, source, sources.records.get(source.customer_id or ""), confirmed),
        figures=figures,
        basis=basis,
        advances=advances,
        ordered=whole if draft.kind == "advance" else None,
        exempt_reason=sources.settings.exempt_reason or "",
    )
    of_revision_ = None if basis is None else basis.revision_number
    return _Made(content, currency, source.customer_id, source.estimate_id, of_revision_)


def _asked(facts: InvoiceFacts, confirmed: ConfirmedRevision | None, whole: Figures, currency: str) -> Decimal:
    """The amount of an advance: as entered, or the deposit of the revision."""
    if facts.amount is not UNSET:
        require_exact(facts.amount, currency)
        return facts.amount + 0
    terms = None if confirmed is None else confirmed.terms
    if terms is not None:
        fixed = None if terms.deposit_amount is UNSET else terms.deposit_amount
        amount = deposit(whole.total, currency, terms.deposit_percent or None, fixed)
        if amount:
            return amount
    raise ValidationError(FieldError("/amount", "missing", "The estimate asks for no deposit: enter the amount"))


def _lines_of(sources: _Sources, standing: _Standing) -> list[EnteredLine]:
    """What a correction begins with: the lines as they stand, with markup and discount inside."""
    root, figures = standing.root, standing.now.content.figures
    if (figures.markup or figures.discount) and root.estimate_id and root.revision_number:
        confirmed = sources.revisions.get((root.estimate_id, root.revision_number))
        if confirmed is None:
            raise NotFound
        figures = _figures(confirmed, PdfExportOptions())
    return as_entered(figures)


def _make_correction(sources: _Sources, draft: _Draft) -> _Made:
    standing = sources.corrected(draft)
    root, before = standing.root, standing.now.content
    lines = draft.facts.lines
    figures = before.figures
    if lines is not UNSET:
        taxes = {line.tax or None for line in figures.lines}
        figures = corrected(
            figures,
            _lines_of(sources, standing),
            _numbered(lines),
            currency=root.currency,
            # That of the settings is another one since, where the workshop has begun to charge a tax.
            tax=next(iter(taxes)) if len(taxes) == 1 else _tax_of(sources.settings),
            label=next((part.label for part in figures.taxes if part.label), "VAT"),
        )
    if lines is not UNSET and not figures.is_nothing:
        # Of an invoice that is corrected to nothing, advances take nothing off.
        deducted = root.content.figures
        figures = less(figures, deducted.deducted, deducted.deducted_net + 0, deducted.deducted_tax + 0)
    own = draft.facts.buyer
    buyer = before.buyer
    if own is not UNSET:
        is_consumer = not own.tax_id if own.is_consumer is UNSET else own.is_consumer
        buyer = made_of(Buyer, own, tax_id=own.tax_id or UNSET, email=own.email or UNSET, is_consumer=is_consumer)
    sums = sums_of(before.figures)
    corrects = Corrected(
        invoice_id=root.id,
        number=root.number or "",
        reason=draft.facts.reason or "",
        issue_date=root.issue_date or "",
        kind=root.kind,
        before=sums,
        difference=difference(sums, sums_of(figures)),
    )
    content = structs.replace(
        root.content, seller=sources.seller, buyer=buyer, figures=figures, corrects=corrects,
        lines_before=before.figures, exempt_reason=sources.settings.exempt_reason or "",
    )  # fmt: skip
    return _Made(content, root.currency, root.customer_id, root.estimate_id, root.revision_number)


# Verbs


async def list_all(db: Read, order: OrderRef, query: PageQuery) -> Page[Invoice]:
    """List the invoices of an order, newest first."""
    return await (await of_order(order.id).page(db, query)).map_all(db, list_shown)


async def list_of_workshop(db: Read, call: Call, workshop_id: str, query: InvoicesQuery) -> Page[Invoice]:
    """List the invoices of a workshop, newest first."""
    today = (await document_settings.find(db, workshop_id)).today(call.now).isoformat()
    return await (await of_workshop(workshop_id, query, today).page(db, query)).map_all(db, list_shown)


async def list_shown(db: Read, invoices: Sequence[StoredInvoice]) -> list[Invoice]:
    """The invoices of one workshop as they are read. Drafts have the figures and parties of this moment."""
    return [each.to_response() for each in await _as_they_are(db, invoices)]


async def _as_they_are(db: Read, invoices: Sequence[StoredInvoice]) -> list[StoredInvoice]:
    drafts = [_draft_of(each) for each in invoices if not each.is_issued]
    if not drafts:
        return list(invoices)
    sources = await _find_sources(db, invoices[0].workshop_id, drafts)
    found: list[StoredInvoice] = []
    for each in invoices:
        if found:
            # Totals of 500 lines take a millisecond or two: other requests go on between invoices. A single one is also
            # read in a write, which waits for nothing but the database.
            await asyncio.sleep(0)
        found.append(each if each.is_issued else _as_it_is(sources, each))
    return found


def _as_it_is(sources: _Sources, draft: StoredInvoice) -> StoredInvoice:
    try:
        return _with(draft, _make(sources, _draft_of(draft)))
    except (ValidationError, Conflict, NotFound):
        # Its revision or the settings have changed since; issuing says what is wrong.
        return draft


async def create(db: Write, call: Call, order: OrderRef, body: NewInvoice) -> Invoice:
    """Make a draft of an invoice of an order.

    Raises Conflict `not_confirmed` where its estimate has no revision, `other_currency` where an advance is in another.
    """
    draft = _Draft(order.id, body.kind, made_of(InvoiceFacts, body, reason=UNSET, standing_id=UNSET))
    return await _add(db, call, order.workshop_id, draft, await _find_sources(db, order.workshop_id, [draft]))


async def _add(db: Write, call: Call, workshop_id: str, draft: _Draft, sources: _Sources) -> Invoice:
    made = _make(sources, draft)
    invoice = StoredInvoice(
        id=call.new_id(),
        workshop_id=workshop_id,
        order_id=draft.order_id,
        customer_id=made.customer_id,
        kind=draft.kind,
        state="draft",
        currency=made.currency,
        estimate_id=made.estimate_id,
        revision_number=made.revision_number,
        corrected_id=draft.corrected_id,
        facts=draft.facts,
        content=made.content,
        number=None,
        issue_date=None,
        due_date=draft.facts.due_date or None,
        standing_thousandths=None,
        created_at=call.now,
        created_by_uid=call.uid,
        issued_at=None,
        issued_by_uid=None,
        paid_thousandths=0,
    )
    await db.run(_INSERT, **_values(invoice))
    return invoice.to_response()


_NAMES = (
    "id", "workshop_id", "order_id", "customer_id", "kind", "state", "currency", "estimate_id", "revision_number",
    "corrected_id", "facts", "content", "number", "number_folded", "buyer_folded", "issue_date", "due_date",
    "total_thousandths", "standing_thousandths", "created_at", "created_by_uid", "issued_at", "issued_by_uid",
)  # fmt: skip
_INSERT = f"INSERT INTO invoices ({', '.join(_NAMES)}) VALUES ({', '.join(f':{name}' for name in _NAMES)})"
_SAVE = f"UPDATE invoices SET {', '.join(f'{name} = :{name}' for name in _NAMES if name != 'id')} WHERE id = :id"


def _values(invoice: StoredInvoice) -> dict[str, Value]:
    of_fields = {name: getattr(invoice, name) for name in _NAMES if name in StoredInvoice.__struct_fields__}
    return of_fields | {
        "facts": to_json_text(invoice.facts),
        "content": to_json_text(invoice.content),
        "number_folded": None if invoice.number is None else fold_case(invoice.number),
        "buyer_folded": fold_case(invoice.content.buyer.name),
        "total_thousandths": thousandths(invoice.content.figures.total),
    }


async def get(db: Read, invoice: StoredInvoice) -> Invoice:
    """Read an invoice. A draft has the figures and parties of this moment."""
    return (await list_shown(db, [invoice]))[0]


def _draft_of(invoice: StoredInvoice) -> _Draft:
    return _Draft(invoice.order_id, invoice.kind, invoice.facts, invoice.corrected_id)


def _with(invoice: StoredInvoice, made: _Made) -> StoredInvoice:
    return structs.replace(
        invoice,
        content=made.content,
        currency=made.currency,
        customer_id=made.customer_id,
        estimate_id=made.estimate_id,
        revision_number=made.revision_number,
    )


async def update(db: Write, invoice: StoredInvoice, body: InvoiceEdit) -> Invoice | Unchanged[Invoice]:
    """Change a draft; null clears a member. A correction whose lines are cleared has those that stand now.

    Raises Conflict `issued` for an issued invoice.
    """
    if invoice.is_issued:
        raise is_issued()
    if invoice.corrected_id is not None:
        _require_correctable(body)
    draft = structs.replace(_draft_of(invoice), facts=edited(invoice.facts, body))
    sources = await _find_sources(db, invoice.workshop_id, [draft])
    if invoice.corrected_id is not None and body.lines is None:
        draft = _begun(sources, draft)
    changed = structs.replace(invoice, facts=draft.facts, due_date=draft.facts.due_date or None)
    after = _with(changed, _make(sources, draft))
    if after == invoice:
        return Unchanged(invoice.to_response())
    await db.run(_SAVE, **_values(after))
    return after.to_response()


def _require_correctable(body: InvoiceEdit) -> None:
    for name, member in (("revision_number", "revisionNumber"), ("amount", "amount")):
        if getattr(body, name) is not UNSET:
            raise ValidationError(FieldError(f"/{member}", "conflict", "A correction has lines and a buyer of its own"))


async def delete(db: Write, invoice: StoredInvoice) -> StoredInvoice:
    """Delete a draft. Raises Conflict `issued` for an issued invoice."""
    if invoice.is_issued:
        raise is_issued()
    await db.run("DELETE FROM invoices WHERE id = :id", id=invoice.id)
    return invoice


async def correct(db: Write, call: Call, invoice: StoredInvoice, body: NewCorrection) -> Invoice:
    """Make a draft of a correction, with the lines as they stand after earlier ones.

    Raises Conflict `draft` for a draft.
    """
    if not invoice.is_issued:
        raise is_draft()
    facts = InvoiceFacts(reason=body.reason)
    draft = _Draft(invoice.order_id, "correction", facts, invoice.corrected_id or invoice.id)
    sources = await _find_sources(db, invoice.workshop_id, [draft])
    return await _add(db, call, invoice.workshop_id, _begun(sources, draft), sources)


def _begun(sources: _Sources, draft: _Draft) -> _Draft:
    """The draft of a correction that begins with the lines as they stand now."""
    standing = sources.corrected(draft)
    lines = [made_of(NewInvoiceLine, line) for line in _lines_of(sources, standing)]
    return structs.replace(draft, facts=structs.replace(draft.facts, lines=lines, standing_id=standing.now.id))


async def issue(db: Write, call: Call, invoice: StoredInvoice, body: InvoiceIssue) -> Invoice:
    """Issue a draft: it gets the next number of its series, and never changes again.

    Raises ValidationError for a day in the future, before the latest of the series or before what it corrects,
    Conflict `issued`, `incomplete`, `changed` where another correction was issued since, `over_invoiced` where more
    than the price would be invoiced, `invoiced` for a second invoice.
    """
    if invoice.is_issued:
        raise is_issued()
    settings = await document_settings.find(db, invoice.workshop_id)
    if settings.logo_file_id is not UNSET:
        # It becomes a part of the invoice, and must not be deleted at the same time.
        await db.lock(f"icons {invoice.workshop_id}")
    draft = _draft_of(invoice)
    sources = await _find_sources(db, invoice.workshop_id, [draft])
    settings = sources.settings
    today = settings.today(call.now).isoformat()
    day = body.issue_date or today
    if day > today:
        raise ValidationError(FieldError("/issueDate", "too_late", "An invoice is not dated in the future"))
    after = _with(invoice, _make(sources, draft))
    if not after.content.buyer.name.strip():
        raise incomplete([FieldError("/buyer/name", "missing", "An invoice names its buyer")])
    if not after.content.figures.lines:
        raise incomplete([FieldError("/lines", "missing", "An invoice has at least one line")])
    await _require_allowed(db, after, day, sources)
    number = await take_number(db, invoice.workshop_id, settings.invoice_pattern(invoice.kind), day)
    days = DEFAULT_PAYMENT_DAYS if settings.payment_days is UNSET else settings.payment_days
    due = invoice.facts.due_date or (date.fromisoformat(day) + timedelta(days)).isoformat()
    after = structs.replace(
        after,
        state="issued",
        number=number,
        issue_date=day,
        due_date=due,
        issued_at=call.now,
        issued_by_uid=call.uid,
    )
    await db.run(_SAVE, **_values(after))
    workshop = await workshops.find(db, invoice.workshop_id)
    kept = snapshot(workshop, settings, NO_FACTS, number, call.now)
    logo = "UPDATE invoices SET snapshot = :snapshot, logo_file_id = :logo WHERE id = :id"
    await db.run(logo, id=invoice.id, snapshot=to_json_text(kept), logo=kept.logo_file_id)
    await issued_invoices.save_paid(db, invoice.order_id)
    return (await find(db, invoice.id)).to_response()


async def _require_allowed(db: Read, invoice: StoredInvoice, day: str, sources: _Sources) -> None:
    """Raises Conflict, ValidationError. The order is locked."""
    corrects, before = invoice.content.corrects, None
    if corrects is not None:
        standing = sources.corrected(_draft_of(invoice)).now
        if standing.id != (invoice.facts.standing_id or corrects.invoice_id):
            # Its lines and buyer are whole, and would undo what the other one has corrected.
            raise Conflict("changed", f"{standing.number} was issued since; clear the lines to begin with those of it")
        latest, before = standing.issue_date or "", standing.content.figures
        if day < latest:
            detail = f"What it corrects is of {latest}"
            raise ValidationError(FieldError("/issueDate", "too_early", detail))
    others = [each for each in sources.standing(invoice.order_id) if each.root.id != invoice.corrected_id]
    figures = invoice.content.figures
    kind = invoice.kind if corrects is None else corrects.kind
    # A correction can make one stand again.
    is_new = not figures.is_nothing and (before is None or before.is_nothing)
    if is_new and kind in _OF_ALL and any(each.root.kind in _OF_ALL for each in others):
        raise Conflict("invoiced", "The order has an invoice; correct it to nothing first")
    if corrects is not None and corrects.difference.total <= 0:
        # What is wrong can be taken back, also where another price or currency was agreed since.
        return
    _require_currency(others, invoice.currency)
    price = (await balances.find(db, invoice.order_id, sources.settings)).price
    if price is None:
        return
    if price.currency != invoice.currency:
        raise balances.other_currency()
    with localcontext(EXACT):
        whole = sum((each.now.content.figures.total + 0 for each in others), Decimal(0)) + figures.total
        if whole > price.amount:
            detail = f"{plain(whole)} {price.currency} would be invoiced of {plain(price.amount)} that were agreed"
            raise Conflict("over_invoiced", detail)


# Over HTTP


class _Look(Struct, frozen=True):
    snapshot: DocumentSnapshot | None
    logo_file_id: str | None
    order_number: int


_LOOK = """
    SELECT i.snapshot, i.logo_file_id, d.number AS order_number
    FROM invoices i JOIN order_details d ON d.order_id = i.order_id WHERE i.id = :id
"""


async def _printed(
    db: Database, call: Call, invoice: StoredInvoice, locale: DocumentLocale | UnsetType, services: EndpointServices
) -> PrintedInvoice:
    """Everything that the PDF shows. Raises Unavailable."""
    async with db.read() as read:
        (invoice,) = await _as_they_are(read, [invoice])
        look = await read.one(_Look, _LOOK, id=invoice.id)
        if look is None:
            raise NotFound
        shown = look.snapshot
        if shown is None:
            workshop = await workshops.find(read, invoice.workshop_id)
            settings = await document_settings.find(read, invoice.workshop_id)
            shown = snapshot(workshop, settings, NO_FACTS, "", call.now)
        logo = None
        if shown.logo_file_id is not None and shown.settings.show_logo:
            logo = await files.lookup_with_deleted(read, shown.logo_file_id)
        language = (await accounts.find(read, call.uid)).locale if locale is UNSET else locale
    document = invoice.document()
    return PrintedInvoice(
        document=document,
        letterhead=await with_logo(letterhead(shown, language, None), logo, services.blobs),
        locale=language,
        paper_size=shown.settings.paper_size,
        order_number=look.order_number,
        made_on=shown.settings.today(call.now),
        payment_code=_payment_code(document),
        xml=xml_of(document, "cii") if invoice.is_issued and not missing_facts(document, "cii") else None,
    )


def _payment_code(invoice: InvoiceDocument) -> str:
    """Of the whole invoice: files never change by payments. "" where none can be made."""
    iban = normalized_iban(invoice.seller.iban or "")
    if not invoice.number or invoice.corrects is not None or not is_iban(iban):
        return ""
    seller = invoice.seller
    asked = Transfer(
        iban, seller.name, invoice.figures.total + 0, invoice.currency, invoice.number, seller.tax_id or ""
    )
    return asked.code or ""


async def _pdf(
    db: Database, call: Call, invoice: StoredInvoice, locale: DocumentLocale | UnsetType, services: EndpointServices
) -> bytes:
    printed = await _printed(db, call, invoice, locale, services)
    async with services.pdf_slots.slot(call.uid):
        return await services.renderer.render_invoice(printed)


async def issued_files(db: Database, call: Call, invoice_id: str, services: EndpointServices) -> dict[str, bytes]:
    """The PDF of an issued invoice and, where it can be made, its FA(3), by the ends of their names.

    Raises NotFound, Unavailable, and RenderError for one that cannot be drawn.
    """
    async with db.read() as read:
        invoice = await find(read, invoice_id)
    made = {".pdf": await _pdf(db, call, invoice, UNSET, services)}
    document = invoice.document()
    if not missing_facts(document, "fa3"):
        made["-fa3.xml"] = xml_of(document, "fa3")
    return made


async def download(
    db: Database, call: Call, invoice: StoredInvoice, query: InvoiceQuery, services: EndpointServices
) -> Response:
    """Download an invoice as PDF; an issued one with its file inside (Factur-X), where it can be made."""
    content = await _pdf(db, call, invoice, query.locale, services)
    shown = disposition(f"{file_name(invoice)}.pdf", inline=True)
    return made_file(content, b"application/pdf", (b"content-disposition", shown))


async def download_xml(db: Read, invoice: StoredInvoice, query: XmlQuery) -> Response:
    """Download an issued invoice as an XML file of a format.

    Raises Conflict `draft`, which names what the file would lack, and `incomplete` where a fact that the format needs
    is missing.
    """
    (now,) = await _as_they_are(db, [invoice])
    document = now.document()
    wanted: InvoiceFormat = query.format
    missing = missing_facts(document, wanted)
    if not invoice.is_issued:
        raise is_draft(missing)
    if missing:
        raise incomplete(missing)
    shown = disposition(f"{file_name(invoice)}-{wanted}.xml", inline=False)
    return made_file(xml_of(document, wanted), b"application/xml", (b"content-disposition", shown))


def file_name(invoice: StoredInvoice) -> str:
    """Without the end."""
    return (invoice.number or "draft").replace("/", "-")
