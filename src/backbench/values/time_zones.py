"""Time zones: the names of the IANA database, as in the tzdata package, so that every host accepts the same ones."""

from importlib import resources
from typing import Annotated

from backbench.values.enums import UserLocale
from backbench.values.scalars import Rule

TIME_ZONES = frozenset(resources.files("tzdata").joinpath("zones").read_text("ascii").split())
TimeZone = Annotated[
    str,
    Rule(
        code="unknown_time_zone",
        detail="Expected a time zone of the IANA database, such as Europe/Warsaw",
        holds=TIME_ZONES.__contains__,
    ),
]
# Where the default currency of the locale is used: PLN and EUR.
_DEFAULTS: dict[UserLocale, str] = {"pl": "Europe/Warsaw", "en": "Europe/Dublin"}


def default_time_zone(locale: UserLocale) -> str:
    return _DEFAULTS[locale]
