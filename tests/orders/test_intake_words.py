"""Intake words: complete for each craft, in both languages, and short enough for a chip."""

from backbench.estimating.catalog import catalog
from backbench.orders.intake_words import CraftWords, catalog_words
from tests.support.violations import all_of

MOST = 28


def test_every_craft_of_the_catalog_has_words() -> None:
    assert [craft.domain_slug for craft in catalog_words().crafts] == [domain.slug for domain in catalog().domains]


@all_of("craft", catalog_words().crafts, lambda craft: str(craft.domain_slug))
def test_each_list_is_useful_and_its_words_fit(craft: CraftWords) -> None:
    for words, least in ((craft.things, 5), (craft.conditions, 6), (craft.photos, 3)):
        assert len(words) >= least
        for language in ("en", "pl"):
            texts = [getattr(word, language) for word in words]
            assert len(set(texts)) == len(texts)
            assert all(text == text.strip() and 0 < len(text) <= MOST for text in texts), texts
