"""What the catalog's files promise: both languages, one spelling of an emoji, no loose ends."""

import regex

from backbench.domain import catalog
from backbench.domain.text import LocalizedText

EMOJI = [entry.emoji for entry in catalog.emoji_set().emoji]
GROUPS = (
    "tools",
    "materials",
    "objects",
    "clothing",
    "nature",
    "food",
    "places",
    "travel",
    "activities",
    "people",
    "faces",
    "symbols",
)
# Words that Polish took over as they are.
LOANWORDS = """
badminton bank banjo bikini burrito dango dodo elf falafel fondue goblin hamburger hotel hot-dog kimono koala lacrosse
laptop mango melon metro minibus moai ninja oden orangutan pager pilot pizza popcorn radio robot sake sari selfie
spaghetti student sushi taco tornado troll zebra zombie
"""
# One character that is drawn as a picture by itself, or another one that is told to be; joined by U+200D.
PICTURE = r"(?:\p{Emoji_Presentation}(?!\uFE0F)|(?!\p{Emoji_Presentation})\p{Emoji}\uFE0F)"
FULLY_QUALIFIED = regex.compile(rf"{PICTURE}(?:\u200D{PICTURE})*|[0-9#*]\uFE0F\u20E3")
SKIN_TONES_AND_FLAGS = regex.compile(
    r"[\U0001F3FB-\U0001F3FF\U0001F1E6-\U0001F1FF\U000E0020-\U000E007F\U0001F3F4\U0001F3F3\U0001F3C1\U0001F6A9\U0001F38C]"
)


def blemishes(text: LocalizedText) -> list[str]:
    """What must not stand in a label of the catalog, as it would on a client's estimate."""
    return [
        each
        for each in (text.en, text.pl)
        if not 1 <= len(each) <= 250 or each != each.strip() or regex.search(r"\p{Cc}|  ", each)
    ]


def untranslated(text: LocalizedText) -> bool:
    return (
        text.en.casefold() == text.pl.casefold()
        and text.pl.casefold().replace(" ", "-") not in LOANWORDS.split()
    )


def twins(values: list[str]) -> set[str]:
    return {each for each in values if values.count(each) > 1}


def test_the_set_has_over_a_thousand_emoji() -> None:
    assert len(EMOJI) > 1000


def test_no_emoji_stands_in_the_set_twice() -> None:
    assert twins(EMOJI) == set()


def test_every_entry_of_the_set_is_one_emoji() -> None:
    assert [each for each in EMOJI if not regex.fullmatch(r"\X", each)] == []


def test_every_emoji_is_spelled_fully_qualified() -> None:
    assert [each for each in EMOJI if not FULLY_QUALIFIED.fullmatch(each)] == []


def test_the_set_has_no_flags_and_no_skin_tones() -> None:
    assert [each for each in EMOJI if SKIN_TONES_AND_FLAGS.search(each)] == []


def test_every_emoji_has_a_clean_name_in_both_languages() -> None:
    assert [entry for entry in catalog.emoji_set().emoji if blemishes(entry.name)] == []


def test_every_emoji_has_a_polish_name_of_its_own() -> None:
    assert [entry for entry in catalog.emoji_set().emoji if untranslated(entry.name)] == []


def test_no_two_emoji_share_a_name() -> None:
    names = [entry.name for entry in catalog.emoji_set().emoji]
    assert twins([name.en for name in names]) | twins([name.pl for name in names]) == set()


def test_a_picker_meets_the_groups_one_after_another_and_tools_first() -> None:
    assert tuple(dict.fromkeys(entry.group for entry in catalog.emoji_set().emoji)) == GROUPS


def test_a_group_is_never_interrupted_by_another() -> None:
    order = [GROUPS.index(entry.group) for entry in catalog.emoji_set().emoji]
    assert order == sorted(order)


def test_the_craftspersons_own_signs_are_curated() -> None:
    assert [each for each in ("🛠️", "🪚", "🔨", "🏺") if not catalog.is_curated(each)] == []


def test_nothing_but_one_emoji_of_the_set_is_curated() -> None:
    strangers = ["", "a", "hammer", "🔨🔨", "🔨 ", "🛠", "🏠\ufe0f", "🇵🇱", "👍🏽", "🏴", "1", "\u200d"]
    assert [each for each in strangers if catalog.is_curated(each)] == []
