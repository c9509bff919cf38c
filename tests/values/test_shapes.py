"""Shapes that are made of others."""

from decimal import Decimal
from typing import Annotated

import pytest
from msgspec import UNSET, Struct, UnsetType

from backbench.values.shapes import Made, edited, made_of, sent, with_ids


class Leg(Struct, frozen=True):
    length: Decimal | None


class Table(Struct, frozen=True):
    id: str
    name: str
    note: str | None
    price: Decimal
    top: Leg | None
    legs: list[Leg]

    @property
    def is_expensive(self) -> bool:
        return self.price > 100


Text = Annotated[str, Made(str)]


class ShownLeg(Struct, frozen=True):
    length: Text | UnsetType = UNSET


class ShownTable(Struct, frozen=True):
    id: str
    name: str
    price: Text
    legs: list[ShownLeg]
    is_expensive: bool
    note: str | UnsetType = UNSET
    top: ShownLeg | UnsetType = UNSET


class Label(Struct, frozen=True):
    note: str
    price: Decimal


class Edit(Struct, frozen=True):
    name: str | UnsetType = UNSET
    note: str | UnsetType | None = UNSET


class NewTable(Struct, frozen=True):
    name: str
    id: str | UnsetType = UNSET


class Named(Struct, frozen=True):
    id: str
    name: str


TABLE = Table("t", "Oak", None, Decimal("120.50"), None, [Leg(Decimal(70)), Leg(None)])


def test_what_is_null_is_absent_where_a_field_cannot_be_null_and_parts_are_made_of_parts() -> None:
    shown = made_of(ShownTable, TABLE)
    assert shown == ShownTable("t", "Oak", "120.50", [ShownLeg("70"), ShownLeg()], True)
    assert made_of(ShownTable, Table("t", "Oak", "low", Decimal(1), Leg(Decimal(2)), [])) == ShownTable(
        "t", "Oak", "1", [], False, "low", ShownLeg("2")
    )


def test_an_absent_text_is_empty_where_a_field_is_only_text() -> None:
    assert made_of(Label, TABLE) == Label("", Decimal("120.50"))


def test_the_first_source_that_has_a_name_gives_it_and_what_is_named_comes_before_all() -> None:
    assert made_of(Label, Label("own", Decimal(1)), TABLE).note == "own"
    assert made_of(Label, TABLE, Label("own", Decimal(1))).note == ""
    assert made_of(Label, TABLE, note="given").note == "given"


def test_a_field_that_no_source_has_is_an_error_also_where_it_has_a_default() -> None:
    with pytest.raises(TypeError, match="Named: no price for a Label"):
        made_of(Label, Named("n", "name"), note="")
    with pytest.raises(TypeError, match="note"):
        made_of(ShownTable, Named("n", "name"), price="1", legs=[], is_expensive=False, top=UNSET)


def test_an_edit_changes_what_was_sent_and_null_clears() -> None:
    before = Table("t", "Oak", "low", Decimal(1), None, [])
    assert edited(before, Edit()) == before
    assert edited(before, Edit(name="Ash", note=None)) == Table("t", "Ash", None, Decimal(1), None, [])
    assert edited(made_of(ShownTable, before), Edit(note=None)).note is UNSET
    assert edited(before, Edit(name="Ash"), name="Elm").name == "Elm"
    assert sent(Edit(note=None)) == {"note": None}


def test_entries_keep_their_ids_and_others_get_new_ones() -> None:
    assert with_ids(Named, [NewTable("a", "own"), NewTable("b")], lambda: "new") == [
        Named("own", "a"),
        Named("new", "b"),
    ]
