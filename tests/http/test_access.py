"""Who may do what: every operation of the table, tried by everybody, on what is theirs and what is not.

The cases come from the table itself, so that an operation added to it is covered or fails here.
"""

import contextlib
from collections.abc import AsyncIterator, Callable
from typing import Any

import httpx
import pytest

from backbench.actions.operations import administration
from backbench.api.routes import OPERATIONS
from backbench.domain.accounts.sessions import Scope
from backbench.domain.values import times
from backbench.http.operations import Operation
from backbench.storage.workshops import workshops
from tests.people import Person, Shop
from tests.support import samples
from tests.support.engines import opened_shop
from tests.support.stored import everything_in

UNKNOWN = "01890a5d-ac96-774b-bcce-b302099a8057"
MALFORMED = ("not-an-id", "%00", "%F0%9F%AA%9A", "a" * 300, "%2e%2e", UNKNOWN.upper() + "%0A")
SCOPES: tuple[Scope, ...] = ("orders:read", "orders:write")

guarded = [operation for operation in OPERATIONS if operation.access.needs_session]
every = pytest.mark.parametrize("operation", guarded, ids=samples.line)
by_session_only = pytest.mark.parametrize(
    "operation", [operation for operation in guarded if operation.access.scope is None], ids=samples.line
)
by_key = pytest.mark.parametrize(
    "operation", [operation for operation in guarded if operation.access.scope is not None], ids=samples.line
)
unsafe = pytest.mark.parametrize(
    "operation", [operation for operation in guarded if not operation.is_safe], ids=samples.line
)
of_a_thing = pytest.mark.parametrize(
    "operation", [operation for operation in guarded if operation.path_names], ids=samples.line
)
of_a_workshop = pytest.mark.parametrize(
    "operation",
    [operation for operation in guarded if operation.path_names and not samples.is_personal(operation)],
    ids=samples.line,
)


class Cast:
    """Everybody who can stand before a workshop: its owner, a member, somebody who left, and a stranger."""

    def __init__(self, owner: Person, member: Person, former: Person, stranger: Person) -> None:
        self.owner = owner
        self.member = member
        self.former = former
        self.stranger = stranger

    @property
    def db(self) -> Any:
        return self.owner.shop.db

    async def take_places(self) -> None:
        """A new workshop for them, so that what a test removes is missed by no other."""
        opened = await self.owner.post("/workshops", {"name": "Oak & Ash"})
        workshop_id: str = opened.json()["id"]
        await self._join(workshop_id, self.member)
        await self._join(workshop_id, self.former)
        await self.db.write(lambda db: workshops.delete_member(db, workshop_id, self.former.uid))
        for person in (self.owner, self.member, self.former):
            person.workshop = workshop_id

    async def _join(self, workshop_id: str, person: Person) -> None:
        await self.db.write(lambda db: administration.add_member(db, workshop_id, person.email, "member", times.now()))


class Casts:
    """Opens a new shop with new people every so often: what tests compare grows with what earlier ones left."""

    TESTS_PER_SHOP = 30

    def __init__(self, new_database_url: Callable[[], str]) -> None:
        self._new_database_url = new_database_url
        self._used = 0
        self._open = contextlib.AsyncExitStack()
        self._cast: Cast | None = None

    async def next(self) -> Cast:
        if self._cast is None or self._used % self.TESTS_PER_SHOP == 0:
            await self.close()
            shop = await self._open.enter_async_context(opened_shop(self._new_database_url()))
            people = [await shop.person(name) for name in ("Anna", "Marek", "Zofia", "Jan")]
            self._cast = Cast(*people)
        self._used += 1
        await self._cast.take_places()
        return self._cast

    async def close(self) -> None:
        await self._open.aclose()


@pytest.fixture(scope="module")
async def casts(new_database_url: Callable[[], str]) -> AsyncIterator[Casts]:
    casts = Casts(new_database_url)
    yield casts
    await casts.close()


@pytest.fixture
async def cast(casts: Casts) -> Cast:
    return await casts.next()


async def called(operation: Operation, caller: Person, path: str, body: Any = None, **headers: str) -> httpx.Response:
    return await caller.send(operation.method, path, body or samples.body_for(operation), headers)


def refused(answer: httpx.Response, status: int) -> None:
    assert (answer.status_code, answer.content) == (status, b""), answer.text


def done(operation: Operation, answer: httpx.Response) -> None:
    assert answer.status_code == samples.ANSWERS.get(samples.line(operation), operation.status), answer.text


def absent(operation: Operation) -> int:
    return 403 if operation.hides_missing_workshop else 404


def test_every_operation_has_a_sample_request() -> None:
    for operation in OPERATIONS:
        samples.body_for(operation)
        assert set(operation.path_names) <= set(samples.THINGS)


def test_only_the_listed_operations_are_public() -> None:
    """An operation joins this list on purpose, or not at all."""
    public = {samples.line(operation) for operation in OPERATIONS if not operation.access.needs_session}
    assert public == samples.PUBLIC


@every
async def test_every_operation_needs_valid_credentials(cast: Cast, operation: Operation) -> None:
    path = await samples.path_of(operation, cast.owner)
    before = await everything_in(cast.db)
    visitor = cast.owner.shop.visitor()
    refused(await called(operation, visitor, path), 401)
    refused(await called(operation, visitor, path, cookie="session=invented; csrf-token=x", x_csrf_token="x"), 401)
    refused(await called(operation, visitor, path, authorization="Bearer invented"), 401)
    refused(await called(operation, visitor, path, authorization="Basic YTpi"), 401)
    assert await everything_in(cast.db) == before


@every
async def test_an_owner_may_call_every_operation(cast: Cast, operation: Operation) -> None:
    anna = await samples.signed_in_again(cast.owner)
    done(operation, await called(operation, anna, await samples.path_of(operation, anna)))


@every
async def test_a_member_may_call_all_but_owner_operations(cast: Cast, operation: Operation) -> None:
    marek = await samples.signed_in_again(cast.member)
    path = await samples.path_of(operation, marek)
    before = await everything_in(cast.db)
    answer = await called(operation, marek, path)
    if samples.line(operation) in samples.OWNERS_ONLY:
        refused(answer, 403)
        assert await everything_in(cast.db) == before
    else:
        done(operation, answer)


@of_a_workshop
async def test_strangers_and_former_members_are_forbidden(cast: Cast, operation: Operation) -> None:
    path = await samples.path_of(operation, cast.owner)
    before = await everything_in(cast.db)
    refused(await called(operation, cast.stranger, path), 403)
    refused(await called(operation, cast.former, path), 403)
    assert await everything_in(cast.db) == before


@of_a_thing
async def test_an_unknown_id_is_not_found(cast: Cast, operation: Operation) -> None:
    before = await everything_in(cast.db)
    unknown = samples.filled(operation, dict.fromkeys(operation.path_names, UNKNOWN))
    for caller in (cast.owner, cast.member, cast.former, cast.stranger):
        refused(await called(operation, caller, unknown), absent(operation))
    assert await everything_in(cast.db) == before


@of_a_thing
async def test_a_malformed_id_is_handled_like_an_unknown_one(cast: Cast, operation: Operation) -> None:
    before = await everything_in(cast.db)
    for malformed in MALFORMED:
        path = samples.filled(operation, dict.fromkeys(operation.path_names, malformed))
        refused(await called(operation, cast.owner, path), absent(operation))
        refused(await called(operation, cast.owner, path, idempotency_key="k", if_match='"x"'), absent(operation))
    assert await everything_in(cast.db) == before


@pytest.mark.parametrize(
    "operation", [operation for operation in guarded if samples.is_personal(operation)], ids=samples.line
)
async def test_personal_objects_of_another_account_are_404(cast: Cast, operation: Operation) -> None:
    path = await samples.path_of(operation, cast.owner)
    before = await everything_in(cast.db)
    for caller in (cast.member, cast.former, cast.stranger):
        refused(await called(operation, caller, path), 404)
    assert await everything_in(cast.db) == before


@unsafe
async def test_a_change_needs_the_csrf_token_of_its_session(cast: Cast, operation: Operation) -> None:
    path = await samples.path_of(operation, cast.owner)
    others = cast.member.browser.cookies["csrf-token"]
    before = await everything_in(cast.db)
    refused(await called(operation, cast.owner, path, x_csrf_token=""), 403)
    refused(await called(operation, cast.owner, path, x_csrf_token="x"), 403)
    refused(await called(operation, cast.owner, path, x_csrf_token=others), 403)
    assert await everything_in(cast.db) == before


@by_session_only
async def test_an_api_key_is_401_where_a_session_is_required(cast: Cast, operation: Operation) -> None:
    path = await samples.path_of(operation, cast.owner)
    programs = [await cast.owner.integrator(scope) for scope in SCOPES]
    before = await everything_in(cast.db)
    for program in programs:
        refused(await called(operation, program, path), 401)
    assert await everything_in(cast.db) == before


@by_key
async def test_an_api_key_with_the_scope_needs_no_csrf_token(cast: Cast, operation: Operation) -> None:
    assert operation.access.scope is not None
    program = await cast.owner.integrator(operation.access.scope)
    done(operation, await called(operation, program, await samples.path_of(operation, cast.owner)))


@by_key
async def test_an_api_key_without_the_scope_is_forbidden(cast: Cast, operation: Operation) -> None:
    path = await samples.path_of(operation, cast.owner)
    program = await cast.owner.integrator(*[scope for scope in SCOPES if scope != operation.access.scope])
    before = await everything_in(cast.db)
    refused(await called(operation, program, path), 403)
    assert await everything_in(cast.db) == before


@by_key
async def test_an_api_key_has_only_the_rights_of_its_account(cast: Cast, operation: Operation) -> None:
    path = await samples.path_of(operation, cast.owner)
    unknown = samples.filled(operation, dict.fromkeys(operation.path_names, UNKNOWN))
    programs = [await person.integrator(*SCOPES) for person in (cast.former, cast.stranger)]
    before = await everything_in(cast.db)
    for program in programs:
        refused(await called(operation, program, path), 403)
        refused(await called(operation, program, unknown), absent(operation))
    assert await everything_in(cast.db) == before


@pytest.mark.parametrize(
    "operation", [operation for operation in guarded if operation.body is not None], ids=samples.line
)
async def test_authentication_is_checked_before_the_body(cast: Cast, operation: Operation) -> None:
    path = await samples.path_of(operation, cast.owner)
    visitor = cast.owner.shop.visitor()
    refused(await called(operation, visitor, path, b"{", content_type="text/plain"), 401)
    refused(await called(operation, cast.owner, path, b"{", content_type="text/plain", x_csrf_token="x"), 403)


@pytest.mark.parametrize(
    "operation",
    [operation for operation in guarded if operation.body is not None and operation.path_names],
    ids=samples.line,
)
async def test_a_body_is_validated_before_the_object_is_looked_up(cast: Cast, operation: Operation) -> None:
    unknown = samples.filled(operation, dict.fromkeys(operation.path_names, UNKNOWN))
    assert (await called(operation, cast.owner, unknown, b"{")).status_code == 400
    answer = await called(operation, cast.owner, unknown, b"{", content_type="text/plain")
    assert answer.status_code == 415


async def test_a_suspended_account_loses_access_at_once(cast: Cast, shop: Shop) -> None:
    karol = await shop.person("Karol")
    program = await karol.integrator(*SCOPES)
    await shop.db.write(lambda db: administration.suspend(db, karol.email, times.now()))
    refused(await karol.get("/me"), 401)
    refused(await program.get(f"/workshops/{karol.workshop}/orders"), 401)
    refused(await karol.sign_in(), 401)


async def test_a_deleted_account_loses_access_at_once(shop: Shop) -> None:
    karol = await shop.person("Karol")
    program = await karol.integrator(*SCOPES)
    await shop.db.write(lambda db: administration.delete(db, karol.email, times.now()))
    refused(await karol.get("/me"), 401)
    refused(await program.get(f"/workshops/{karol.workshop}/orders"), 401)
    refused(await karol.sign_in(), 401)
