"""Texts that other people get to see: none of spaces alone, none that is shown in another order than it is stored."""

from collections.abc import Iterator
from typing import Any, get_args, get_origin

from msgspec import Struct

from backbench.http import checks
from backbench.routes import OPERATIONS
from backbench.values.scalars import LINE_FEEDS, NO_CONTROL, NOT_BLANK, NOT_REVERSED
from tests.people import App
from tests.support.violations import violations

IDENTIFIERS = (
    "logo_file_id", "icon_file_id", "customer_id", "estimate_id", "assigned_to", "photo_ids", "grid_ids", "item_ids",
    "template_slug", "iban", "path",
)  # fmt: skip
# The specification states their limits.
SPECIFIED = ("NewOrder", "OrderEdit", "OrderFromEstimate", "NewWorkshop", "WorkshopEdit")
# Phone numbers are copied from address books with such characters; people write these sentences to each other.
MAY_BE_REVERSED = ("phone", "recipient_phone", "NewPhone.number", "text", "reason")
# Names of signers need a letter.
SIGNERS = ("NewComment.name", "NewAcceptance.name", "NewDecline.name", "NewDecision.name")


def texts(type_: type[Struct], seen: set[type[Struct]]) -> Iterator[tuple[str, Any]]:
    """Each text of a body that is one of ours to describe: of one line, or of several."""
    if type_ in seen:
        return
    seen.add(type_)
    for field, hint in checks.fields_of(type_):
        for option in _options(hint):
            bare = checks.bare_type(option)
            if checks.is_struct(bare):
                yield from texts(bare, seen)
            meta = checks.meta(option)
            if bare is str and meta is not None and meta.pattern in (NO_CONTROL, LINE_FEEDS):
                yield f"{type_.__name__}.{field.name}", option


def _options(hint: Any) -> Iterator[Any]:
    for option in checks.parts(hint):
        yield option
        bare = checks.bare_type(option)
        if get_origin(bare) in (list, dict):
            for inner in get_args(bare)[-1:]:
                yield from _options(inner)


def missing(name: str, option: Any) -> list[str]:
    type_name, _, field = name.partition(".")
    if field in IDENTIFIERS or type_name in SPECIFIED:
        return []
    may_lack = [NOT_REVERSED] if {name, field} & {*MAY_BE_REVERSED} else []
    may_lack += [NOT_BLANK] if name in SIGNERS else []
    return [rule.code for rule in (NOT_BLANK, NOT_REVERSED) if rule not in [*checks.rules_in(option), *may_lack]]


def test_every_text_that_is_shown_has_both_rules() -> None:
    seen: set[type[Struct]] = set()
    with violations() as case:
        for operation in OPERATIONS:
            if operation.body is not None:
                for name, option in texts(operation.body, seen):
                    with case(name):
                        assert missing(name, option) == []


async def test_texts_of_documents_are_neither_blank_nor_reversed(app: App) -> None:
    anna = await app.owner()
    created = await anna.estimate(lineItems=[], recipientName="")
    settings = f"/workshops/{created['workshopId']}/document-settings"
    with violations() as case:
        for wrong, code in (("   ", "blank"), ("Jan \u202eKowalski\u202c", "reversed")):
            for send, path, body in (
                (anna.patch, f"/estimates/{created['id']}", {"recipientName": wrong}),
                (anna.put, f"/estimates/{created['id']}/document", {"terms": wrong}),
                (anna.put, f"/estimates/{created['id']}/document", {"recipientAddress": wrong}),
                (anna.put, settings, {"currency": "EUR", "footer": wrong}),
                (anna.put, settings, {"currency": "EUR", "tagline": {"en": wrong, "pl": ""}}),
            ):
                with case(f"{body}"):
                    response = await send(path, body)
                    assert response.status_code == 400
                    assert [error["code"] for error in response.json()["errors"]] == [code]


async def test_names_of_spaces_and_reversing_characters_are_refused(app: App) -> None:
    anna = await app.owner()
    created = await anna.estimate(lineItems=[])
    for wrong, code in (("   ", "blank"), ("Jan \u202eKowalski", "reversed")):
        response = await anna.patch(f"/estimates/{created['id']}", {"name": wrong})
        assert (response.status_code, response.json()["errors"][0]["code"]) == (400, code)
        line = {"label": wrong, "unit": "piece", "unitPrice": 1, "quantity": 1}
        response = await anna.patch(f"/estimates/{created['id']}", {"lineItems": [line]})
        assert (response.status_code, response.json()["errors"][0]["pointer"]) == (400, "/lineItems/0/label")


async def test_a_phone_number_from_an_address_book_is_accepted(app: App) -> None:
    anna = await app.owner()
    created = await anna.estimate(lineItems=[])
    copied = "\u202a+48 600 100 200\u202c"

    response = await anna.put(f"/estimates/{created['id']}/document", {"recipientPhone": copied})

    assert response.json() == {"recipientPhone": copied}
    assert (await anna.put(f"/estimates/{created['id']}/document", {"recipientPhone": " "})).status_code == 400
