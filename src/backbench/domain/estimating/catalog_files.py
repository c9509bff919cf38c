"""Files of the catalog: one file per craft, and the keywords that items of a craft or with a tag share."""

import functools
from importlib.resources import files
from typing import Any


@functools.cache
def crafts() -> dict[str, dict[str, Any]]:
    """The contents of every craft's file, sorted by slug: the order of a directory listing is undefined."""
    found = [file for file in (_folder() / "crafts").iterdir() if file.name.endswith(".toml")]
    texts = sorted((file.name.removesuffix(".toml"), file.read_text(encoding="utf-8")) for file in found)
    return {slug: _parsed(text) for slug, text in texts}


@functools.cache
def shared_keywords() -> dict[str, dict[str, dict[str, list[str]]]]:
    """Keywords by language, of each craft (`domains`) and each tag (`tags`)."""
    return _parsed((_folder() / "keywords.toml").read_text(encoding="utf-8"))


@functools.cache
def intake_words() -> dict[str, dict[str, list[str]]]:
    """Words for the intake of an order by craft: `things`, `conditions` and `photos`, each "English | Polish"."""
    return _parsed((_folder() / "intake.toml").read_text(encoding="utf-8"))


def _parsed(text: str) -> dict[str, Any]:
    # At first use: many servers are never asked for the catalog.
    import tomllib

    return tomllib.loads(text)


def _folder() -> Any:
    return files("backbench") / "catalog"
