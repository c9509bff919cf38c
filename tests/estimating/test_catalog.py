"""Catalog files: both languages, one spelling per emoji, no dangling references."""

from typing import get_args

import pytest
import regex

from backbench.estimating import catalog
from backbench.values import emoji
from backbench.values.enums import LineItemUnit
from backbench.values.text import LocalizedText

ITEMS = catalog.catalog().items
DOMAINS = catalog.catalog().domains
TEMPLATES = catalog.catalog().templates
LABELS = [each.label for each in ITEMS] + [each.label for each in DOMAINS] + [each.name for each in TEMPLATES]
KEYWORDS = catalog.catalog_keywords()
SHORT_LABELS = [each.short_label for each in KEYWORDS.items]
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
# Words that are the same in Polish.
LOANWORDS = """
badminton bank banjo bikini burrito dango dodo elf falafel fondue goblin hamburger hotel hot-dog kimono
koala lacrosse laptop mango melon metro minibus moai ninja oden orangutan pager pilot pizza popcorn radio
robot sake sari selfie spaghetti student sushi taco tornado troll zebra zombie
"""
# A character with emoji presentation, or another one followed by U+FE0F; several are joined by U+200D.
PICTURE = r"(?:\p{Emoji_Presentation}(?!\uFE0F)|(?!\p{Emoji_Presentation})\p{Emoji}\uFE0F)"
KEBAB = regex.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
FULLY_QUALIFIED = regex.compile(rf"{PICTURE}(?:\u200D{PICTURE})*|[0-9#*]\uFE0F\u20E3")
SKIN_TONES_AND_FLAGS = regex.compile(
    r"[\U0001F3FB-\U0001F3FF\U0001F1E6-\U0001F1FF\U000E0020-\U000E007F\U0001F3F4\U0001F3F3\U0001F3C1\U0001F6A9\U0001F38C]"
)


def malformed(text: LocalizedText) -> list[str]:
    """Labels that would not be valid or tidy on a client's estimate."""
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


def test_no_emoji_is_in_the_set_twice() -> None:
    assert duplicate_ids(EMOJI) == set()


def test_every_entry_of_the_set_is_one_emoji() -> None:
    assert [each for each in EMOJI if not regex.fullmatch(r"\X", each)] == []


def test_every_emoji_is_spelled_fully_qualified() -> None:
    assert [each for each in EMOJI if not FULLY_QUALIFIED.fullmatch(each)] == []


def test_the_set_has_no_flags_and_no_skin_tones() -> None:
    assert [each for each in EMOJI if SKIN_TONES_AND_FLAGS.search(each)] == []


def test_every_emoji_has_a_well_formed_name_in_both_languages() -> None:
    assert [entry for entry in emoji.emoji_set().emoji if malformed(entry.name)] == []


def test_every_emoji_name_is_translated_to_polish() -> None:
    assert [entry for entry in emoji.emoji_set().emoji if untranslated(entry.name)] == []


def test_no_two_emoji_share_a_name() -> None:
    names = [entry.name for entry in emoji.emoji_set().emoji]
    assert duplicate_ids([name.en for name in names]) | duplicate_ids([name.pl for name in names]) == set()


def test_groups_are_in_the_order_of_the_picker() -> None:
    assert tuple(dict.fromkeys(entry.group for entry in emoji.emoji_set().emoji)) == GROUPS


def test_the_emoji_of_a_group_are_consecutive() -> None:
    order = [GROUPS.index(entry.group) for entry in emoji.emoji_set().emoji]
    assert order == sorted(order)


def test_emoji_of_tools_are_curated() -> None:
    assert [each for each in ("🛠️", "🪚", "🔨", "🏺") if not emoji.is_curated(each)] == []


def test_only_a_single_emoji_of_the_set_is_curated() -> None:
    others = ["", "a", "hammer", "🔨🔨", "🔨 ", "🛠", "🏠\ufe0f", "🇵🇱", "👍🏽", "🏴", "1", "\u200d"]
    assert [each for each in others if emoji.is_curated(each)] == []


def test_the_catalog_has_its_minimum_size() -> None:
    assert len(DOMAINS) >= 25
    assert len(ITEMS) >= 700
    assert len(TEMPLATES) >= 100


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


def test_every_label_is_well_formed_in_both_languages() -> None:
    assert [each for each in LABELS + DESCRIPTIONS if malformed(each)] == []


def test_every_label_is_translated_to_polish() -> None:
    assert [each for each in LABELS + DESCRIPTIONS if untranslated(each)] == []


def test_a_label_begins_with_a_capital_and_has_no_full_stop() -> None:
    labels = [each for label in LABELS for each in (label.en, label.pl)]
    assert [each for each in labels if not regex.fullmatch(r"\p{Lu}.*[^.]", each)] == []


def test_a_description_is_a_sentence() -> None:
    sentences = [each for text in DESCRIPTIONS for each in (text.en, text.pl)]
    assert [each for each in sentences if not regex.fullmatch(r"\p{Lu}.*\.", each)] == []


def test_every_item_has_a_curated_emoji() -> None:
    assert [each.id for each in ITEMS if not emoji.is_curated(each.emoji)] == []


def test_the_catalog_uses_every_unit_of_line_items() -> None:
    assert {each.unit for each in ITEMS} == set(get_args(LineItemUnit))


def test_every_item_has_its_craft_as_first_tag_and_one_to_four_more() -> None:
    slugs = {each.slug for each in DOMAINS}
    assert [each.id for each in ITEMS if each.tags[0] not in slugs] == []
    assert [each.id for each in ITEMS if not 2 <= len(each.tags) <= 5 or duplicate_ids(list(each.tags))] == []


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


def test_no_two_buttons_of_a_template_share_an_emoji() -> None:
    emoji_of = {each.id: each.emoji for each in ITEMS}
    assert {each.slug for each in TEMPLATES if duplicate_ids([emoji_of[item] for item in each.item_ids])} == set()


def test_texts_of_the_catalog_have_plain_spaces() -> None:
    texts = [text for each in LABELS + DESCRIPTIONS + SHORT_LABELS for text in (each.en, each.pl)]
    assert [each for each in texts if regex.search(r"[^\S ]", each)] == []


def test_every_item_has_a_short_label_of_at_most_28_characters_in_both_languages() -> None:
    assert [each.id for each in KEYWORDS.items] == [each.id for each in ITEMS]
    assert [each for each in SHORT_LABELS if malformed(each) or max(len(each.en), len(each.pl)) > 28] == []


def test_no_two_items_share_a_short_label() -> None:
    assert (
        duplicate_ids([each.en for each in SHORT_LABELS]) | duplicate_ids([each.pl for each in SHORT_LABELS]) == set()
    )


def test_a_short_label_is_the_label_where_that_is_short_enough() -> None:
    pairs = [(catalog.item(each.id).label, each.short_label) for each in KEYWORDS.items]  # type: ignore[union-attr]
    assert [label for label, short in pairs if len(label.en) <= 28 and label.en != short.en] == []
    assert [label for label, short in pairs if len(label.pl) <= 28 and label.pl != short.pl] == []


def test_every_item_has_keywords_in_both_languages() -> None:
    assert [each.id for each in KEYWORDS.items if not each.keywords.en or not each.keywords.pl] == []


def test_keywords_are_tidy_and_named_once() -> None:
    lists = [
        list(words)
        for each in [entry.keywords for entry in KEYWORDS.items] + [entry.keywords for entry in KEYWORDS.emoji]
        for words in (each.en, each.pl)
    ]
    assert [each for each in lists if duplicate_ids(each)] == []
    assert [word for each in lists for word in each if not regex.fullmatch(r"\S(?:[^,\p{Cc}]*\S)?", word)] == []


def test_every_emoji_has_an_entry_of_keywords_and_nearly_all_have_some() -> None:
    assert [each.emoji for each in KEYWORDS.emoji] == EMOJI
    assert sum(not (each.keywords.en and each.keywords.pl) for each in KEYWORDS.emoji) < 25


@pytest.mark.parametrize(
    ("word", "emoji_", "item_id"),
    [
        ("farba", "🖌️", "wall-painting"),
        ("stół", "🍽️", "tablecloth"),
        ("wiertarka", "🪛", None),
        ("kontakt", "🔌", "socket-fitting"),
        ("leather", None, "card-holder"),
        ("flower bed", None, "weeding"),
    ],
)
def test_words_of_the_trades_find_emoji_and_items(word: str, emoji_: str | None, item_id: str | None) -> None:
    found = {each.emoji for each in KEYWORDS.emoji if word in (*each.keywords.en, *each.keywords.pl)}
    items = {each.id for each in KEYWORDS.items if any(word in key for key in (*each.keywords.en, *each.keywords.pl))}
    assert emoji_ is None or emoji_ in found
    assert item_id is None or item_id in items


def test_an_item_sold_by_a_unit_that_is_not_listed_names_it_in_its_label() -> None:
    """A freeform line prints no unit."""
    priced_by = {"travel-outside-town", "storage-month", "hot-dip-galvanising", "cake-by-weight"}
    labels = {each.id: each.label for each in ITEMS if each.unit == "freeform" and each.id in priced_by}
    assert set(labels) == priced_by
    assert [each for each in labels.values() if "(per " not in each.en or "(za " not in each.pl] == []


def test_every_item_is_in_a_template() -> None:
    placed = {each for grid in TEMPLATES for each in grid.item_ids}
    assert [each.id for each in ITEMS if each.id not in placed] == []


def test_domains_and_templates_are_sorted_by_domain_slug() -> None:
    slugs = [each.slug for each in DOMAINS]
    assert slugs == sorted(slugs)
    assert list(dict.fromkeys(each.domain_slug for each in TEMPLATES)) == slugs


def test_a_template_and_an_item_are_found_by_name() -> None:
    assert [catalog.template(each.slug) for each in TEMPLATES] == list(TEMPLATES)
    assert [catalog.item(each.id) for each in ITEMS] == list(ITEMS)


def test_unknown_templates_and_items_are_not_found() -> None:
    assert catalog.template("no-such-grid") is None
    assert catalog.item("no-such-item") is None
