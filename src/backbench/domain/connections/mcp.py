"""Model Context Protocol: its messages and errors (modelcontextprotocol.io, revisions 2026-07-28 and the two before).

A message is a JSON-RPC 2.0 request or notification. Nothing is remembered from one to the next.
"""

from typing import Any, Literal

from msgspec import UNSET, Struct, UnsetType

# Newest first. The older two begin with `initialize`; the newest says its version in each request.
MODERN = "2026-07-28"
LEGACY = ("2025-11-25", "2025-06-18")
VERSIONS = (MODERN, *LEGACY)
VERSION_KEY = "io.modelcontextprotocol/protocolVersion"
CAPABILITIES_KEY = "io.modelcontextprotocol/clientCapabilities"
SERVER_KEY = "io.modelcontextprotocol/serverInfo"

PARSE_ERROR, INVALID_REQUEST, UNKNOWN_METHOD, INVALID_PARAMS = -32700, -32600, -32601, -32602
HEADER_MISMATCH, UNKNOWN_VERSION = -32020, -32022


class McpMessage(Struct, frozen=True):
    """A message of the protocol. Without `id` it is a notification, which has no response."""

    jsonrpc: Literal["2.0"]
    method: str
    id: str | int | UnsetType = UNSET
    params: dict[str, Any] | UnsetType = UNSET

    @property
    def values(self) -> dict[str, Any]:
        return {} if self.params is UNSET else self.params

    @property
    def meta(self) -> dict[str, Any]:
        meta = self.values.get("_meta")
        return meta if isinstance(meta, dict) else {}

    @property
    def name(self) -> str:
        """Of the tool that is called; empty for other methods."""
        name = self.values.get("name") if self.method == "tools/call" else ""
        return name if isinstance(name, str) else ""


class McpError(Struct, frozen=True):
    """What was wrong with a request of the protocol."""

    code: int
    message: str
    data: dict[str, Any] | UnsetType = UNSET


class McpResponse(Struct, frozen=True):
    """The response to a request of the protocol: either `result` or `error`."""

    jsonrpc: Literal["2.0"]
    id: str | int | UnsetType = UNSET
    result: dict[str, Any] | UnsetType = UNSET
    error: McpError | UnsetType = UNSET


class McpFailure(Exception):
    """A message that is refused, with the HTTP status of the response."""

    def __init__(self, status: int, code: int, message: str, data: dict[str, Any] | UnsetType = UNSET) -> None:
        super().__init__(message)
        self.status = status
        self.error = McpError(code, message, data)
