"""Writes what the web app knows of the phone numbers of each country, and numbers with which both readers are tested.

python -m tools.phone_countries, after an update of phonenumberslite; a test fails if it was not run.
"""

import json
from pathlib import Path

import phonenumbers
from phonenumbers import PhoneMetadata, PhoneNumberFormat, PhoneNumberType

from backbench.values.phones import e164_of

ROOT = Path(__file__).parents[1]
MODULE = ROOT / "src" / "backbench" / "web" / "app" / "domain" / "phone-countries.js"
NUMBERS = ROOT / "tests" / "values" / "example_phones.json"
_HEAD = """// Phone countries: how numbers of each country are dialled. Written by tools/phone_countries.py.

/**
 * Of each country its code, the calling code, what is dialled before a number within the country (after "-" where that
 * is not all), the prefix of calls abroad where it is not 00, and the lengths of its numbers. Of the countries with one
 * calling code the first is the main one.
 */
export const COUNTRIES =
  """


def main() -> None:
    MODULE.write_text(module(), "utf-8")
    NUMBERS.write_text(json.dumps(examples(), indent=0, sort_keys=True) + "\n", "utf-8")


def module() -> str:
    return f'{_HEAD}"{";".join(map(_country, _regions()))}";\n'


def examples() -> dict[str, list[list[str | None]]]:
    """Of each country numbers as people write them, each with its E.164."""
    found: dict[str, list[list[str | None]]] = {}
    for region in _regions():
        for kind in (PhoneNumberType.MOBILE, PhoneNumberType.FIXED_LINE):
            number = phonenumbers.example_number_for_type(region, kind)
            if number is None:
                continue
            for form in (PhoneNumberFormat.NATIONAL, PhoneNumberFormat.INTERNATIONAL):
                text = phonenumbers.format_number(number, form)
                found.setdefault(region, []).append([text, e164_of(text, region)])
    return found


def _regions() -> list[str]:
    codes = phonenumbers.COUNTRY_CODE_TO_REGION_CODE
    return [region for code in sorted(codes) for region in codes[code] if region != "001"]


def _country(region: str) -> str:
    metadata = PhoneMetadata.metadata_for_region(region)
    assert metadata is not None
    assert metadata.general_desc is not None
    trunk, pattern = metadata.national_prefix or "", metadata.national_prefix_for_parsing or ""
    # Where a number may begin otherwise, or is changed, the app does not read it as one of the country.
    if (pattern and trunk not in pattern.split("|")) or metadata.national_prefix_transform_rule:
        trunk = f"-{trunk}"
    abroad = metadata.preferred_international_prefix or metadata.international_prefix or ""
    prefix = "" if abroad == "00" else abroad if abroad.isdecimal() else "-"
    kinds = [kind for kind in (metadata.fixed_line, metadata.mobile) if kind is not None]
    usual = metadata.general_desc.possible_length
    found = {length for kind in kinds for length in kind.possible_length or usual if length > 0}
    lengths = ",".join(map(str, sorted(found)))
    return f"{region} {metadata.country_code} {trunk} {prefix} {lengths}"


if __name__ == "__main__":
    main()
