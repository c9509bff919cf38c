"""Types of the API's shapes for the web app."""

import re

from tools import js_shapes

from backbench.http.openapi.document import document
from backbench.reference import reference
from backbench.routes import OPERATIONS


def test_the_types_of_the_web_app_are_those_of_the_api() -> None:
    is_current = js_shapes.FILE.read_text("utf-8") == js_shapes.shapes(document(OPERATIONS, reference()))
    assert is_current, "run `make docs`"


def test_every_shape_has_a_type() -> None:
    components = document(OPERATIONS, reference())["components"]["schemas"]
    declared = js_shapes.shapes({"paths": {}, "components": {"schemas": components}})
    assert len(re.findall(r"\n  (?:interface|type) ", declared)) == 1 + len(components)
    # In quotes it is a value, and in a comment a word. Messages of agents have members of another protocol.
    plain = declared.replace("{ [key: string]: unknown }", "object")
    assert re.findall(r"(?:[:|] |<)unknown\b", plain) == []


def test_every_operation_has_a_type() -> None:
    assert js_shapes.FILE.read_text("utf-8").count("; response: ") == len(OPERATIONS)
