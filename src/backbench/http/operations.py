"""What an operation is: one line of the table of routes, from which everything else is derived."""

import inspect
from collections.abc import Callable, Collection
from typing import Any, get_type_hints

from msgspec import Struct

from backbench.domain.accounts.sessions import Scope
from backbench.storage.engine.database import Database, Read, Write


class Access(Struct, frozen=True):
    """Who may call: anybody, a session, or a session or a key with the scope. `session | key("orders:read")`."""

    needs_session: bool
    scope: Scope | None = None

    def __or__(self, other: "Access") -> "Access":
        return Access(self.needs_session or other.needs_session, self.scope or other.scope)


public = Access(needs_session=False)
session = Access(needs_session=True)


def key(scope: Scope) -> Access:
    return Access(needs_session=True, scope=scope)


class Operation(Struct, frozen=True):
    """`does` is an action, or an endpoint of `api` where the answer is more than a shape."""

    method: str
    path: str
    access: Access
    does: Callable[..., Any]
    answer: Any = None
    status: int = 200
    # For endpoints of `api`, whose signature does not tell them.
    takes: Any = None
    # The fields beside the file, where the body is multipart/form-data.
    form: Any = None
    # Refusals beyond those that follow from the access, the path and the body.
    refuses: tuple[int, ...] = ()
    content_type: str = "application/json"
    # The answer holds a secret: it is never kept for a repeated Idempotency-Key.
    is_secret: bool = False
    # The specification wants an empty body where this one's schema fails.
    hides_validation_errors: bool = False
    # The specification wants 403 where a workshop does not exist.
    hides_missing_workshop: bool = False

    @property
    def name(self) -> str:
        """operationId: the verb and the noun of the function that does it."""
        module = self.does.__module__.rpartition(".")[2]
        return f"{module}.{self.does.__name__}"

    @property
    def words(self) -> str:
        """What the operation does, for people, where its function has no words of its own."""
        return f"{self.does.__name__.replace('_', ' ').capitalize()}: {self.tag}"

    @property
    def tag(self) -> str:
        """The resource: the last fixed part of the path's beginning that names one."""
        return self.does.__module__.rpartition(".")[2].replace("_", "-")

    def refusals(self, *, has_representation: bool) -> set[int]:
        """Every status it may refuse with, from its access, its path, its body and what it names itself."""
        statuses = {503, *self.refuses}
        if not self.is_safe:
            statuses.add(403)
        if self.access.needs_session:
            statuses.add(401)
            if self.access.scope or self.path_names:
                statuses.add(403)
        if self.path_names and not self.hides_missing_workshop:
            statuses.add(404)
        if self.body is not None or self.form is not None:
            statuses |= {400, 413, 415}
        if self.query is not None:
            statuses.add(400)
        if self.sends_bytes:
            statuses.add(416)
        if self.creates:
            statuses |= {400, 409, 422}
        if has_representation and self.is_conditional:
            statuses.add(412)
        return statuses

    @property
    def path_names(self) -> list[str]:
        """The parameters of the path as the specification spells them."""
        return [part[1:-1] for part in self.path.split("/") if part.startswith("{")]

    @property
    def sends_bytes(self) -> bool:
        """Whether the answer is a stored file, of which a range may be asked for."""
        return self.content_type != "application/json"

    @property
    def creates(self) -> bool:
        """Whether it takes an Idempotency-Key."""
        return self.method == "POST" and self.status == 201 and self.access.needs_session

    @property
    def is_limited(self) -> bool:
        """Whether there is a limit to how often it may be called."""
        return 429 in self.refuses

    @property
    def is_representation(self) -> bool:
        """Whether the answer has a tag, and is not sent again to whoever has it."""
        return self.method == "GET" and self.status == 200

    @property
    def is_conditional(self) -> bool:
        """Whether If-Match is honoured, where what it changes can be read."""
        return self.method in ("PATCH", "PUT", "DELETE")

    def read_at(self, readable: Collection[str]) -> str | None:
        """The path whose GET shows what this changes: its own, or else the nearest above it (an order's for its
        status)."""
        path = self.path
        while self.is_conditional and path and path not in readable:
            path = path.rpartition("/")[0]
        return path if path in readable else None

    @property
    def is_paged(self) -> bool:
        """Whether the list can be had in parts."""
        return self.query is not None and "cursor" in self.query.__struct_fields__

    @property
    def is_safe(self) -> bool:
        return self.method in ("GET", "HEAD", "OPTIONS")

    @property
    def body(self) -> Any:
        """The type of the JSON body, or None."""
        return self.takes or self._hints.get("body")

    @property
    def query(self) -> Any:
        return self._hints.get("query")

    @property
    def handle(self) -> type | None:
        """What the action is given as `db`: Read, Write, or Database where it makes its own transactions."""
        handle = self._hints.get("db")
        return handle if handle in (Read, Write, Database) else None

    @property
    def takes_names(self) -> frozenset[str]:
        return frozenset(inspect.signature(self.does).parameters)

    @property
    def _hints(self) -> dict[str, Any]:
        return get_type_hints(self.does)


def snake(name: str) -> str:
    return "".join("_" + character.lower() if character.isupper() else character for character in name)
