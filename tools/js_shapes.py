"""Types of the API's shapes for the JavaScript of the web app: types/shapes.d.ts, from the OpenAPI document.

`make docs` runs this; a test fails if it was not run.
"""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from textwrap import indent
from typing import Any

from backbench.http.openapi.document import document as openapi_document
from backbench.reference import reference
from backbench.routes import OPERATIONS

FILE = Path(__file__).parents[1] / "types" / "shapes.d.ts"
_HEAD = """// The shapes of requests and responses, generated from the OpenAPI document by `make docs`.
// Identifiers and timestamps are text; a timestamp is ISO 8601 in UTC, such as 2026-11-20T10:15:00.000Z."""
_SCALARS = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}


def main() -> None:
    FILE.write_text(shapes(openapi_document(OPERATIONS, reference())), "utf-8")


def shapes(document: Mapping[str, Any]) -> str:
    """A declaration for each schema, in alphabetical order, after one with what each operation takes and returns."""
    components = document["components"]["schemas"]
    declared = [_declaration(name, components[name]) for name in sorted(components)]
    declarations = "\n\n".join([_operations(document["paths"]), *declared])
    return f"{_HEAD}\ndeclare namespace Api {{\n{indent(declarations, '  ')}\n}}\n"


def _operations(paths: Mapping[str, Any]) -> str:
    lines = [
        f'  "{method.upper()} {path}": {{ {"; ".join(_parts(operation))} }};\n'
        for path, operations in paths.items()
        for method, operation in operations.items()
    ]
    return f"interface Operations {{\n{''.join(lines)}}}"


def _parts(operation: Mapping[str, Any]) -> Iterator[str]:
    """`params` are those of the path and of the query. A response that is not JSON is a Blob, if it is asked for."""
    params = [each for each in operation.get("parameters", ()) if each["in"] in ("path", "query")]
    yield f"params: {{ {'; '.join(map(_parameter, params))} }}" if params else "params: Record<string, never>"
    body = operation.get("requestBody", {})
    for media_type, content in body.get("content", {}).items():
        name, kind = ("body", _type(content["schema"])) if media_type == "application/json" else ("form", "FormData")
        yield f"{name}{'' if body.get('required') else '?'}: {kind}"
    succeeding = (each for code, each in operation["responses"].items() if code.startswith("2"))
    contents = {media_type: content for each in succeeding for media_type, content in each.get("content", {}).items()}
    if contents.keys() - {"application/json"}:
        yield 'as: "blob"'
        yield "response: Blob"
    else:
        yield f"response: {_type(contents['application/json']['schema']) if contents else 'null'}"


def _parameter(parameter: Mapping[str, Any]) -> str:
    kind = "string | number" if parameter["in"] == "path" else _type(parameter["schema"])
    return f"{parameter['name']}{'' if parameter['required'] else '?'}: {kind}"


def _declaration(name: str, schema: Mapping[str, Any]) -> str:
    comment = "".join(_comment(schema, ""))
    if "properties" not in schema:
        return f"{comment}type {name} = {_type(schema)};"
    return f"{comment}interface {name} {{\n{''.join(_members(schema))}}}"


def _members(schema: Mapping[str, Any]) -> Iterator[str]:
    required = schema.get("required", [])
    for name, member in schema["properties"].items():
        yield from _comment(member, "  ")
        yield f"  {name}{'' if name in required else '?'}: {_type(member)};\n"


def _comment(schema: Mapping[str, Any], indent: str) -> Iterator[str]:
    text = " ".join(schema.get("description", "").split()).replace("*/", "* /")
    if text:
        yield f"{indent}/** {text} */\n"


def _type(schema: Mapping[str, Any]) -> str:
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    for union in ("anyOf", "oneOf"):
        if union in schema:
            return " | ".join(dict.fromkeys(_type(each) for each in schema[union]))
    if "const" in schema or "enum" in schema:
        return " | ".join(json.dumps(value) for value in schema.get("enum", [schema.get("const")]))
    kinds = schema.get("type", [])
    kinds = [kinds] if isinstance(kinds, str) else kinds
    return " | ".join(_of(kind, schema) for kind in kinds) or "unknown"


def _of(kind: str, schema: Mapping[str, Any]) -> str:
    if kind == "array":
        return f"Array<{_type(schema.get('items', {}))}>"
    if kind == "object":
        return f"{{ [key: string]: {_type(schema.get('additionalProperties') or {})} }}"
    return _SCALARS[kind]


if __name__ == "__main__":
    main()
