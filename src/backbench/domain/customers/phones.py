"""Phone numbers as they are typed, and in the international form E.164 (`+48600100200`)."""


def e164_of(number: str, country: str | None) -> str | None:
    """The number in E.164, read as one of the country (ISO 3166) unless it begins with `+`; None where it cannot be."""
    # Imported at first use: its data of all countries would take a part of each start.
    import phonenumbers

    try:
        read = phonenumbers.parse(number, country)
    except phonenumbers.NumberParseException:
        return None
    if not phonenumbers.is_possible_number(read):
        return None
    return str(phonenumbers.format_number(read, phonenumbers.PhoneNumberFormat.E164))


def national_digits(e164: str) -> str:
    """The digits of a number in E.164 without those of the country; "" for none."""
    if not e164:
        return ""
    import phonenumbers

    return str(phonenumbers.national_significant_number(phonenumbers.parse(e164)))


def digits(text: str) -> str:
    """The decimal digits of a phone number."""
    return "".join(character for character in text if character.isdecimal())


# What people write between the digits of a phone number.
_SIGNS = frozenset("+-/(). \u00a0")


def searched_digits(q: str) -> str:
    """The digits that a search is for; "" where it is for a text."""
    found = digits(q)
    return found if found and all(each.isdecimal() or each in _SIGNS for each in q) else ""
