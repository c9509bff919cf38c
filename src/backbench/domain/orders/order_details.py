"""Order details: what the work on the shelf needs of an order that the Order shape does not have."""

from datetime import date
from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType, structs

from backbench.domain.estimating.estimates import Identifier, UnitPrice
from backbench.domain.orders.stages import OrderStage
from backbench.domain.values.errors import Conflict, FieldError, ValidationError
from backbench.domain.values.numbers import Number
from backbench.domain.values.scalars import END, LINE_FEEDS, LINES, NO_CONTROL, NOT_BLANK, NOT_REVERSED, ONE_LINE, Rule
from backbench.domain.values.times import Instant

WaitingFor = Literal["parts", "customer", "supplier", "other"]
OrderOutcome = Literal["repaired", "not_repaired", "declined"]


def is_date(text: str) -> bool:
    """Whether it is a day of the calendar as YYYY-MM-DD, the one form in which days sort as text."""
    try:
        return len(text) == 10 and date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


Day = Annotated[
    str, Rule(code="malformed", detail="Expected a date as YYYY-MM-DD", holds=is_date, schema={"format": "date"})
]
TimeOfDay = Annotated[
    str, Meta(pattern=r"^(?:[01][0-9]|2[0-3]):[0-5][0-9]" + END, extra={"detail": "Expected a time as HH:MM"})
]
Phone = Annotated[str, Meta(min_length=1, max_length=40, pattern=NO_CONTROL, extra=ONE_LINE), NOT_BLANK]
Place = Annotated[str, Meta(min_length=1, max_length=50, pattern=NO_CONTROL, extra=ONE_LINE), NOT_BLANK, NOT_REVERSED]
Description = Annotated[
    str, Meta(min_length=1, max_length=500, pattern=LINE_FEEDS, extra=LINES), NOT_BLANK, NOT_REVERSED
]
Condition = Annotated[
    str, Meta(min_length=1, max_length=2000, pattern=LINE_FEEDS, extra=LINES), NOT_BLANK, NOT_REVERSED
]
Serial = Annotated[str, Meta(min_length=1, max_length=100, pattern=NO_CONTROL, extra=ONE_LINE), NOT_BLANK, NOT_REVERSED]
Collector = Annotated[
    str, Meta(min_length=1, max_length=100, pattern=NO_CONTROL, extra=ONE_LINE), NOT_BLANK, NOT_REVERSED
]


class OrderItem(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The thing itself. `description` is in the customer's words, `condition` in the workshop's."""

    description: Description | UnsetType = UNSET
    condition: Condition | UnsetType = UNSET
    serial: Serial | UnsetType = UNSET
    pieces: Annotated[int, Meta(ge=1, le=99)] | UnsetType = UNSET


NO_ITEM = OrderItem()


class OrderDetails(Struct, frozen=True, rename="camel", kw_only=True):
    order_id: str
    number: int
    stage: OrderStage
    customer_id: str | UnsetType = UNSET
    phone: str | UnsetType = UNSET
    item: OrderItem | UnsetType = UNSET
    due_on: str | UnsetType = UNSET
    due_time: str | UnsetType = UNSET
    price_limit: Number | UnsetType = UNSET
    place: str | UnsetType = UNSET
    assigned_to: str | UnsetType = UNSET
    waiting_for: WaitingFor | UnsetType = UNSET
    waiting_until: str | UnsetType = UNSET
    outcome: OrderOutcome | UnsetType = UNSET
    estimate_id: str | UnsetType = UNSET
    ready_at: Instant | UnsetType = UNSET
    collected_at: Instant | UnsetType = UNSET
    collected_by: str | UnsetType = UNSET
    exceeds_limit: bool | UnsetType = UNSET


class OrderDetailsEdit(Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """null clears a member, an absent member is unchanged. `item` is replaced as a whole; an empty one is none."""

    customer_id: Identifier | UnsetType | None = UNSET
    phone: Phone | UnsetType | None = UNSET
    item: OrderItem | UnsetType | None = UNSET
    due_on: Day | UnsetType | None = UNSET
    due_time: TimeOfDay | UnsetType | None = UNSET
    price_limit: UnitPrice | UnsetType | None = UNSET
    place: Place | UnsetType | None = UNSET
    assigned_to: Identifier | UnsetType | None = UNSET
    waiting_for: WaitingFor | UnsetType | None = UNSET
    waiting_until: Day | UnsetType | None = UNSET
    outcome: OrderOutcome | UnsetType | None = UNSET
    estimate_id: Identifier | UnsetType | None = UNSET


class Facts(Struct, frozen=True):
    """The writable members as they are stored, and the number that the order got with its creation."""

    number: int
    customer_id: str | None
    phone: str | None
    item: OrderItem | None
    due_on: str | None
    due_time: str | None
    price_limit: Number | None
    place: str | None
    assigned_to: str | None
    waiting_for: WaitingFor | None
    waiting_until: str | None
    outcome: OrderOutcome | None
    estimate_id: str | None

    @property
    def pieces(self) -> int:
        """How many pieces the item has: 1 where it is not stated."""
        return 1 if self.item is None else self.item.pieces or 1

    def edited(self, edit: OrderDetailsEdit) -> "Facts":
        """With the members that were sent. A time needs a day: clearing the day clears it. Raises ValidationError."""
        sent: dict[str, Any] = {name: value for name, value in structs.asdict(edit).items() if value is not UNSET}
        if sent.get("item") == NO_ITEM:
            sent["item"] = None
        after = structs.replace(self, **sent)
        if after.due_on is None and after.due_time is not None:
            if edit.due_time is not UNSET:
                raise ValidationError(FieldError("/dueTime", "requires_due_on", "A time needs dueOn, its day"))
            after = structs.replace(after, due_time=None)
        return after


class NewCollection(Struct, frozen=True, forbid_unknown_fields=True):
    """`to`: who collected it, where it was not the customer."""

    to: Collector | UnsetType = UNSET


def unknown_member(pointer: str, detail: str) -> ValidationError:
    return ValidationError(FieldError(pointer, "unknown", detail))


def not_done() -> Conflict:
    return Conflict("not_done", "Only an order that is done can be collected")
