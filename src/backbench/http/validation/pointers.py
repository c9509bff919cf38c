"""JSON Pointers to the members of a body."""


def escaped(name: str) -> str:
    """The name as a reference token of a JSON Pointer. A lone surrogate cannot be encoded and is replaced."""
    encodable = name.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return encodable.replace("~", "~0").replace("/", "~1")
