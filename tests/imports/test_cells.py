"""Cells of files: numbers, days, times, units and statuses as both languages write them."""

from datetime import date
from decimal import Decimal

import pytest

from backbench.imports import cells
from backbench.imports.cells import CellError, Notation, read_number
from tests.support.violations import violations

POLISH, ENGLISH = Notation(","), Notation(".")


@pytest.mark.parametrize(
    ("cell", "number"),
    [
        ("12", "12"),
        ("12,5", "12.5"),
        ("12.50", "12.5"),
        ("1 234,50 zł", "1234.5"),
        ("1\u00a0234,50\u00a0zł", "1234.5"),
        ("1.234,50", "1234.5"),
        ("€1,234.50", "1234.5"),
        ("1.234.567", "1234567"),
        ("12,50 zł/m2", "12.5"),
        ("PLN 80", "80"),
        ("33.3333333333333", "33.3333"),
        (",5", "0.5"),
        ("-5", "-5"),
    ],
)
def test_a_number_is_read_as_it_was_meant(cell: str, number: str) -> None:
    assert cells.read_number(cell, POLISH) == Decimal(number)
    assert cells.read_number(cell, ENGLISH) == Decimal(number)


def test_thousands_and_decimals_are_recognized_by_the_column() -> None:
    assert cells.decimal_marks(["1.234", "12,50"]) == ({","}, ["1.234"])
    assert cells.decimal_marks(["1,234", "0,125"]) == ({","}, ["1,234"])
    assert cells.decimal_marks(["1 234,500", "1.234.567", "12", 1.5]) == ({","}, [])
    assert cells.decimal_marks(["1,234", "2.345"]) == (set(), ["1,234", "2.345"])
    assert cells.read_number("1,234", POLISH) == Decimal("1.234")
    assert cells.read_number("1,234", ENGLISH) == Decimal(1234)


@pytest.mark.parametrize(
    ("cell", "number"),
    [("120,-", "120"), ("120.–", "120"), ("(12,50)", "-12.5"), ("12,50-", "-12.5"), ("0,125", "0.125")],
)
def test_whole_and_negative_amounts_are_read_as_people_write_them(cell: str, number: str) -> None:
    assert cells.read_number(cell, ENGLISH) == Decimal(number)


def test_numbers_of_spreadsheets_have_no_language() -> None:
    assert cells.read_number(1.375, POLISH) == cells.read_number(1.375, ENGLISH) == Decimal("1.375")


@pytest.mark.parametrize("cell", ["ask", "12 or 13", "1e5", "#N/A", "=1+1", "--5"])
def test_what_is_no_number_is_refused(cell: str) -> None:
    with pytest.raises(CellError, match="number"):
        cells.read_number(cell, POLISH)


@pytest.mark.parametrize(
    "cell",
    [
        "2026-11-23",
        "2026-11-23 10:15",
        "2026-11-23T10:15:00Z",
        "2026.11.23",
        "23.11.2026",
        "23.11.26",
        "23/11/2026",
        "23 listopada 2026",
        "23 listopada 2026 r.",
        "23 lis 2026",
        "23 Nov 2026",
        "23-Nov-26",
        "23-lis-26",
        "20261123",
        "46349",
        "poniedziałek, 23 listopada 2026",
        "pon. 23 lis 2026",
        "Mo 23. Nov 2026",
        "Monday, November 23, 2026",
        "23. November 2026",
        "23 novembre 2026",
        "23rd November, 2026",
        "November 23, 2026",
        "Nov. 23 2026",
    ],
)
def test_a_day_is_read_in_both_languages(cell: str) -> None:
    assert cells.read_day(cell, POLISH) == cells.read_day(cell, ENGLISH) == date(2026, 11, 23)


# Days with a time, a time zone or a day of the week; what they are in Warsaw.
WRITTEN: dict[str, tuple[date, str]] = {
    "1. Jänner 2026": (date(2026, 1, 1), ""),
    "3. Feber 2026": (date(2026, 2, 3), ""),
    **dict.fromkeys((
        "2026-12-05 10:30:00+01", "2026-12-05 10:30+01:00", "2026-12-05 09:30:00+00", "2026-12-05 10:30 CET",
        "2026-12-05 09:30 GMT", "05.12.2026 10:30 MEZ", "5/12/2026 10:30 a.m.", "05.12.2026 10:30 Uhr",
        "05.12.2026 um 10:30 Uhr", "05.12.2026 10.30", "05.12.2026, 10:30", "05.12.2026 r. godz. 10:30",
        "5 grudnia 2026 o 10:30", "Dec 5, 2026, 10:30 AM", "2026-12-05 10:30 (sobota)", "sob. 05.12.2026 10:30",
        "2026-12-05T10:30:00,5",
    ), (date(2026, 12, 5), "10:30")),
    **dict.fromkeys((
        "2026-12-05 So", "2026-12-05 (sobota)", "sobota 5.12.2026", "Sa., 05.12.2026", "05/12/2026 (Sat)",
        "Sat Dec 5 2026", "5 grudnia 2026 (sobota)",
    ), (date(2026, 12, 5), "")),
    **dict.fromkeys((
        "2026-12-05 23:30 UTC", "2026-12-05 18:30:00-05", "2026-12-05T18:30:00.000-0500",
    ), (date(2026, 12, 6), "00:30")),
    "2026-07-05 10:30 CEST": (date(2026, 7, 5), "10:30"),
    **dict.fromkeys((
        "Thur 3 Dec 2026", "Do, 3. Dez. 2026", "Do. 3. Dezember 2026", "Do., 03.12.2026",
    ), (date(2026, 12, 3), "")),
    "2026-12-06 So": (date(2026, 12, 6), ""),
}  # fmt: skip


def test_a_day_may_have_a_time_a_zone_and_a_day_of_the_week() -> None:
    with violations() as case:
        for cell, expected in WRITTEN.items():
            with case(cell):
                assert cells.read_day_and_time(cell, POLISH, "Europe/Warsaw") == expected


def test_the_month_comes_first_where_the_column_says_so() -> None:
    assert cells.read_day("04/03/2026", ENGLISH) == date(2026, 3, 4)
    assert cells.read_day("04/03/2026", Notation(day_order="month")) == date(2026, 4, 3)
    assert cells.read_day("04.03.2026", Notation(day_order="month")) == date(2026, 3, 4)
    assert cells.day_orders(["04/03/2026", "11/23/2026"]) == ({"month"}, ["04/03/2026"])
    assert cells.day_orders(["04.03.2026", "05/05/2026", "45-99-12"]) == ({"day", "month"}, [])


def test_two_digits_may_be_the_year_of_an_iso_day_or_the_day() -> None:
    assert cells.day_orders(["26-11-23"]) == ({"day", "year"}, ["26-11-23"])
    assert cells.day_orders(["26-11-23", "05-06-07"]) == ({"day", "year"}, ["26-11-23", "05-06-07"])
    for decided, order in (("26-11-40", "day"), ("70-11-23", "year"), ("04-23-26", "month")):
        assert cells.day_orders([decided, "05-06-07"]) == ({order}, ["05-06-07"])
    assert cells.read_day("26-11-23", Notation(day_order="day")) == date(2023, 11, 26)
    assert cells.read_day("26-11-23", Notation(day_order="year")) == date(2026, 11, 23)
    # A column in which the month comes first in others.
    with pytest.raises(CellError):
        cells.read_day("26-11-23", Notation(day_order="month"))
    assert cells.read_day("26/11/23", Notation(day_order="year")) == date(2023, 11, 26)


@pytest.mark.parametrize("cell", [
        "31.02.2026", "tomorrow", "23.11", "2026-13-01", "0.0.0000",
        # More than a day.
        "od 23 listopada 2026", "po 23 listopada 2026", "ok. 23 listopada 2026", "from 23 November 2026",
        "after, November 23, 2026", "do 26 listopada 2026", "od 23.11.2026", "23.11.2026 albo później",
        # Another day of the week, and words that begin like a month.
        "wtorek, 23 listopada 2026", "Tuesday, November 23, 2026", "23 decyzja 2026", "1 marka 2026", "23 mayor 2026",
        "2026-11-23 (wtorek)", "Tue 2026-11-23", "2026-11-23 XYZ", "2026-11-23 10:30 XYZ", "2026-11-23 10:30 lub 11:30",
        "23.11.2026 10:30-12:30", "2026-11-23 8:00-10:00", "23/11/2026 10.30-12", "23 listopada 2026 o 10:30-12:30",
        "do 3 grudnia 2026", "Do, 23. November 2026", "03.12.2026 do",
        "do 23.11.2026", "2026-11-23 albo", "2026-11-23 25:00", "5 " + "mo " * 40_000,
    ],
)  # fmt: skip
def test_what_is_no_day_is_refused(cell: str) -> None:
    with pytest.raises(CellError):
        cells.read_day(cell, POLISH)


def test_times_units_and_statuses() -> None:
    assert [cells.read_time(cell) for cell in ("9:05", "16.30", "4:30 PM", "12:00 am")] == [
        "09:05",
        "16:30",
        "16:30",
        "00:00",
    ]
    with pytest.raises(CellError):
        cells.read_time("25:00")
    assert [cells.read_unit(cell) for cell in ("m²", "m.b.", "Szt.", "rbh", "kpl", "za godz.", "kg")] == [
        "sqm",
        "linear_m",
        "piece",
        "hour",
        "job",
        "hour",
        None,
    ]
    assert [cells.read_status(cell) for cell in ("In progress", "gotowe", "Odebrane", "przyjęte")] == [
        ("in_progress", False),
        ("done", False),
        ("done", True),
        ("todo", False),
    ]
    with pytest.raises(CellError):
        cells.read_status("lost")


def test_a_number_is_read_in_linear_time() -> None:
    """Cells that make patterns with overlapping parts try each division of the text: minutes for one of these."""
    for cell in (
        "1" + " " * 400_000 + "a1",
        "a" + " " * 400_000 + "a",
        "1" + "," * 400_000 + "a1",
        "." * 400_000 + "x",
    ):
        with pytest.raises(CellError):
            read_number(cell, POLISH)
    assert read_number("od 1 234,50 zł", POLISH) == Decimal("1234.5")
    assert read_number("− 12,50 zł/m2", POLISH) == Decimal("-12.5")
