"""Composed texts: names, addresses and labels that several cells of a row make together."""

from collections.abc import Callable, Iterator
from typing import Any

from backbench.imports.cells import folded, read_unit

Values = dict[str, Any]
ADDRESS = ("address", "addressLine", "houseNumber", "postalCode", "city", "region", "country")
SITE_ADDRESS = ("siteAddress", "sitePostalCode", "siteCity")


def name_of(values: Values) -> str:
    """The name of the person and of the company; "" where there is neither."""
    return ", ".join(dict.fromkeys(filter(None, (person_of(values), values.get("company")))))


def person_of(values: Values) -> str:
    """The name, and what it lacks of its parts: "Kos" and "Jan" are "Kos, Jan"."""
    name, parts = values.get("name", ""), (values.get(field, "") for field in ("firstName", "middleName", "lastName"))
    known = folded(name)
    return ", ".join(filter(None, (name, " ".join(part for part in parts if part and folded(part) not in known))))


def address_of(values: Values) -> str:
    street = " ".join(filter(None, (values.get("address"), values.get("houseNumber"))))
    lines = "\n".join(filter(None, (street, values.get("addressLine"))))
    found = _place(lines, values.get("postalCode"), values.get("city"))
    return "\n".join(filter(None, (found, values.get("region"), values.get("country"))))


def site_address_of(values: Values) -> str:
    return _place(values.get("siteAddress"), values.get("sitePostalCode"), values.get("siteCity"))


def _place(street: str | None, postal_code: str | None, city: str | None) -> str:
    place = " ".join(filter(None, (postal_code, city)))
    return "\n".join(filter(None, (street, place)))


def label_of(values: Values) -> str:
    """The label of a tile. A unit that tiles do not have, such as kg, is kept in it."""
    label, unit = values["label"], values.get("unit", "")
    return f"{label} ({unit})" if unit and read_unit(unit) is None else label


# By the fields whose cells they are made of, with the most characters that a record has for them.
COMPOSED: dict[tuple[str, ...], tuple[Callable[[Values], str], int]] = {
    ("name", "firstName", "middleName", "lastName", "company"): (name_of, 250),
    ADDRESS: (address_of, 2000),
    SITE_ADDRESS: (site_address_of, 2000),
}
MOST_LABEL = 250


def too_long(values: Values) -> Iterator[tuple[str, str, str]]:
    """The longest cell of each text of a customer that is longer than its record may have: field, code and detail."""
    for fields, (composed, most) in COMPOSED.items():
        # One cell alone has been compared with its own limit.
        while len(present := [field for field in fields if field in values]) > 1 and len(composed(values)) > most:
            yield (
                max(present, key=lambda field: len(values[field])),
                "too_long",
                f"At most {most:,} characters together",
            )
