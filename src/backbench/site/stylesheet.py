"""The stylesheet of the web app: one file, made of the files that it imports."""

import posixpath
import re
from collections.abc import Mapping

_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
# An import, with a cascade layer perhaps, or a relative address.
_REFERENCE = re.compile(
    r"""^@import\s+(?:url\(\s*)?["']([^"']+)["']\s*\)?\s*(?:layer\(([\w.-]+)\))?\s*;"""
    r"""|\burl\(\s*["']?(\.{1,2}/[^"')]+)["']?\s*\)""",
    re.MULTILINE,
)


def flattened(path: str, files: Mapping[str, bytes]) -> bytes:
    """The stylesheet with the text of its imports in their place. Raises KeyError where one does not exist."""
    return _text(path, files, posixpath.dirname(path)).encode()


def _text(path: str, files: Mapping[str, bytes], base: str) -> str:
    """`base` is the folder that addresses are relative to."""
    folder = posixpath.dirname(path)

    def resolved(reference: re.Match[str]) -> str:
        stylesheet, layer, address = reference.groups()
        if address is not None:
            return f'url("{posixpath.relpath(posixpath.join(folder, address), base)}")'
        text = _text(posixpath.normpath(posixpath.join(folder, stylesheet)), files, base)
        return text if layer is None else f"@layer {layer} {{\n{text}}}"

    text = _REFERENCE.sub(resolved, _COMMENT.sub("", files[path].decode()))
    if "@import" in text:
        raise ValueError(f"{path} has an @import with conditions, or in a line of another rule")
    return text.strip() + "\n"
