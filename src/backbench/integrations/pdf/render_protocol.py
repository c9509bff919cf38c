"""Render protocol: length-prefixed messages over two pipes between the service and a render process.

A render request is an estimate document as JSON. A reply is one byte with its kind, followed by its body. A process
sends READY once. To each request it replies ACCEPTED, and then RENDERED, RENDERED_LAST or FAILED.
"""

import msgspec

from backbench.domain.documents.documents import EstimateDocument

LENGTH_BYTES = 4
# A document with 500 lines, labels of 250 characters of four bytes each, and every other field at its maximum.
MAX_REQUEST_BYTES = 1 << 20

READY = b"R"
# The request has arrived. If the process ends after this, the document is the cause.
ACCEPTED = b"T"
RENDERED = b"D"
# Rendered, and the process exits now: it uses too much memory to be reused.
RENDERED_LAST = b"L"
# The document cannot be rendered: the body is the error message.
FAILED = b"F"

_encoder = msgspec.json.Encoder(enc_hook=str, decimal_format="string")
_decoder = msgspec.json.Decoder(EstimateDocument)


def encode_request(document: EstimateDocument) -> bytes:
    return _encoder.encode(document)


def decode_request(request: bytes) -> EstimateDocument:
    return _decoder.decode(request)
