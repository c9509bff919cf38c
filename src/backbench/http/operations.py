"""Operations: a line of the table of routes, from which routing, access and the OpenAPI document are derived."""

from collections.abc import Callable, Collection
from functools import cache
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from msgspec import Struct

from backbench.engine.database import Database, Read, Write
from backbench.engine.objects import Loaded
from backbench.http.requests import MAX_JSON_SIZE, MAX_PUBLIC_JSON_SIZE
from backbench.values.calls import Scope
from backbench.workshops.audit import Unchanged


class Access(Struct, frozen=True):
    """Who may call: anybody, a session, an API key, or either: `session | key("orders:read")`; or a client's link."""

    # Whether credentials are needed at all.
    needs_session: bool
    # Whether a session is accepted, and the alternatives of scopes with which a key is: it needs all of one of them.
    takes_session: bool = True
    keys: tuple[tuple[Scope, ...], ...] = ()
    # Whether the token of a link is needed instead, and whether that is the status link of an order.
    takes_link: bool = False
    of_order: bool = False

    def __or__(self, other: "Access") -> "Access":
        return Access(
            self.needs_session or other.needs_session,
            self.takes_session or other.takes_session,
            (*self.keys, *other.keys),
        )

    def allows(self, scopes: Collection[Scope]) -> bool:
        """Whether a key with these scopes is accepted."""
        return any(all(scope in scopes for scope in needed) for needed in self.keys)

    @property
    def scope(self) -> str | None:
        """The scopes of the first alternative, separated by spaces; None where no key is accepted."""
        return " ".join(self.keys[0]) if self.keys else None


public = Access(needs_session=False)
session = Access(needs_session=True)
link = Access(needs_session=True, takes_session=False, takes_link=True)
order_link = Access(needs_session=True, takes_session=False, takes_link=True, of_order=True)


def key(*scopes: Scope) -> Access:
    """A key with all of these scopes."""
    return Access(needs_session=True, takes_session=False, keys=(scopes,))


class Operation(Struct, frozen=True):
    """A line of the table in `routes.py`.

    `name` is public: the operationId of clients and the operation in the log. It never follows from a file or a
    function. `verb` is a function of a noun.
    """

    name: str
    method: str
    path: str
    access: Access
    verb: Callable[..., Any]
    # The type of the response body; None where it is empty.
    response: Any = None
    status: int = 200
    # The event type of its audit entry, such as `order.moved`.
    event: str | None = None
    # Why a write has none.
    no_event: str = ""
    # Why a workshop whose data exceeds its plan does not refuse it.
    no_quota: str = ""
    # Why it may add a tenth more than the plan allows, as a client with a link may.
    exceeds_quota: str = ""
    # The object that its path names: read with the caller's credentials, or locked in the transaction, before the
    # verb, which takes it by its name. Only a member of its workshop gets so far.
    on: Loaded[Any] | None = None
    # Checks the permission for a replayed response, `stored`, of an operation whose path does not name what it is of.
    replays: Callable[..., Any] | None = None
    # Takes locks before that of the object, in the order that every transaction takes them in.
    locks: Callable[..., Any] | None = None
    # Runs before its transaction; the verb gets its value as `prepared`. An async function, or an async context
    # manager where something is to be undone if the transaction fails.
    prepare: Callable[..., Any] | None = None
    # Counts the request, in a transaction of its own that outlives its failure. Raises RateLimited.
    limit: Callable[..., Any] | None = None
    # Whether its transaction takes seconds: on SQLite its statements run in a thread.
    is_long: bool = False
    # The concurrency limit in which it runs: for one account at a time.
    slot: str = ""
    # What its success is called in the log, where it concerns the security of an account.
    log: str | None = None
    # The type of a JSON body that an endpoint of `api` reads itself.
    takes: Any = None
    # The types of its request and of its response, where they are messages of another protocol: the endpoint reads and
    # validates them itself, and the OpenAPI document alone needs to know.
    messages: tuple[Any, Any] = (None, None)
    # The fields beside the file, where the body is multipart/form-data.
    form: Any = None
    # The most bytes of that file, where what is stored of it may be smaller.
    max_file_bytes: int | None = None
    # Error statuses beyond those that follow from the access, the path and the body.
    errors: tuple[int, ...] = ()
    # The type of the response body, or several separated by commas.
    content_type: str = "application/json"
    # The path of the GET that reads what was created, where it does not follow from the type of the response:
    # "/files/{id}". Placeholders are parameters of the path, and one member of the response.
    location: str | None = None
    # The path of the GET that If-Match is about, where it is not the operation's own path or the nearest above it. A
    # POST honours If-Match only with it.
    compared_with: str | None = None
    # Why a POST with credentials takes no Idempotency-Key.
    no_key: str = ""
    # It takes an Idempotency-Key although it is no POST: a repetition would change something again.
    is_repeatable: bool = False
    # Whether a success sets the cookies of a new session, or clears them.
    cookies: Literal["set", "cleared"] | None = None
    # The response is made for one request, piece by piece: it has no ETag and no ranges.
    is_made_once: bool = False
    # The response is an image of a page, with the header Page-Count: it has an ETag, but no ranges.
    is_page_image: bool = False
    # The response holds a secret: it is never stored for an Idempotency-Key.
    is_secret: bool = False
    # The specification wants an empty body where this one's schema fails.
    hides_validation_errors: bool = False
    # The specification wants 403 where a workshop does not exist.
    hides_missing_workshop: bool = False

    def error_statuses(self) -> set[int]:
        """Every error status, from the access, the path, the body and `errors`."""
        statuses = {503, *self.errors}
        if not self.is_safe and not self.access.takes_link:
            statuses.add(403)
        if self.access.takes_link:
            statuses |= {401, 429}
        elif self.access.needs_session:
            statuses.add(401)
            if self.access.scope or self.path_names:
                statuses.add(403)
        if self.path_names and not self.hides_missing_workshop:
            statuses.add(404)
        if self.body is not None or self.form is not None:
            statuses |= {400, 413, 415}
        if self.query is not None:
            statuses.add(400)
        if self.has_ranges:
            statuses.add(416)
        if self.counts_data:
            statuses.add(409)
        if self.takes_key:
            statuses |= {400, 409, 422}
        if self.is_conditional:
            statuses.add(412)
        return statuses

    def require_consistent(self) -> None:
        """Raises TypeError where the line contradicts its verb."""
        if not self.is_safe and (self.event is None) == (self.no_event == ""):
            raise TypeError(f"{self.name}: a write has an event, or states why it has none")
        if self.no_key and self.event is not None:
            raise TypeError(f"{self.name}: what has an event takes an Idempotency-Key")
        if self.handle is not Write and (self.takes_key or self.event is not None or self.prepare is not None):
            raise TypeError(f"{self.name}: what has an event, an Idempotency-Key or a `prepare` takes a Write")
        if self.takes_key and self.on is None and (self.path_names or (self.form is not None and self.replays is None)):
            raise TypeError(f"{self.name}: a replay needs the object of the path, or `replays`")

    @property
    def max_json_size(self) -> int:
        """The bytes of a JSON body: a client without an account may send only a short one."""
        return MAX_JSON_SIZE if self.access.needs_session else MAX_PUBLIC_JSON_SIZE

    @property
    def path_names(self) -> tuple[str, ...]:
        """The parameters of the path as the specification spells them."""
        return _names_in(self.path)

    @property
    def sends_bytes(self) -> bool:
        """Whether the response is a file."""
        return self.content_type != "application/json" and not self.sends_text

    @property
    def sends_text(self) -> bool:
        """Whether the response is text that is no JSON: server-sent events, or a calendar feed."""
        return self.content_type in ("text/event-stream", "text/calendar")

    @property
    def media_types(self) -> list[str]:
        return self.content_type.split(", ")

    @property
    def counts_data(self) -> bool:
        """Whether the data quota of the workshop limits it.

        Every event adds an audit entry, which nobody can delete. Deletions are never refused; what a client does with
        a link is limited a little above the plan (billing/data_quota.py).
        """
        return bool(self.event) and self.method != "DELETE" and not self.no_quota

    @property
    def has_ranges(self) -> bool:
        """Whether the response is a stored file, of which a range can be requested."""
        return self.sends_bytes and not self.is_made_once and not self.is_page_image

    @property
    def takes_key(self) -> bool:
        """Whether it takes an Idempotency-Key. Responses are stored for an account: a public operation takes none."""
        return self.is_repeatable or (self.method == "POST" and self.access.needs_session and not self.no_key)

    @property
    def is_limited(self) -> bool:
        """Whether a rate limit applies to it."""
        return 429 in self.errors or self.access.takes_link

    @property
    def is_representation(self) -> bool:
        """Whether the response has an ETag."""
        return self.method == "GET" and self.status == 200 and not self.is_made_once

    @property
    def is_conditional(self) -> bool:
        """Whether it honours If-Match. Where no GET reads what it changes, only `*` matches."""
        return self.method in ("PATCH", "PUT", "DELETE") or self.compared_with is not None

    def read_at(self, readable: Collection[str]) -> str | None:
        """The path whose GET reads what this changes: its own, or the nearest one above it."""
        path = self.compared_with or self.path
        while self.is_conditional and path and path not in readable:
            path = path.rpartition("/")[0]
        return path if path in readable else None

    @property
    def is_paged(self) -> bool:
        """Whether the list is paginated."""
        return self.query is not None and "cursor" in self.query.__struct_fields__

    @property
    def is_safe(self) -> bool:
        return self.method in ("GET", "HEAD", "OPTIONS")

    @property
    def body(self) -> Any:
        """The type of the JSON body, which the verb or its `prepare` takes; or None."""
        prepared = {} if self.prepare is None else _hints_of(self.prepare)
        return self.takes or self._hints.get("body") or prepared.get("body")

    @property
    def query(self) -> Any:
        return self._hints.get("query")

    @property
    def handle(self) -> type | None:
        """The type of `db` decides the transaction: Read, Write, or Database where the verb makes its own."""
        handle = self._hints.get("db")
        return handle if handle in (Read, Write, Database) else None

    @property
    def result(self) -> Any:
        """The return type of the verb, without the alternative that it changed nothing."""
        returned = self._hints.get("return")
        types = [type_ for type_ in get_args(returned) if get_origin(type_) is not Unchanged]
        return types[0] if get_origin(returned) in (Union, UnionType) and len(types) == 1 else returned

    @property
    def _hints(self) -> dict[str, Any]:
        return _hints_of(self.verb)


# Each is asked for several times while a router is made; working it out takes most of a start.
@cache
def _hints_of(verb: Callable[..., Any]) -> dict[str, Any]:
    return get_type_hints(verb)


# These two are asked for names of the table alone, several times each while a router is made.
@cache
def _names_in(path: str) -> tuple[str, ...]:
    return tuple(part[1:-1] for part in path.split("/") if part.startswith("{"))


@cache
def snake(name: str) -> str:
    return "".join("_" + character.lower() if character.isupper() else character for character in name)
