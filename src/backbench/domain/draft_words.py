"""Words that say a number, a day or a condition of payment in English and Polish, so that no draft slips one in.

A draft may not promise in words what it may not promise in figures.
"""

import re
from datetime import date

from backbench.domain.values import locales
from backbench.domain.values.enums import DocumentLocale, LineItemUnit

_WORD = re.compile(r"[^\W\d_]+")
_ENGLISH = "two three four five six seven eight nine ten eleven twelve"
_POLISH = {
    2: "dwa dwie dwóch dwu dwom dwoma dwiema",
    3: "trzy trzech trzem trzema",
    4: "cztery czterech czterem czterema",
    5: "pięć pięciu pięcioma",
    6: "sześć sześciu sześcioma",
    7: "siedem siedmiu siedmioma",
    8: "osiem ośmiu ośmioma",
    9: "dziewięć dziewięciu",
    10: "dziesięć dziesięciu",
    11: "jedenaście jedenastu",
    12: "dwanaście dwunastu tuzin",
}
_SMALL_NUMBERS = {word: number for number, word in enumerate(_ENGLISH.split(), 2)}
_SMALL_NUMBERS |= {word: number for number, words in _POLISH.items() for word in words.split()} | {"dozen": 12}
_LARGE_NUMBERS = re.compile(
    r"""
      (?:thir|four|fif|six|seven|eigh|nine)teen | (?:twen|thir|for|fif|six|seven|eigh|nine)ty
    | hundreds? | thousands? | millions? | half | halves | quarters? | twice | double | triple | k | grand
    | \w+(?:naście|nastu) | \w+(?:dzieścia|dziestu|dziesiąt|dzieści|dziesięciu)
    | sto | stu | setki | dwieście | dwustu | (?:trzy|cztery)st[au] | (?:pięć|sześć|siedem|osiem|dziewięć)set
    | (?:pięciu|sześciu|siedmiu|ośmiu|dziewięciu)set | tysiąc\w* | tysięcy | tys | milion\w* | mln
    | pół | połow\w+ | półtor\w+ | ćwierć | dwukrotn\w+ | trzykrotn\w+ | podwójn\w+
    | zero | zera | nil | billions? | bn | miliard\w* | mld | doubled | tripled | doubling
    # What they are called at a market, and parts of a whole.
    | stów\w* | set(?:ka|kę|ką|ek) | dych\w* | dyszk\w* | tysiączk\w* | \w+(?:dziestk|dziesiątk)\w+
    | (?:third|fourth|fifth|sixth|seventh|eighth|ninth|tenth)s?
    | (?:trzeci|czwart|piąt|szóst|siódm|ósm|dziewiąt|dziesiąt)\w*
    """,
    re.VERBOSE,
)

TERMS = re.compile(
    r"""
      \b(?:free\ of\ charge|for\ free|no\ (?:charge|cost)|complimentary|discount\w*|rebates?|refund\w*|cashback
      |deposits?|down\ payment|up\ ?front|pre-?pay\w*|pay\w*\ in\ advance|instal+ments?|surcharge|guarante\w+|warrant\w+
      |bank\ (?:account|transfer)|iban|account\ (?:number|no)|bitcoin|crypto|paypal|gift\ cards?
      |pay|pays|paid|paying|payable|payments?|cash|wire|venmo|zelle|revolut|cheaper|waive\w*|deduct\w*|reduc\w+
      |lower(?:ed|s)?|money|on\ top|extra)\b
    | \b(?:bezpłatn\w+|darmow\w+|za\ darmo|gratis|rabat\w*|upust\w*|zniżk\w+|zwrot\w*|zalicz\w+|zadat\w+
      |przedpłat\w+|płat\w+\ z\ góry|raty\b|ratach|ratami|dopłat\w+|gwaranc\w+|gwarant\w+
      |przelew\w*|numer\w*\ (?:konta|rachunku)|rachun\w+\ bankow\w+|kryptowalut\w*|rat[aęąo]\b|zwrac\w+
      |wpłac\w+|wpłat\w+|zapłat\w+|zapłac\w+|płatnoś\w+|gotówk\w+|blik\w*|kont[oa]\b|kart\w+\ podarunkow\w+
      |taniej|drożej|pieni[ąę]\w+|dolicz\w+|odlicz\w+|zmniejsz\w+|obniż\w+|osobno)
    """,
    re.IGNORECASE | re.VERBOSE,
)
TAX = re.compile(r"\b(?:vat|tax(?:es|ed)?|gst|ptu|podat\w+|netto|brutto|gross)\b", re.IGNORECASE)
TAX_ON_TOP = re.compile(
    r"\b(?:plus|excluding|excl|exclusive|before|without|netto|bez|dolicz\w*|powiększ\w+)\W{1,3}(?:\w+\W{1,3})?"
    r"(?:vat|tax(?:es)?|gst|ptu|podat\w+)\b|\bnetto\b|\bnet\b|\+\s?(?:vat|tax)"
    r"|\b(?:and|i|oraz|do\stego|dodatkowo)\W{1,3}(?:vat|tax|gst|ptu|podatek)\b"
    r"|\b(?:vat|tax(?:es)?|gst)\W{1,3}(?:(?:is|are|will\sbe)\s)?(?:added|excluded|not\sincluded)\b",
    re.IGNORECASE,
)
PRELIMINARY = re.compile(
    r"\b(?:preliminary|provisional|first\ (?:estimate|indication)|rough|initial|indicative|ballpark)\b"
    r"|\b(?:wstępn\w+|orientacyjn\w+|szacunkow\w+)",
    re.IGNORECASE,
)
NOT_FINAL = re.compile(
    r"\bpreliminary\b|\bwstępn\w+"
    r"|(?:\b(?:about|around|roughly|approx(?:imately)?|circa|ca|some|ok|około|mniej\swięcej|jakieś|rzędu)\.?\s|[~≈]\s?)"
    r"(?:[^\W\d_]{0,3}|[^\W\d_]{0,2}[€$£])\s?[0-9]",
    re.IGNORECASE,
)
# What turns a sum into another one: a bound before it, a rate or a sum after it.
BOUND = re.compile(
    r"(?:\b(?:from|over|above|more\ than|at\ least|up\ to|under|below|less\ than|plus|minus|extra|additional(?:ly)?"
    r"|nearly|almost|short\ of|starting\ at|between|not|no|was|were"
    r"|max(?:imum)?|min(?:imum)?|od|do|ponad|powyżej|poniżej|co\ najmniej|maksymalnie|dodatkow\w+|dopłata"
    r"|prawie|niemal|blisko|niecał\w+|między|nie|razy|każd\w+)\.?\s?|[+×*/<>≤≥√±=]\s?|[-−–])$",
    re.IGNORECASE | re.VERBOSE,
)
RATE = re.compile(
    r"\s?(?:[/+×*%‰^~<>=√±]|x\b|[-−–]\s?[0-9]|per\b|each\b|every\b|apiece\b|an?\b|by\ the\b"
    r"|for\ (?:each|every|one|an?)\b"
    r"|(?:month|week|dai|hour|year)ly\b|za\ (?:sztuk|godzin|metr|dzień|miesiąc|m[b²]?\b|osob|każd|jed[ne])"
    r"|od\ (?:sztuki|metra|osoby)|na\ (?:miesiąc|godzin|dzień|osob|głow)|każd\w+|razy\b|times\b"
    r"|miesięcznie|rocznie|dziennie|tygodniowo|(?:or|and|lub|albo)\ (?:i\ )?(?:less|more|up|below|above|mniej|więcej)\b"
    r"|(?:max|min|tops?|maksymalnie)\b)",
    re.IGNORECASE | re.VERBOSE,
)
_MONTHS = (
    # Shortened names need a figure beside them to mean a day, and no figure stands there unchecked.
    r"(?:january|february|april|june|july|august|september|october|november|december"
    r"|(?:in|of|by|until|till|before|from|since|after|on)\s(?:march|may)"
    r"|stycz(?:eń|nia|niu)|lut(?:y|ego|ym)|marc(?:a|u)|marzec|kwie(?:cień|tnia|tniu)|maj[au]?|czerw(?:iec|ca|cu)"
    r"|lip(?:iec|ca|cu)|sierp(?:ień|nia|niu)|wrze(?:sień|śnia|śniu)|październik[ua]?|listopad(?:a|zie)?"
    r"|grud(?:zień|nia|niu))"
)
_WEEKDAYS = (
    r"monday|poniedział(?:ek|ku|kiem)", r"tuesday|wtor(?:ek|ku|kiem)", r"wednesday|środ(?:a|ę|y|ą)|środzie",
    r"thursday|czwart(?:ek|ku|kiem)", r"friday|piąt(?:ek|ku|kiem)", r"saturday|sobot(?:a|ę|y|ą)|sobocie",
    r"sunday|niedziel(?:a|ę|i|ą)",
)  # fmt: skip
DAYS = re.compile(
    rf"\b(?:{_MONTHS}|(?:{'|'.join(_WEEKDAYS)})s?|today|tonight|tomorrow"
    r"|(?:next|this|within\sa|in\sa)\s(?:day|week|month)"
    r"|christmas|easter|weekend\w*|fortnights?|noon|midnight|spring|summer|autumn|winter"
    r"|(?:the\s)?end\sof\s(?:the\s|this\s)?(?:year|month|week)|koń?c\w+\s(?:roku|miesiąca|tygodnia)"
    r"|święta|świąt\w*|wielkanoc\w*|wiosn\w+|latem|jesieni\w+|zim[aąęy]|południ\w+"
    r"|jutro|pojutrze|dzi[sś](?:iaj)?|za\s(?:dzień|tydzień|miesiąc)|(?:w\s)?(?:przyszły|następny|ten|tym)m?"
    r"\s(?:tydzień|tygodniu|miesiąc|miesiącu))\b",
    re.IGNORECASE,
)  # fmt: skip
UNIT_WORDS: dict[LineItemUnit, re.Pattern[str]] = {
    "sqm": re.compile(r"m²|m\b|sq|sqm|square|metr"),
    "linear_m": re.compile(r"mb|m\b|lin|lm|running|met"),
    "piece": re.compile(r"piece|pcs|pc\b|szt"),
    "pair": re.compile(r"pair|par"),
    "hour": re.compile(r"hour|hrs?\b|h\b|godz"),
    "job": re.compile(r"job|usług"),
    "freeform": re.compile(r"(?!)"),
}


def small_number(word: str, locale: DocumentLocale) -> int | None:
    """2 to 12, said in either language; the Polish "ten" is no number."""
    return None if word == "ten" and locale == "pl" else _SMALL_NUMBERS.get(word)


def says_large_number(word: str) -> bool:
    return _LARGE_NUMBERS.fullmatch(word) is not None


def says_more_than_a_name(name: str) -> bool:
    """Whether the words of a client's name, taken out of a message, could hide what it says of money."""
    said = _WORD.findall(name.casefold())
    starts = [match.start() for match in _WORD.finditer(name)]
    return (
        any(says_large_number(word) or word in _SMALL_NUMBERS or BOUND.search(word) for word in said)
        or any(RATE.match(name, start) for start in starts)
        or TERMS.search(name) is not None
        or TAX.search(name) is not None
    )


def dates_of(day: date) -> re.Pattern[str]:
    """Every way of saying "until the day" that a client of either language reads as that day and no other."""
    number, month, year = f"0?{day.day}", f"0?{day.month}", str(day.year)
    until = r"\b(?:until|till|by|through|before|to|do)\s+(?:the\s+|end\s+of\s+|dnia\s+|końca\s+)?"
    weekday = rf"(?:(?:{_WEEKDAYS[day.weekday()]}),?\s+)?"
    english, polish = (locales.day(day, locale).split()[1] for locale in ("en", "pl"))
    forms = (
        rf"{number}(?:st|nd|rd|th)?(?:\s+of)?\s+(?:{english}|{english[:3]}\b\.?)(?:,?\s+{year})?",
        rf"(?:{english}|{english[:3]}\b\.?)\s+{number}(?:st|nd|rd|th)?(?:,?\s+{year})?",
        rf"{number}\.?\s+{polish}(?:\s+{year})?(?:\s*(?:r\.|roku\b))?",
        rf"{number}[./-]{month}[./-]{year}(?:\s*(?:r\.|roku\b))?",
        f"{year}-{day.month:02}-{day.day:02}",
    )
    return re.compile(rf"{until}{weekday}(?:{'|'.join(forms)})(?![0-9/-]|[.,][0-9])", re.IGNORECASE)
