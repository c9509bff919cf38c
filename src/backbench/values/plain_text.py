"""Plain text from a language model: normalization, and checks for links, markup, leaked instructions and language.

Checks refuse in case of doubt: a refused sentence costs a second try, a wrong one may cost a client.
"""

import re
import unicodedata

from backbench.values.enums import DocumentLocale
from backbench.values.languages import language
from backbench.words import LOCALES

_LINE_ENDS = re.compile("\r\n|[\r\v\f\x1c-\x1e\x85\u2028\u2029]")
_ZERO_WIDTH_JOINER = "\u200d"
# Control, format and private characters, halves of pairs, and what Unicode has not assigned.
_INVISIBLE = {"Cc", "Cf", "Co", "Cs", "Cn"}
_DOT = "[.\u3002\uff0e\uff61]"
# Compiled, and cached by the library, at first use: they are long.
_ADDRESS = rf"""(?ix)
      \b[a-z][a-z0-9+.-]{{1,20}}://
    | \b(?:www{_DOT}|hxxps?\b|(?:mailto|javascript|data|tel|callto|sms|sip|skype|facetime|whatsapp|tg|file):)
    | \\\\ | %2e
    | @
    | \[(?:at|dot)\] | \((?:at|dot|małpa|kropka)\) | \s(?:dot|kropka)\s(?:com|net|org|pl|eu|io|info|co)\b
    | \b(?!m\.in\b)[^\W_](?:[\w-]{{0,62}}){_DOT}[^\W\d_]{{2,24}}\b
    | \b\d{{1,3}}(?:\.\d{{1,3}}){{3}}\b | \b\d+(?:\.\d+)+/\w
    """
_MARKUP = r"""(?imx)
      <[/!?]?[a-z][^\n>]{0,200}> | ```|~~~ | \*\*|__|\#\# | &(?:[a-z]{2,8}|\#\d{1,6});
    | \[[^\]\n]{0,80}\] | \{[^}\n]{0,80}\} | <[^>\n]{1,80}> | ^\s*(?:[*#>|]|-{3,}|={3,})\s
    """
_OUT_OF_ROLE = r"""(?ix)
      \b(?:as\ an?\ (?:ai|assistant|language\ model)|(?:ai|large)\ language\ model|language\ models?|chatbot)\b
    | \b(?:system|developer)\ (?:prompt|message|instructions?)\b | \bJSON\b
    | \b(?:jako\ (?:asystent|model|sztuczna)|model\w*\ językow\w*|sztuczn\w+\ inteligencj\w+)
    """
_WORD = re.compile(r"\w+")
_LEAKED_WORDS = 8
_LONG_TEXT_WORDS = 12
# Longer texts are refused for their length by every caller; so no time is spent on a megabyte.
_LONGEST = 10_000


def one_line(text: str) -> str:
    """The text on one line, with single spaces and without invisible characters."""
    return " ".join(_visible(text).split())


def paragraphs(text: str) -> str:
    """The text in paragraphs, at most one empty line apart, without invisible characters. No-break spaces stay."""
    lines = (re.sub("[ \t]+", " ", line).strip() for line in _visible(text).split("\n"))
    return re.sub("\n{3,}", "\n\n", "\n".join(lines)).strip()


def _visible(text: str) -> str:
    return "".join(
        character
        for character in _LINE_ENDS.sub("\n", text[:_LONGEST])
        if character in ("\n", "\t", _ZERO_WIDTH_JOINER) or unicodedata.category(character) not in _INVISIBLE
    )


def has_address(text: str) -> bool:
    """Whether the text has a web or email address, or something that a reader or a program takes for one."""
    return any(re.search(_ADDRESS, form) for form in (text, unicodedata.normalize("NFKC", text), _visible(text)))


def text_problems(text: str, locale: DocumentLocale, instructions: str) -> list[str]:
    """Problems of a text that must be plain text in the language, as sentences for the model."""
    problems = []
    if has_address(text):
        problems.append("It contains a web or email address; leave it out")
    if re.search(_MARKUP, text):
        problems.append("It contains markup or a placeholder; write plain text that needs no filling in")
    if re.search(_OUT_OF_ROLE, text) or _leaks(text, instructions):
        problems.append("It mentions these rules or a program; write only what the workshop would")
    if _common_words_in(text, locale) < max(_common_words_in(text, other) for other in LOCALES):
        problems.append(f"It is not in the requested language ({locale})")
    return problems


def is_certainly_in(text: str, locale: DocumentLocale) -> bool:
    """Whether a text of several sentences is in the language, and not in another."""
    own = _common_words_in(text, locale)
    return own >= 2 and all(own > _common_words_in(text, other) for other in LOCALES if other != locale)


def is_long_and_foreign(text: str, locale: DocumentLocale) -> bool:
    """Whether the text has none of the common words of the language, and is too long for that to be chance."""
    return len(_WORD.findall(text)) >= _LONG_TEXT_WORDS and _common_words_in(text, locale) == 0


def _common_words_in(text: str, locale: DocumentLocale) -> int:
    common = language(locale).common_words
    return sum(word in common for word in _WORD.findall(text.casefold()))


def _leaks(text: str, instructions: str) -> bool:
    """Whether the text repeats so many words of the instructions in a row that it is no coincidence."""
    return not _sequences(text).isdisjoint(_sequences(instructions))


def _sequences(text: str) -> set[tuple[str, ...]]:
    words = _WORD.findall(text.casefold())
    return {tuple(words[start : start + _LEAKED_WORDS]) for start in range(len(words) - _LEAKED_WORDS + 1)}
