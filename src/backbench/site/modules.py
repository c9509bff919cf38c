"""JavaScript modules: which of them one imports, and their text without comments."""

import posixpath
import re
from collections.abc import Mapping

# Each pattern begins with a word: the search for it is many times faster than one at the beginning of every line.
# Groups: the names in braces, the name for all of them, the address. In vendored files several statements are one line.
IMPORT = re.compile(r'import(?<![^;\n]import)\s*(?:(\{[^}]*\})|\*\s*as\s+(\w+))\s*from\s*"([^"]+)";?')
# Groups: the names, the address.
EXPORT_FROM = re.compile(r'export(?<![^;}\n]export)\s*\{([^}]*)\}\s*from\s*"([^"]+)";?')
DYNAMIC_IMPORT = re.compile(r"""import\((?<!\wimport\()\s*["']([^"']+)["']\s*\)""")
_COMMENT = re.compile(r"/\*\*.*?\*/", re.DOTALL)
_CAST = re.compile(r"/\*\* @type \{[^*\n]*\} \*/ ?")


def compact(code: bytes) -> bytes:
    """The module as it is served: without comments, indentation and empty lines. The comments are half of the text.

    No template literal of ours has several lines.
    """
    lines = (line.strip() for line in _CAST.sub("", without_comments(code).decode()).split("\n"))
    return "\n".join(line for line in lines if line and not line.startswith("//")).encode()


def without_comments(code: bytes) -> bytes:
    """The module without documentation comments, which hold its types, except for casts. Lines keep their numbers."""

    def lines(comment: re.Match[str]) -> str:
        begin, end = comment.span()
        begins_line = not comment.string[comment.string.rfind("\n", 0, begin) + 1 : begin].strip(" \t")
        ends_line = comment.string[end : end + 1] in ("", "\n")
        return "\n" * comment[0].count("\n") if begins_line and ends_line else comment[0]

    return _COMMENT.sub(lines, code.decode()).encode()


class ModuleGraph:
    """Which modules each module imports, by paths. Raises ValueError where one does not exist.

    `static` ones are loaded together with the module, `dynamic` ones where its code asks for them.
    """

    def __init__(self, modules: Mapping[str, bytes]) -> None:
        self.static: dict[str, list[str]] = {}
        self.dynamic: dict[str, list[str]] = {}
        for path, code in modules.items():
            text = without_comments(code).decode()
            addresses = [each[-1] for form in (IMPORT, EXPORT_FROM) for each in form.findall(text)]
            self.static[path] = [resolved(path, address) for address in addresses]
            self.dynamic[path] = [resolved(path, address) for address in DYNAMIC_IMPORT.findall(text)]
            missing = {*self.static[path], *self.dynamic[path]} - modules.keys()
            if missing:
                raise ValueError(f"{path} of the web app imports {min(missing)}, which does not exist")

    def loaded_with(self, start: str) -> list[str]:
        """The module and all that it imports statically, the nearest first."""
        found = {start: None}
        todo = [start]
        for path in todo:
            new = [each for each in dict.fromkeys(self.static[path]) if each not in found]
            found |= dict.fromkeys(new)
            todo += new
        return todo


def resolved(path: str, address: str) -> str:
    """The path of the module that the one at `path` imports from that address."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(path), address))
