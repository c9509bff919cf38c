"""How the service and its drawing child talk: lengths and bytes over two pipes.

An order is an estimate document in JSON. A reply is one byte that says what it is, and its body. A child says READY
once; to each order it answers TAKEN, and later how it went.
"""

import msgspec

from backbench.domain.documents.documents import EstimateDocument

LENGTH_BYTES = 4
# A document of 500 lines with labels of 250 characters, each of four bytes, and all else at its longest.
LONGEST_ORDER = 1 << 20

READY = b"R"
# The order has arrived; should the child end from here on, it is on account of the document.
TAKEN = b"T"
DRAWN = b"D"
# Drawn, and the last one of this child: it has grown too large to keep.
LAST = b"L"
# It cannot be drawn: the body says why.
FAILED = b"F"

_encoder = msgspec.json.Encoder(enc_hook=str, decimal_format="string")
_decoder = msgspec.json.Decoder(EstimateDocument)


def order(document: EstimateDocument) -> bytes:
    return _encoder.encode(document)


def document_in(frame: bytes) -> EstimateDocument:
    return _decoder.decode(frame)
