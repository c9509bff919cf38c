"""What the catalog's files promise: both languages, one spelling of an emoji, no loose ends."""

import json
from pathlib import Path
from typing import get_args

import msgspec
import regex

from backbench.domain.estimating import catalog
from backbench.domain.values import emoji
from backbench.domain.values.enums import LineItemUnit
from backbench.domain.values.text import LocalizedText

ITEMS = catalog.catalog().items
DOMAINS = catalog.catalog().domains
TEMPLATES = catalog.catalog().templates
LABELS = [each.label for each in ITEMS] + [each.label for each in DOMAINS] + [each.name for each in TEMPLATES]
DESCRIPTIONS = [each.description for each in TEMPLATES]
EMOJI = [entry.emoji for entry in emoji.emoji_set().emoji]
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
PAGE = (Path(__file__).parents[3] / "docs" / "api" / "catalog.md").read_text(encoding="utf-8")
# Words that Polish took over as they are.
LOANWORDS = """
badminton bank banjo bikini burrito dango dodo elf falafel fondue goblin hamburger hotel hot-dog kimono
koala lacrosse laptop mango melon metro minibus moai ninja oden orangutan pager pilot pizza popcorn radio
robot sake sari selfie spaghetti student sushi taco tornado troll zebra zombie
"""
# One character that is drawn as a picture by itself, or another one that is told to be; joined by U+200D.
PICTURE = r"(?:\p{Emoji_Presentation}(?!\uFE0F)|(?!\p{Emoji_Presentation})\p{Emoji}\uFE0F)"
KEBAB = regex.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
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
    return text.en.casefold() == text.pl.casefold() and text.pl.casefold().replace(" ", "-") not in LOANWORDS.split()


def duplicate_ids(values: list[str]) -> set[str]:
    return {each for each in values if values.count(each) > 1}


def test_the_set_has_over_a_thousand_emoji() -> None:
    assert len(EMOJI) > 1000


def test_no_emoji_stands_in_the_set_twice() -> None:
    assert duplicate_ids(EMOJI) == set()


def test_every_entry_of_the_set_is_one_emoji() -> None:
    assert [each for each in EMOJI if not regex.fullmatch(r"\X", each)] == []


def test_every_emoji_is_spelled_fully_qualified() -> None:
    assert [each for each in EMOJI if not FULLY_QUALIFIED.fullmatch(each)] == []


def test_the_set_has_no_flags_and_no_skin_tones() -> None:
    assert [each for each in EMOJI if SKIN_TONES_AND_FLAGS.search(each)] == []


def test_every_emoji_has_a_clean_name_in_both_languages() -> None:
    assert [entry for entry in emoji.emoji_set().emoji if blemishes(entry.name)] == []


def test_every_emoji_has_a_polish_name_of_its_own() -> None:
    assert [entry for entry in emoji.emoji_set().emoji if untranslated(entry.name)] == []


def test_no_two_emoji_share_a_name() -> None:
    names = [entry.name for entry in emoji.emoji_set().emoji]
    assert duplicate_ids([name.en for name in names]) | duplicate_ids([name.pl for name in names]) == set()


def test_a_picker_meets_the_groups_one_after_another_and_tools_first() -> None:
    assert tuple(dict.fromkeys(entry.group for entry in emoji.emoji_set().emoji)) == GROUPS


def test_a_group_is_never_interrupted_by_another() -> None:
    order = [GROUPS.index(entry.group) for entry in emoji.emoji_set().emoji]
    assert order == sorted(order)


def test_the_craftspersons_own_signs_are_curated() -> None:
    assert [each for each in ("🛠️", "🪚", "🔨", "🏺") if not emoji.is_curated(each)] == []


def test_nothing_but_one_emoji_of_the_set_is_curated() -> None:
    strangers = ["", "a", "hammer", "🔨🔨", "🔨 ", "🛠", "🏠\ufe0f", "🇵🇱", "👍🏽", "🏴", "1", "\u200d"]
    assert [each for each in strangers if emoji.is_curated(each)] == []


def test_the_catalog_is_as_broad_as_it_promises() -> None:
    assert len(DOMAINS) >= 14
    assert len(ITEMS) >= 230
    assert len(TEMPLATES) >= 28


def test_no_two_items_share_an_id() -> None:
    assert duplicate_ids([each.id for each in ITEMS]) == set()


def test_no_two_domains_and_no_two_templates_share_a_slug() -> None:
    assert duplicate_ids([each.slug for each in DOMAINS]) | duplicate_ids([each.slug for each in TEMPLATES]) == set()


def test_ids_slugs_and_tags_are_kebab_case() -> None:
    names = [each.id for each in ITEMS] + [tag for each in ITEMS for tag in each.tags]
    names += [each.slug for each in DOMAINS] + [each.slug for each in TEMPLATES]
    assert [each for each in names if not KEBAB.fullmatch(each)] == []


def test_no_two_items_share_a_label() -> None:
    labels = [each.label for each in ITEMS]
    assert duplicate_ids([label.en for label in labels]) | duplicate_ids([label.pl for label in labels]) == set()


def test_every_label_of_the_catalog_is_clean_in_both_languages() -> None:
    assert [each for each in LABELS + DESCRIPTIONS if blemishes(each)] == []


def test_every_label_of_the_catalog_has_polish_of_its_own() -> None:
    assert [each for each in LABELS + DESCRIPTIONS if untranslated(each)] == []


def test_a_label_begins_with_a_capital_and_has_no_full_stop() -> None:
    words = [each for label in LABELS for each in (label.en, label.pl)]
    assert [each for each in words if not regex.fullmatch(r"\p{Lu}.*[^.]", each)] == []


def test_a_description_is_a_sentence() -> None:
    sentences = [each for text in DESCRIPTIONS for each in (text.en, text.pl)]
    assert [each for each in sentences if not regex.fullmatch(r"\p{Lu}.*\.", each)] == []


def test_every_item_bears_a_curated_emoji() -> None:
    assert [each.id for each in ITEMS if not emoji.is_curated(each.emoji)] == []


def test_the_catalog_sells_by_every_unit_that_line_items_know() -> None:
    assert {each.unit for each in ITEMS} == set(get_args(LineItemUnit))


def test_every_item_has_one_to_four_tags_and_none_twice() -> None:
    assert [each.id for each in ITEMS if not 1 <= len(each.tags) <= 4 or duplicate_ids(list(each.tags))] == []


def test_every_template_belongs_to_a_domain() -> None:
    slugs = {each.slug for each in DOMAINS}
    assert [each.slug for each in TEMPLATES if each.domain_slug not in slugs] == []


def test_every_domain_has_two_templates_or_more() -> None:
    owners = [each.domain_slug for each in TEMPLATES]
    assert [each.slug for each in DOMAINS if owners.count(each.slug) < 2] == []


def test_every_item_of_a_template_exists() -> None:
    assert [each for grid in TEMPLATES for each in grid.item_ids if catalog.item(each) is None] == []


def test_a_template_fits_on_a_screen_and_names_no_item_twice() -> None:
    sizes = {each.slug: len(each.item_ids) for each in TEMPLATES}
    assert {slug: size for slug, size in sizes.items() if not 6 <= size <= 14} == {}
    assert [each.slug for each in TEMPLATES if duplicate_ids(list(each.item_ids))] == []


def test_every_item_stands_in_a_template() -> None:
    placed = {each for grid in TEMPLATES for each in grid.item_ids}
    assert [each.id for each in ITEMS if each.id not in placed] == []


def test_domains_come_in_the_order_of_their_slugs_and_templates_follow() -> None:
    slugs = [each.slug for each in DOMAINS]
    assert slugs == sorted(slugs)
    assert list(dict.fromkeys(each.domain_slug for each in TEMPLATES)) == slugs


def test_a_template_and_an_item_are_found_by_name() -> None:
    assert [catalog.template(each.slug) for each in TEMPLATES] == list(TEMPLATES)
    assert [catalog.item(each.id) for each in ITEMS] == list(ITEMS)


def test_what_the_catalog_does_not_have_is_not_found() -> None:
    assert catalog.template("no-such-grid") is None
    assert catalog.item("no-such-item") is None


def test_the_page_about_the_catalog_counts_right_and_names_every_domain() -> None:
    counts = f"{len(ITEMS)} items in {len(DOMAINS)} domains, with {len(TEMPLATES)} templates"
    assert counts in PAGE
    assert f"{len(EMOJI):,} emoji" in PAGE
    assert [each.slug for each in DOMAINS if f"`{each.slug}`" not in PAGE] == []


def test_the_examples_on_the_page_are_entries_of_the_catalog() -> None:
    answers = json.loads(msgspec.json.encode(catalog.catalog()))
    answers |= json.loads(msgspec.json.encode(emoji.emoji_set()))
    shown = [json.loads(each) for each in regex.findall(r"```json\n(.*?)```", PAGE, flags=regex.DOTALL)]
    assert {member for example in shown for member in example} == set(answers)
    strays = [
        each for example in shown for member in example for each in example[member] if each not in answers[member]
    ]
    assert strays == []
