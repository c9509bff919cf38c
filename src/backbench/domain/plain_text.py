"""Plain text: what a language model may say in a workshop's name, told from links, markup and repeated rules.

Every test errs on the side of refusing: a refused sentence costs a second try, a false one costs a client.
"""

import re
import unicodedata
from collections.abc import Iterable

from backbench.domain.values.enums import DocumentLocale

_LINE_ENDS = re.compile("\r\n|[\r\v\f\x1c-\x1e\x85\u2028\u2029]")
_ZERO_WIDTH_JOINER = "\u200d"
# Control, format and private characters, halves of pairs, and what Unicode has not assigned.
_UNPRINTED = {"Cc", "Cf", "Co", "Cs", "Cn"}

_DOT = "[.\u3002\uff0e\uff61]"
_ADDRESS = re.compile(
    rf"""
      \b[a-z][a-z0-9+.-]{{1,20}}://
    | \b(?:www{_DOT}|mailto:|javascript:|data:|tel:|sms:|hxxps?\b)
    | @
    | \[(?:at|dot)\] | \((?:at|dot|małpa|kropka)\) | \s(?:dot|kropka)\s(?:com|net|org|pl|eu|io|info|co)\b
    | \b(?!m\.in\b)[^\W_](?:[\w-]{{0,62}}){_DOT}[^\W\d_]{{2,24}}\b
    | \b\d{{1,3}}(?:\.\d{{1,3}}){{3}}\b
    """,
    re.IGNORECASE | re.VERBOSE,
)
_MARKUP = re.compile(
    r"""
      <[/!?]?[a-z][^\n>]{0,200}> | ```|~~~ | \*\*|__|\#\# | &(?:[a-z]{2,8}|\#\d{1,6});
    | \[[^\]\n]{0,80}\] | \{[^}\n]{0,80}\} | <[^>\n]{1,80}> | ^\s*(?:[*#>|]|-{3,}|={3,})\s
    """,
    re.IGNORECASE | re.VERBOSE | re.MULTILINE,
)
_OUT_OF_ROLE = re.compile(
    r"""
      \b(?:as\ an?\ (?:ai|assistant|language\ model)|(?:ai|large)\ language\ model|language\ models?|chatbot)\b
    | \b(?:system|developer)\ (?:prompt|message|instructions?)\b | \bJSON\b
    | \b(?:jako\ (?:asystent|model|sztuczna)|model\w*\ językow\w*|sztuczn\w+\ inteligencj\w+)
    """,
    re.IGNORECASE | re.VERBOSE,
)
_WORD = re.compile(r"\w+")
_REPEATED_WORDS = 8
_WORDS_THAT_TELL = 12
# Whatever is longer is refused for its length by all who ask; so nobody tidies a megabyte.
_LONGEST = 10_000
_ENGLISH = "the and you your is are with our this of will if please from an it for"
_POLISH = """
się jest są dla oraz nie na za od po że lub przez który która które w z ze o przy jak
prosimy proszę państwa dziękujemy dziękuję przesyłam przesyłamy
"""
_TELLING: dict[DocumentLocale, frozenset[str]] = {
    "en": frozenset(_ENGLISH.split()),
    "pl": frozenset(_POLISH.split()),
}


def one_line(text: str) -> str:
    """The text on one line: white space in single spaces, nothing unprinted."""
    return " ".join(_printed(text).split())


def paragraphs(text: str) -> str:
    """The text in paragraphs an empty line apart at most; no-break spaces stay, nothing unprinted does."""
    lines = (re.sub("[ \t]+", " ", line).strip() for line in _printed(text).split("\n"))
    return re.sub("\n{3,}", "\n\n", "\n".join(lines)).strip()


def _printed(text: str) -> str:
    return "".join(
        character
        for character in _LINE_ENDS.sub("\n", text[:_LONGEST])
        if character in ("\n", "\t", _ZERO_WIDTH_JOINER) or unicodedata.category(character) not in _UNPRINTED
    )


def without(text: str, known: Iterable[str]) -> str:
    """The text with every whole occurrence of what is known taken out: names that may hold anything."""
    phrases = sorted({phrase for phrase in known if phrase and phrase in text}, key=len, reverse=True)
    if not phrases:
        return text
    return re.sub(rf"(?<!\w)(?:{'|'.join(map(re.escape, phrases))})(?!\w)", "\ufffc", text)


def faults_of(text: str, locale: DocumentLocale, instructions: str) -> list[str]:
    """What keeps the text from being plain words of the workshop's in the language; without it, nothing."""
    found = []
    if _ADDRESS.search(unicodedata.normalize("NFKC", text)) or _ADDRESS.search(text):
        found.append("It holds a web or mail address that the material does not give; leave it out")
    if _MARKUP.search(text):
        found.append("It holds markup or a placeholder; write plain text that needs no filling in")
    if _OUT_OF_ROLE.search(text) or _repeats(text, instructions):
        found.append("It speaks of these rules or of a program; write only what the workshop would")
    if _votes(text, _other(locale)) > _votes(text, locale):
        found.append(f"It is not in the language asked for ({locale})")
    return found


def _votes(text: str, locale: DocumentLocale) -> int:
    return sum(word in _TELLING[locale] for word in _WORD.findall(text.casefold()))


def is_long_and_foreign(text: str, locale: DocumentLocale) -> bool:
    """Whether a text too long for that by chance has none of the words that every text of the language has."""
    return len(_WORD.findall(text)) >= _WORDS_THAT_TELL and _votes(text, locale) == 0


def is_certainly(text: str, locale: DocumentLocale) -> bool:
    """Whether a text of several sentences is in the language."""
    own = _votes(text, locale)
    return own >= 2 and own > _votes(text, _other(locale))


def _other(locale: DocumentLocale) -> DocumentLocale:
    return "pl" if locale == "en" else "en"


def _repeats(text: str, instructions: str) -> bool:
    """Whether so many words of the instructions stand in the text in a row that it was not by chance."""
    return not _runs(text).isdisjoint(_runs(instructions))


def _runs(text: str) -> set[tuple[str, ...]]:
    words = _WORD.findall(text.casefold())
    return {tuple(words[at : at + _REPEATED_WORDS]) for at in range(len(words) - _REPEATED_WORDS + 1)}
