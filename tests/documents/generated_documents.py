"""Generated documents: estimates of every kind, and the JavaScript that shows their sums."""

import json
import os
import subprocess
import sysconfig
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from decimal import Decimal
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from backbench.documents.documents import PdfExportOptions
from backbench.estimating.document_facts import DocumentFacts
from backbench.estimating.line_items import LineItem
from backbench.values import numbers
from backbench.values.numbers import Number
from backbench.values.taxes import NO_RATES, Tax

ROOT = Path(__file__).parents[2]
DENO = Path(sysconfig.get_path("scripts")) / "deno"
Ask = Callable[[Any], Any]


@contextmanager
def process(script: str) -> Iterator[Ask]:
    environment = os.environ | {"DENO_DIR": str(ROOT / "build" / "deno"), "DENO_NO_UPDATE_CHECK": "1"}
    with subprocess.Popen(
        [DENO, "run", "--quiet", "--no-check", "--no-remote", "--allow-read=src", f"tests/web/{script}"],
        cwd=ROOT,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as running:
        stdin, stdout = running.stdin, running.stdout
        assert stdin is not None
        assert stdout is not None

        def ask(question: Any) -> Any:
            stdin.write(numbers.to_json(question) + b"\n")
            stdin.flush()
            return json.loads(stdout.readline())

        yield ask
        stdin.close()


def amounts(most: int, places: int) -> st.SearchStrategy[Number]:
    units = st.integers(0, 9999) | st.integers(0, most * 10**places)
    return units.map(lambda value: Number(Decimal(value).scaleb(-places)))


percents = st.sampled_from([Number(0), Number(5), Number("12.5"), Number("33.3333")])
taxes = st.sampled_from([Tax(Number(23)), Tax(Number(8)), Tax(Number(0)), *map(Tax, NO_RATES)])
lines = st.lists(
    st.tuples(amounts(20_000, 2), amounts(50, 1), st.sampled_from(["Door", "Frame", "Survey"])), min_size=1, max_size=8
).map(
    lambda found: [
        LineItem(f"l{at}", label, "piece", price, quantity) for at, (price, quantity, label) in enumerate(found)
    ]
)
optional = {
    "tax_percent": st.sampled_from([Number(23), Number(8), Number("13.5")]),
    "tax_kind": st.sampled_from(["rate", "rate", "exempt", "reverse_charge", "outside"]),
    "line_taxes": st.dictionaries(st.sampled_from(["l0", "l1", "l2", "unknown"]), taxes, max_size=3),
    "prices_shown": st.sampled_from(["net", "gross"]),
    "prices_entered": st.sampled_from(["net", "gross"]),
    "deposit_kind": st.sampled_from(["advance", "earnest"]),
    "breakdown": st.sampled_from(["full", "full", "unpriced", "none"]),
    "sections": st.dictionaries(st.sampled_from(["l0", "l1", "l3", "unknown"]), st.just("Part"), max_size=3),
    "document_title": st.sampled_from(["estimate", "quotation", "cost_estimate"]),
    "withdrawal": st.sampled_from(["none", "bespoke", "fourteen_days", "start_early"]),
}
deposits = st.sampled_from(
    [{}, {"deposit_percent": Number(30)}, {"deposit_percent": Number("33.3333")}, {"deposit_amount": Number("500.5")}]
)
# Without those that are rejected: prices entered with tax and shown without.
facts = st.builds(
    lambda chosen, deposit: DocumentFacts(**chosen, **deposit), st.fixed_dictionaries({}, optional=optional), deposits
).filter(lambda each: not each.field_errors())
options = st.builds(PdfExportOptions, show_markup=st.booleans(), show_discount=st.booleans())
jobs = st.tuples(
    lines, percents, percents, facts, options, st.sampled_from(["pl", "en"]), st.sampled_from(["PLN", "EUR", "JPY"])
)
