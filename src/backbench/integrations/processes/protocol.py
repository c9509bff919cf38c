"""Protocol of worker processes: length-prefixed messages over two pipes.

A reply is one byte with its kind, followed by its body. A process sends READY once. To each request it replies
ACCEPTED, and then DONE, DONE_LAST or FAILED.
"""

LENGTH_BYTES = 4

READY = b"R"
# The request has arrived. If the process ends after this, the request is the cause.
ACCEPTED = b"T"
DONE = b"D"
# Done, and the process exits now: it uses too much memory to be reused.
DONE_LAST = b"L"
# The request cannot be fulfilled: the body is the error message.
FAILED = b"F"


def framed(message: bytes) -> bytes:
    return len(message).to_bytes(LENGTH_BYTES, "big") + message
