"""Words of the app's first load in one language: half of what a phone would load if both were sent."""

import re
from collections.abc import Mapping

# In `words/common.js` a pair of texts is a line. A function, and a list, stay in both languages.
_TEXT = r'("(?:[^"\\]|\\.)*")'
_PAIR = re.compile(rf"^(\w+: )\[{_TEXT}, {_TEXT}\],$", re.MULTILINE)
_PLACE = re.compile(r"\{(\w+)")
_BOTH = "words/common.js"
_LANGUAGES = ("en", "pl")


def in_each_language(modules: Mapping[str, bytes]) -> dict[str, bytes]:
    """The modules, with the texts of `words/common.js` in `words/en.js` and `words/pl.js`, each language alone."""
    if _BOTH not in modules:
        return dict(modules)
    both = modules[_BOTH].decode()
    return {**modules, **{f"words/{_LANGUAGES[index]}.js": _chosen(both, index).encode() for index in range(2)}}


def _chosen(both: str, index: int) -> str:
    def chosen(pair: re.Match[str]) -> str:
        # The values of a text are in the order of the English one.
        english, text = pair[2], pair[2 + index]
        in_order = _names(english) == _names(text)
        return f"{pair[1]}[{text}]," if in_order else pair[0]

    return _PAIR.sub(chosen, both)


def _names(text: str) -> list[str]:
    return list(dict.fromkeys(_PLACE.findall(text)))
