"""JavaScript modules: which of them one imports, and their text without documentation comments."""

import posixpath
import re
from collections.abc import Mapping

# The comments hold the types; they are half of the text. Line numbers stay as in the source.
_COMMENT = re.compile(r"^[ \t]*/\*\*(?:(?!\*/).)*\*/[ \t]*$", re.MULTILINE | re.DOTALL)
_STATIC = re.compile(r"""\b(?:import|export)\b[\w\s{},*$]*?\bfrom\s*["']([^"']+)["']|\bimport\s*["']([^"']+)["']""")
_DYNAMIC = re.compile(r"""\bimport\(\s*["']([^"']+)["']\s*\)""")


# A cast between other code, and lines that have a comment only.
_CAST = re.compile(r"/\*\* @type \{[^*\n]*\} \*/ ?")
_LINE_COMMENT = re.compile(r"^[ \t]*//.*$", re.MULTILINE)
_INDENTATION = re.compile(r"^[ \t]+", re.MULTILINE)


def compact(code: bytes) -> bytes:
    """The module as it is served: without comments and indentation. No template literal of ours has several lines."""
    text = without_comments(code).decode()
    for pattern in (_CAST, _LINE_COMMENT, _INDENTATION):
        text = pattern.sub("", text)
    return text.encode()


def without_comments(code: bytes) -> bytes:
    return _COMMENT.sub(lambda comment: "\n" * comment[0].count("\n"), code.decode()).encode()


def static_imports(path: str, code: bytes) -> list[str]:
    """The paths of the modules that the browser loads together with this one."""
    return [_resolved(path, first or second) for first, second in _STATIC.findall(without_comments(code).decode())]


def dynamic_imports(path: str, code: bytes) -> list[str]:
    """The paths of the modules that the code may load later."""
    return [_resolved(path, name) for name in _DYNAMIC.findall(without_comments(code).decode())]


def graph(start: str, files: Mapping[str, bytes]) -> list[str]:
    """The module and all that it imports statically, the nearest first. Raises ValueError where one does not exist."""
    found = [start]
    for path in found:
        imported = static_imports(path, files[path])
        missing = [each for each in imported if each not in files]
        if missing:
            raise ValueError(f"{path} of the web app imports {missing[0]}, which does not exist")
        found += [each for each in dict.fromkeys(imported) if each not in found]
    return found


def _resolved(path: str, name: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(path), name))
