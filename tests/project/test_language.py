"""Language: names, comments, docstrings and documentation use the terms of docs/glossary.md.

String literals are not checked: they hold product copy, SQL and test data.
"""

import ast
import io
import itertools
import re
import tokenize
from collections.abc import Iterator, Mapping
from pathlib import Path

ROOT = Path(__file__).parents[2]
CODE = ("src", "tests", "tools", "benchmarks")
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])

# Words with a standard term that replaces them (docs/glossary.md, "Words we do not use").
_EVERYWHERE = """
canaries canary dear farewell fault faults knock knocked knocks mails manners papers postbox postman postmen refusal
refusals scar scars speaks stray strays told trouble troubled troubles twin twins village visitor visitors whatever
whoever wound wounds
"""
EVERYWHERE = frozenset(_EVERYWHERE.split())
# These are ordinary English in prose, but wrong as names in this code base.
_NAMES_ONLY = """
beside door doors ear envelope hold house room rooms said sheet shop shops turns
"""
NAMES_ONLY = frozenset(_NAMES_ONLY.split())
PHRASES = (
    "a fault of ours",
    "by halves",
    "came to nothing",
    "comes to nothing",
    "leads on",
    "nobody hears",
)
# Why a file may contain a word nevertheless.
ALLOWED: Mapping[str, tuple[frozenset[str], str]] = {
    "docs/glossary.md": (EVERYWHERE | NAMES_ONLY | set(PHRASES), "it lists the words that are replaced"),
    "tests/project/test_language.py": (EVERYWHERE | NAMES_ONLY | set(PHRASES), "it lists the words that are rejected"),
}
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_PROSE_WORD = re.compile(r"[A-Za-z]+")


def words_of(name: str) -> set[str]:
    """The words of an identifier in snake_case or CamelCase, in lower case."""
    return {word.lower() for word in _WORD.findall(name)}


def names_in(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Every name that the module defines, with its line."""
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield node.lineno, name
            case ast.arg(arg=name):
                yield node.lineno, name
            case ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()):
                yield node.lineno, name
            case ast.ImportFrom() | ast.Import():
                yield from ((node.lineno, alias.asname) for alias in node.names if alias.asname)
            case ast.ExceptHandler(name=str(name)):
                yield node.lineno, name


def prose_in(source: str, tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Every comment and docstring, with its line."""
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            docstring = ast.get_docstring(node, clean=False)
            if docstring:
                yield node.body[0].lineno, docstring


def rejected_in_prose(text: str) -> set[str]:
    """Words and phrases of a text, without what is in backticks."""
    text = re.sub(r"`[^`]*`", "", text).lower()
    phrases = {phrase for phrase in PHRASES if phrase in " ".join(text.split())}
    return phrases | (EVERYWHERE & set(_PROSE_WORD.findall(text)))


def violations_of_code(path: Path, source: str) -> Iterator[str]:
    words = {word.lower() for word in _WORD.findall(f"{path.stem} {source}")}
    has_prose = bool(words & EVERYWHERE) or any(words >= set(phrase.split()) for phrase in PHRASES)
    if not has_prose and not words & NAMES_ONLY:
        # Parsing takes most of the time, and few files have any of the words.
        return
    tree = ast.parse(source)
    allowed = ALLOWED.get(str(path), (frozenset(), ""))[0]
    found = [(1, word) for word in words_of(path.stem) & (EVERYWHERE | NAMES_ONLY)]
    found += [(line, word) for line, name in names_in(tree) for word in words_of(name) & (EVERYWHERE | NAMES_ONLY)]
    prose = prose_in(source, tree) if has_prose else ()
    found += [(line, word) for line, text in prose for word in rejected_in_prose(text)]
    yield from (f"{path}:{line}: {word}" for line, word in sorted(set(found)) if word not in allowed)


def violations_of_page(path: Path, text: str) -> Iterator[str]:
    allowed = ALLOWED.get(str(path), (frozenset(), ""))[0]
    prose = re.sub(r"^```.*?^```$", lambda block: "\n" * block[0].count("\n"), text, flags=re.MULTILINE | re.DOTALL)
    for number, line in enumerate(prose.splitlines(), 1):
        yield from (f"{path}:{number}: {word}" for word in sorted(rejected_in_prose(line) - allowed))


def test_code_uses_the_terms_of_the_glossary() -> None:
    modules = sorted(path for name in CODE for path in (ROOT / name).rglob("*.py"))
    assert modules
    found = [violations_of_code(path.relative_to(ROOT), path.read_text("utf-8")) for path in modules]
    assert list(itertools.chain(*found)) == []


def test_documentation_uses_the_terms_of_the_glossary() -> None:
    found = [violations_of_page(page.relative_to(ROOT), page.read_text("utf-8")) for page in PAGES]
    assert list(itertools.chain(*found)) == []


def test_sql_files_use_the_terms_of_the_glossary() -> None:
    names = [path.name for path in (ROOT / "src").rglob("*.sql")]
    assert [name for name in names if words_of(name) & (EVERYWHERE | NAMES_ONLY)] == []


def test_the_glossary_has_at_most_70_terms_in_order() -> None:
    terms, _, _ = (ROOT / "docs" / "glossary.md").read_text("utf-8").partition("## Words we do not use")
    names = re.findall(r"^\| ([^|]+) \|", terms, re.MULTILINE)[1:]
    assert 0 < len(names) <= 70
    assert names == sorted(names, key=str.casefold)


def test_private_words_are_found_in_names_comments_and_docstrings() -> None:
    source = '"""What whoever asks is told."""\n# A twin.\nclass LonePostman:\n    def hold_door(self, visitor): ...\n'
    assert list(violations_of_code(Path("src/example.py"), source)) == [
        "src/example.py:1: told",
        "src/example.py:1: whoever",
        "src/example.py:2: twin",
        "src/example.py:3: postman",
        "src/example.py:4: door",
        "src/example.py:4: hold",
        "src/example.py:4: visitor",
    ]


def test_words_that_only_contain_a_private_word_are_accepted() -> None:
    source = '"""Default warehouse, untold; `told` in code."""\nTEXT = "whoever is told"\ndefaults = strayed = 1\n'
    assert list(violations_of_code(Path("src/example.py"), source)) == []
