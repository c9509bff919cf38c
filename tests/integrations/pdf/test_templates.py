"""Templates: what makes Typst lay out a document again once the number of its pages is known."""

import re

from backbench.integrations.pdf.render_process import TEMPLATES

DEFINITION = re.compile(r"^#let ([\w-]+)", re.MULTILINE)
INTROSPECTION = re.compile(r"\b(?:counter|query|here|locate|state|position)\(")


def introspecting(template: str) -> set[str]:
    """The definitions of a template that ask for pages or places."""
    _, *parts = DEFINITION.split((TEMPLATES / template).read_text("utf-8"))
    return {name for name, body in zip(parts[::2], parts[1::2], strict=True) if INTROSPECTION.search(body)}


def test_only_heads_and_feet_of_pages_are_laid_out_twice() -> None:
    assert introspecting("common.typ") == {"page-foot", "running-head"}
    assert introspecting("estimate.typ") == {"check-fit", "carried-before", "carried-on"}


def test_an_estimate_evaluates_no_definition_of_a_function() -> None:
    """Typst walks and hashes a function's code and surroundings wherever it is defined."""
    template = (TEMPLATES / "estimate.typ").read_text("utf-8")

    assert re.findall(r"^ +#?let [\w-]+\(", template, re.MULTILINE) == []
