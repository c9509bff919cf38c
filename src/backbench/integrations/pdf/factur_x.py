"""Factur-X: the metadata that says that a PDF carries its invoice as a file.

Typst attaches the file and writes the metadata of PDF/A-3; the members of Factur-X are added to these as an incremental
update of the PDF (ISO 32000-2, 7.5.6). Source: Factur-X 1.07, ZUGFeRD 2.3, section 6.2.
"""

import re

FILE_NAME = "factur-x.xml"
_NAMESPACE = "urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#"
_MEMBERS = (
    ("DocumentFileName", "name of the embedded XML invoice file"),
    ("DocumentType", "INVOICE"),
    ("Version", "The actual version of the Factur-X data"),
    ("ConformanceLevel", "The conformance level of the Factur-X data"),
)
_DESCRIBED = f"""<rdf:Description rdf:about="" xmlns:fx="{_NAMESPACE}">\
<fx:DocumentType>INVOICE</fx:DocumentType><fx:DocumentFileName>{FILE_NAME}</fx:DocumentFileName>\
<fx:Version>1.0</fx:Version><fx:ConformanceLevel>EN 16931</fx:ConformanceLevel></rdf:Description>"""
_PROPERTIES = "".join(
    f"""<rdf:li rdf:parseType="Resource"><pdfaProperty:name>{name}</pdfaProperty:name>\
<pdfaProperty:valueType>Text</pdfaProperty:valueType><pdfaProperty:category>external</pdfaProperty:category>\
<pdfaProperty:description>{text}</pdfaProperty:description></rdf:li>"""
    for name, text in _MEMBERS
)
_SCHEMA = f"""<rdf:li xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#" \
xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#" rdf:parseType="Resource">\
<pdfaSchema:schema>Factur-X PDFA Extension Schema</pdfaSchema:schema>\
<pdfaSchema:namespaceURI>{_NAMESPACE}</pdfaSchema:namespaceURI><pdfaSchema:prefix>fx</pdfaSchema:prefix>\
<pdfaSchema:property><rdf:Seq>{_PROPERTIES}</rdf:Seq></pdfaSchema:property></rdf:li>"""
_METADATA = re.compile(rb"\n(\d+) 0 obj\n<<[^>]*/Type\s?/Metadata[^>]*>>\s*stream\n(.*?)\nendstream", re.DOTALL)
_START = re.compile(rb"startxref\s+(\d+)\s+%%EOF\s*\Z")
_TRAILER = re.compile(rb"trailer\s*<<(.*)>>\s*startxref", re.DOTALL)


class NoMetadata(Exception):
    """The PDF has not the form that Typst writes."""


def with_invoice_metadata(pdf: bytes) -> bytes:
    """The PDF with the metadata of Factur-X. Raises NoMetadata."""
    found, start, trailer = _METADATA.search(pdf), _START.search(pdf), _TRAILER.search(pdf)
    if found is None or start is None or trailer is None:
        raise NoMetadata
    number, xmp = int(found[1]), _added(found[2].decode())
    content = xmp.encode()
    offset = len(pdf) + 1
    update = b"\n%d 0 obj\n<</Length %d/Type/Metadata/Subtype/XML>>\nstream\n%b\nendstream\nendobj\n" % (
        number,
        len(content),
        content,
    )
    at = len(pdf) + len(update)
    members = re.sub(rb"/Prev \d+", b"", trailer[1]).strip()
    table = b"xref\n%d 1\n%010d 00000 n \ntrailer\n<<%b/Prev %d>>\nstartxref\n%d\n%%%%EOF\n" % (
        number,
        offset,
        members,
        int(start[1]),
        at,
    )
    return pdf + update + table


def _added(xmp: str) -> str:
    """The metadata with a description of the file, and its schema in that of PDF/A extensions."""
    if "<pdfaExtension:schemas>" in xmp:
        with_schema = re.sub(r"(<pdfaExtension:schemas>\s*<rdf:Bag>)", lambda found: found[1] + _SCHEMA, xmp, count=1)
        extension = ""
    else:
        with_schema = xmp
        extension = (
            '<rdf:Description rdf:about="" xmlns:pdfaExtension="http://www.aiim.org/pdfa/ns/extension/">'
            f"<pdfaExtension:schemas><rdf:Bag>{_SCHEMA}</rdf:Bag></pdfaExtension:schemas></rdf:Description>"
        )
    end = with_schema.rindex("</rdf:RDF>")
    return with_schema[:end] + extension + _DESCRIBED + with_schema[end:]
