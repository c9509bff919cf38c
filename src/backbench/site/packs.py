"""Packs: JavaScript modules put together into few files: each request of a start costs a phone milliseconds.

A pack runs each of its modules once, in a function of its own, after those that it imports, and exports what they
export as one object for each module. What every start loads is in few packs that are named, each without what is in one
before it. Modules that are loaded where they are needed are together with those that the same dynamic imports need: so
nothing is loaded that is not used, and no module is in two packs. Modules are written in few forms of import and
export; another one is an error, which the tests find.
"""

import posixpath
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence

from backbench.site.modules import DYNAMIC_IMPORT, EXPORT_FROM, IMPORT, ModuleGraph, resolved

_EXPORT = re.compile(r"export (?<![^\n]export )(?=(?:async function|function|class|const) (\{[^}]*\}|\w+))")
_EXPORT_LIST = re.compile(r"export(?<![^;}\n]export)\s*\{([^}]*)\};?")
_OTHER_FORMS = tuple(word + following for word in ("import", "export") for following in " {*\"'")


def packed(starts: Sequence[Sequence[str]], modules: Mapping[str, bytes]) -> dict[str, bytes]:
    """The packs, each by the path of its first module. `starts` are those that every start loads, in the order of
    loading, without the modules that theirs import. Theirs may be imported dynamically.

    Modules that nothing imports are left out. Raises ValueError for a module that cannot be put into a pack.
    """
    imports = ModuleGraph(modules)
    groups = _groups(starts, imports)
    pack_of = {path: name for name, paths in groups.items() for path in paths}
    return {
        name: _pack(name, _in_order(paths, imports), pack_of, imports, modules).encode()
        for name, paths in groups.items()
    }


def _groups(starts: Sequence[Sequence[str]], imports: ModuleGraph) -> dict[str, list[str]]:
    """The modules of each pack, by its path."""
    first: dict[str, str] = {}
    for start in starts:
        for path in (path for each in start for path in imports.loaded_with(each)):
            first.setdefault(path, start[0])
    needed_by: dict[str, list[str]] = defaultdict(list)
    entries: dict[str, None] = {}
    todo = list(first)
    for path in todo:
        for entry in imports.dynamic[path]:
            if entry in entries or entry in first:
                continue
            entries[entry] = None
            for each in imports.loaded_with(entry):
                if each in first:
                    continue
                if each not in needed_by:
                    todo.append(each)
                needed_by[each].append(entry)
    groups: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for path, start in first.items():
        groups[(start,)].append(path)
    for path, needing in needed_by.items():
        groups[tuple(needing)].append(path)
    return {paths[0]: paths for paths in groups.values()}


def _in_order(paths: Sequence[str], imports: ModuleGraph) -> list[str]:
    """The modules, each after those that it imports. Raises ValueError for a circle."""
    begun: set[str] = set()
    ordered: dict[str, None] = {}

    def visit(path: str) -> None:
        begun.add(path)
        for imported in imports.static[path]:
            if imported in paths and imported not in ordered:
                if imported in begun:
                    raise ValueError(f"{path} of the web app imports {imported}, which imports it")
                visit(imported)
        ordered[path] = None

    for path in paths:
        if path not in ordered:
            visit(path)
    return list(ordered)


def _pack(
    name: str, paths: Sequence[str], pack_of: Mapping[str, str], imports: ModuleGraph, modules: Mapping[str, bytes]
) -> str:
    outside: dict[str, set[str]] = defaultdict(set)
    for path in paths:
        for imported in imports.static[path]:
            if pack_of[imported] != name:
                outside[pack_of[imported]].add(_variable(imported))
    lines = [
        f'import {{ {", ".join(sorted(variables))} }} from "{_relative(other, name)}";'
        for other, variables in sorted(outside.items())
    ]
    lines += [_function(path, name, pack_of, modules[path].decode()) for path in paths]
    return "\n".join([*lines, f"export {{ {', '.join(map(_variable, paths))} }};", ""])


def _function(path: str, pack: str, pack_of: Mapping[str, str], code: str) -> str:
    """The module as a function that runs at once and returns what the module exports."""
    exported: list[str] = []

    def export(match: re.Match[str]) -> str:
        exported.extend(re.findall(r"\w+", match[1]))
        return ""

    def export_list(match: re.Match[str]) -> str:
        exported.extend(_member(outer, inner) for inner, outer in _renamed(match[1]))
        return ""

    def export_from(match: re.Match[str]) -> str:
        module = _variable(resolved(path, match[2]))
        exported.extend(f"{outer}: {module}.{inner}" for inner, outer in _renamed(match[1]))
        return ""

    def static_import(match: re.Match[str]) -> str:
        names = match[2] or f"{{ {', '.join(_member(*each) for each in _renamed(match[1][1:-1]))} }}"
        return f"const {names} = {_variable(resolved(path, match[3]))};"

    def dynamic_import(match: re.Match[str]) -> str:
        module = resolved(path, match[1])
        return f'import("{_relative(pack_of[module], pack)}").then((pack) => pack.{_variable(module)})'

    body = IMPORT.sub(static_import, code)
    body = EXPORT_FROM.sub(export_from, body)
    body = _EXPORT_LIST.sub(export_list, _EXPORT.sub(export, body))
    for line in body.split("\n"):
        if line.startswith(_OTHER_FORMS):
            raise ValueError(f"{path} of the web app has a statement that a pack cannot have: {line[:80]}")
    body = DYNAMIC_IMPORT.sub(dynamic_import, body)
    body = body.replace("import.meta.url", f'new URL("{_relative(path, pack)}", import.meta.url)')
    return f"const {_variable(path)} = (() => {{\n{body.strip()}\nreturn {{ {', '.join(exported)} }};\n}})();"


def _renamed(names: str) -> list[tuple[str, str]]:
    """The names of `a as b, c`, before and after `as`; the same twice where it is missing."""
    parts = [part.split() for part in names.split(",") if part.strip()]
    return [(part[0], part[-1]) for part in parts]


def _member(name: str, value: str) -> str:
    """A member of an object, where it is made or taken apart."""
    return name if name == value else f"{name}: {value}"


def _variable(path: str) -> str:
    return "$" + re.sub(r"\W", "_", path.removesuffix(".js"))


def _relative(path: str, pack: str) -> str:
    found = posixpath.relpath(path, posixpath.dirname(pack) or ".")
    return found if found.startswith(".") else f"./{found}"
