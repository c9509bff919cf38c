"""What customers are found by: the texts of a search, the name by which they are sorted, and what duplicates share."""

import unicodedata

from msgspec import UNSET

from backbench.domain.customers.customers import Customer
from backbench.domain.customers.phones import digits
from backbench.domain.values.scalars import fold_case

_MOST_CHARACTERS = 250
# After every letter of the Latin alphabet, so that `ł` comes after `l` and before `m`, `ż` after `ź`.
_POLISH = {letter: f"{letter_without}~" for letter, letter_without in zip("ąćęłńóśż", "acelnosz", strict=True)}
_POLISH["ź"] = "z}"
# Letters with a sign that is no combining mark.
_PLAIN = str.maketrans({"ł": "l", "đ": "d", "ø": "o"})


def sort_name(name: str) -> str:
    """The key of the name in alphabetical order, without regard to case: Polish letters as in Polish."""
    folded = fold_case(name)
    if not folded.isascii():
        folded = "".join(_POLISH.get(each) or _without_marks(each) for each in folded)
    return folded[:_MOST_CHARACTERS]


def search_text(customer: Customer) -> str:
    """Name and email addresses, folded; the name once more without accents, as many people type it."""
    name = fold_case(customer.name)
    plain = _without_marks(name)
    return "\n".join([name, *([] if plain == name else [plain]), *map(fold_case, customer.emails)])


def phone_digits(customer: Customer) -> str:
    """The digits of each number as it was typed, and of its E.164 where that does not end with the same."""
    lines = []
    for phone in customer.phones:
        typed, international = digits(phone.number), digits(phone.e164 or "")
        lines += [typed] if not international or typed == international else [typed, international]
    return "\n".join(lines)


def keys(customer: Customer) -> list[str]:
    """What another record of the same person would share: phones, email addresses and the tax id."""
    phones = (f"phone {phone.e164}" for phone in customer.phones if phone.e164 is not UNSET)
    emails = (f"email {fold_case(email)}" for email in customer.emails)
    tax_id = tax_key(customer.tax_id or "")
    return sorted({*phones, *emails, *([f"tax {tax_id}"] if tax_id else [])})


def tax_key(tax_id: str) -> str:
    """The tax id without spaces and signs, and without the country before digits alone: `PL 526-000-12-46`."""
    plain = "".join(each for each in fold_case(tax_id) if each.isalnum())
    return plain[2:] if plain[:2].isalpha() and plain[2:].isdecimal() else plain


def _without_marks(text: str) -> str:
    if text.isascii():
        return text
    decomposed = unicodedata.normalize("NFKD", text.translate(_PLAIN))
    return "".join(each for each in decomposed if not unicodedata.combining(each))
