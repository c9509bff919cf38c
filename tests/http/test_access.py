"""Access control: every operation called by owners, members, former members, strangers and without credentials.

The cases are built from the table of operations, so that a new operation is covered or fails here.
"""

import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, get_args

import httpx
import pytest

from backbench.actions.operations import administration
from backbench.api.routes import OPERATIONS
from backbench.domain.accounts.sessions import Scope
from backbench.domain.values import times
from backbench.domain.values.ids import new_id
from backbench.http.operations import Operation
from backbench.storage.workshops import members
from tests.people import App, Person
from tests.support import image_files, operation_samples, uploads
from tests.support.database_dump import dump_of
from tests.support.databases import running_app

UNKNOWN = "01890a5d-ac96-774b-bcce-b302099a8057"
MALFORMED = ("not-an-id", "%00", "%F0%9F%AA%9A", "a" * 300, "%2e%2e", UNKNOWN.upper() + "%0A")
SCOPES: tuple[Scope, ...] = get_args(Scope)
PeopleFor = Callable[[Operation], Awaitable["People"]]

with_credentials = [operation for operation in OPERATIONS if operation.access.needs_session]
# The operations of clients with a link are apart: they know no account.
guarded = [operation for operation in with_credentials if not operation.access.takes_link]
every = pytest.mark.parametrize("operation", with_credentials, ids=operation_samples.line)
by_session = pytest.mark.parametrize(
    "operation", [operation for operation in guarded if operation.access.takes_session], ids=operation_samples.line
)
by_session_only = pytest.mark.parametrize(
    "operation", [operation for operation in with_credentials if not operation.access.keys], ids=operation_samples.line
)
without_link = pytest.mark.parametrize("operation", guarded, ids=operation_samples.line)

by_key = pytest.mark.parametrize(
    "operation", [operation for operation in guarded if operation.access.keys], ids=operation_samples.line
)
# All but those that concern no workshop: the catalog, and the key itself.
by_key_in_a_workshop = pytest.mark.parametrize(
    "operation",
    [operation for operation in guarded if operation.access.keys and (operation.path_names or operation.form)],
    ids=operation_samples.line,
)
# The scopes of an alternative, one of which is missing.
without_a_scope = pytest.mark.parametrize(
    ("operation", "missing"),
    [
        pytest.param(operation, scope, id=f"{operation_samples.line(operation)} without {scope}")
        for operation in guarded
        for scopes in operation.access.keys
        for scope in scopes
    ],
)
unsafe = pytest.mark.parametrize(
    "operation", [operation for operation in guarded if not operation.is_safe], ids=operation_samples.line
)
with_path_ids = pytest.mark.parametrize(
    "operation", [operation for operation in guarded if operation.path_names], ids=operation_samples.line
)
in_a_workshop = pytest.mark.parametrize(
    "operation",
    [operation for operation in guarded if operation.path_names and not operation_samples.is_personal(operation)],
    ids=operation_samples.line,
)


class People:
    """The people around one workshop: its owner, a member, a former member and a stranger."""

    def __init__(self, owner: Person, member: Person, former: Person, stranger: Person) -> None:
        self.owner = owner
        self.member = member
        self.former = former
        self.stranger = stranger
        self._objects: dict[Person, operation_samples.SharedObjects] = {}
        self._program: Person | None = None

    def objects_of(self, person: Person) -> operation_samples.SharedObjects:
        """The same objects for all tests with these people, which must not change them."""
        return self._objects.setdefault(person, operation_samples.SharedObjects(person))

    async def path_for(self, operation: Operation) -> str:
        """The path of the operation with the ids of objects of the owner that no test changes."""
        return await self.objects_of(self.owner).path_for(operation)

    async def program_of_another_workshop(self) -> Person:
        """A program with a key of the owner that is only for another workshop of the owner."""
        if self._program is None:
            elsewhere = (await self.owner.post("/workshops", {"name": "Other workshop"})).json()["id"]
            body = {"name": "bound", "scopes": SCOPES, "workshopId": elsewhere}
            self._program = Person(self.owner.app, self.owner.email)
            self._program.bearer = (await self.owner.post("/me/api-keys", body)).json()["secret"]
            self._program.workshop = self.owner.workshop
        return self._program

    async def own_path_for(self, operation: Operation, person: Person) -> str:
        """The path with the ids of objects that the person created: new ones, if the operation may change them."""
        if operation.is_safe:
            return await self.objects_of(person).path_for(operation)
        return await operation_samples.create_path_for(operation, person)

    async def caller(self, operation: Operation, person: Person) -> Person:
        """The person, in a session of its own if the operation may end it."""
        return person if operation.is_safe else await operation_samples.signed_in_again(person)

    @property
    def db(self) -> Any:
        return self.owner.app.db

    async def enter_new_workshop(self) -> None:
        """A new workshop for them, so that what a test deletes is missing in no other test."""
        created = await self.owner.post("/workshops", {"name": "Oak & Ash"})
        workshop_id: str = created.json()["id"]
        await self._join(workshop_id, self.member)
        await self._join(workshop_id, self.former)
        await self.db.write(lambda db: members.delete(db, workshop_id, self.former.uid))
        for person in (self.owner, self.member, self.former):
            person.workshop = workshop_id

    async def _join(self, workshop_id: str, person: Person) -> None:
        await self.db.write(
            lambda db: administration.add_member(db, workshop_id, person.email, "member", times.now(), new_id)
        )


@contextlib.asynccontextmanager
async def running_with_people(database_url: str) -> AsyncIterator[People]:
    """New people of an application of their own; they share no workshop yet."""
    async with running_app(database_url, workshops_per_account=1_000) as app:
        yield People(*[await app.person(name) for name in ("Anna", "Marek", "Zofia", "Jan")])


@pytest.fixture(scope="module")
async def fixed(new_database_url: Callable[[], str]) -> AsyncIterator[People]:
    """People around one workshop, for all tests whose requests change nothing."""
    async with running_with_people(new_database_url()) as people:
        await people.enter_new_workshop()
        yield people


class PeoplePool:
    """Makes new people with a new database every 30 tests: comparisons slow down as rows accumulate."""

    TESTS_PER_DATABASE = 30

    def __init__(self, new_database_url: Callable[[], str]) -> None:
        self._new_database_url = new_database_url
        self._used = 0
        self._open = contextlib.AsyncExitStack()
        self._people: People | None = None

    async def next(self) -> People:
        if self._people is None or self._used % self.TESTS_PER_DATABASE == 0:
            await self.close()
            self._people = await self._open.enter_async_context(running_with_people(self._new_database_url()))
        self._used += 1
        await self._people.enter_new_workshop()
        return self._people

    async def close(self) -> None:
        await self._open.aclose()


@pytest.fixture(scope="module")
async def pool(new_database_url: Callable[[], str]) -> AsyncIterator[PeoplePool]:
    pool = PeoplePool(new_database_url)
    yield pool
    await pool.close()


@pytest.fixture
def people_for(fixed: People, pool: PeoplePool) -> PeopleFor:
    """The people whose workshop does not change if the operation does not change it, otherwise some in a new one."""

    async def people(operation: Operation) -> People:
        return fixed if operation.is_safe else await pool.next()

    return people


async def call(operation: Operation, caller: Person, path: str, body: Any = None, **headers: str) -> httpx.Response:
    return await caller.send(operation.method, path, body or operation_samples.body_for(operation), headers)


def must_be_rejected(response: httpx.Response, status: int) -> None:
    assert (response.status_code, response.content) == (status, b""), response.text


def must_succeed(operation: Operation, response: httpx.Response) -> None:
    assert response.status_code == operation_samples.STATUSES.get(
        operation_samples.line(operation), operation.status
    ), response.text


async def records_of(people: People) -> dict[str, list[str]]:
    """All rows but the names of rejected uploads, which the sweep deletes."""
    return {table: rows for table, rows in (await dump_of(people.db)).items() if table != "stray_bytes"}


def status_if_missing(operation: Operation) -> int:
    return 403 if operation.hides_missing_workshop else 404


def test_every_operation_has_a_sample_request() -> None:
    for operation in OPERATIONS:
        operation_samples.body_for(operation)
        assert set(operation.path_names) <= set(operation_samples.PATH_PARAMETERS)


def test_only_the_listed_operations_are_public() -> None:
    """An operation is public only with an entry in this list."""
    public = {operation_samples.line(operation) for operation in OPERATIONS if not operation.access.needs_session}
    assert public == operation_samples.PUBLIC


def test_the_operations_of_people_accept_no_key() -> None:
    """What the specification details as session only, and account, team, billing, keys and workshops."""
    with_keys = {operation_samples.line(operation) for operation in guarded if operation.access.keys}
    assert with_keys & operation_samples.SESSION_ONLY == set()


@every
async def test_every_operation_needs_valid_credentials(fixed: People, operation: Operation) -> None:
    path = await fixed.path_for(operation)
    before = await dump_of(fixed.db)
    anonymous = fixed.owner.app.anonymous()
    must_be_rejected(await call(operation, anonymous, path), 401)
    must_be_rejected(
        await call(operation, anonymous, path, cookie="session=invented; csrf-token=x", x_csrf_token="x"), 401
    )
    must_be_rejected(await call(operation, anonymous, path, authorization="Bearer invented"), 401)
    must_be_rejected(await call(operation, anonymous, path, authorization="Basic YTpi"), 401)
    assert await dump_of(fixed.db) == before


@by_session
async def test_an_owner_may_call_every_operation(people_for: PeopleFor, operation: Operation) -> None:
    people = await people_for(operation)
    anna = await people.caller(operation, people.owner)
    must_succeed(operation, await call(operation, anna, await people.own_path_for(operation, anna)))


@by_session
async def test_a_member_may_call_all_but_owner_operations(
    fixed: People, people_for: PeopleFor, operation: Operation
) -> None:
    if operation_samples.line(operation) in operation_samples.OWNERS_ONLY:
        path = await fixed.path_for(operation)
        before = await dump_of(fixed.db)
        must_be_rejected(await call(operation, fixed.member, path), 403)
        assert await dump_of(fixed.db) == before
    else:
        people = await people_for(operation)
        marek = await people.caller(operation, people.member)
        must_succeed(operation, await call(operation, marek, await people.own_path_for(operation, marek)))


@in_a_workshop
async def test_strangers_and_former_members_are_forbidden(fixed: People, operation: Operation) -> None:
    path = await fixed.path_for(operation)
    before = await dump_of(fixed.db)
    must_be_rejected(await call(operation, fixed.stranger, path), 403)
    must_be_rejected(await call(operation, fixed.former, path), 403)
    assert await dump_of(fixed.db) == before


@with_path_ids
async def test_an_unknown_id_is_not_found(fixed: People, operation: Operation) -> None:
    before = await dump_of(fixed.db)
    unknown = operation_samples.fill_path(operation, dict.fromkeys(operation.path_names, UNKNOWN))
    for caller in (fixed.owner, fixed.member, fixed.former, fixed.stranger):
        must_be_rejected(await call(operation, caller, unknown), status_if_missing(operation))
    assert await dump_of(fixed.db) == before


@with_path_ids
async def test_a_malformed_id_is_handled_like_an_unknown_one(fixed: People, operation: Operation) -> None:
    before = await dump_of(fixed.db)
    for malformed in MALFORMED:
        path = operation_samples.fill_path(operation, dict.fromkeys(operation.path_names, malformed))
        must_be_rejected(await call(operation, fixed.owner, path), status_if_missing(operation))
        must_be_rejected(
            await call(operation, fixed.owner, path, idempotency_key="k", if_match='"x"'), status_if_missing(operation)
        )
    assert await dump_of(fixed.db) == before


@pytest.mark.parametrize(
    "operation",
    [operation for operation in guarded if operation_samples.is_personal(operation)],
    ids=operation_samples.line,
)
async def test_personal_objects_of_another_account_are_404(fixed: People, operation: Operation) -> None:
    path = await fixed.path_for(operation)
    before = await dump_of(fixed.db)
    for caller in (fixed.member, fixed.former, fixed.stranger):
        must_be_rejected(await call(operation, caller, path), 404)
    assert await dump_of(fixed.db) == before


@unsafe
async def test_a_change_needs_the_csrf_token_of_its_session(fixed: People, operation: Operation) -> None:
    path = await fixed.path_for(operation)
    foreign_token = fixed.member.browser.cookies["csrf-token"]
    before = await dump_of(fixed.db)
    must_be_rejected(await call(operation, fixed.owner, path, x_csrf_token=""), 403)
    must_be_rejected(await call(operation, fixed.owner, path, x_csrf_token="x"), 403)
    must_be_rejected(await call(operation, fixed.owner, path, x_csrf_token=foreign_token), 403)
    assert await dump_of(fixed.db) == before


@by_session_only
async def test_an_api_key_is_401_where_a_session_is_required(fixed: People, operation: Operation) -> None:
    path = await fixed.path_for(operation)
    program = await fixed.objects_of(fixed.owner).program(*SCOPES)
    before = await dump_of(fixed.db)
    must_be_rejected(await call(operation, program, path), 401)
    assert await dump_of(fixed.db) == before


@without_link
async def test_the_token_of_a_link_is_401_on_all_other_operations(fixed: People, operation: Operation) -> None:
    path = await fixed.path_for(operation)
    objects = fixed.objects_of(fixed.owner)
    client, customer = await objects.client(), await objects.customer()
    before = await dump_of(fixed.db)
    for holder in (client, customer):
        must_be_rejected(await call(operation, holder, path), 401)
        # The session cookie of the same request is ignored.
        token = f"Bearer {holder.bearer}"
        must_be_rejected(await call(operation, fixed.owner, path, authorization=token), 401)
    assert await dump_of(fixed.db) == before


@pytest.mark.parametrize(
    "operation", [operation for operation in OPERATIONS if operation.access.takes_link], ids=operation_samples.line
)
async def test_the_links_of_estimates_and_of_orders_do_not_open_each_other(fixed: People, operation: Operation) -> None:
    objects = fixed.objects_of(fixed.owner)
    path = await objects.path_for(operation)
    other = await (objects.client() if operation.access.of_order else objects.customer())
    before = await dump_of(fixed.db)
    must_be_rejected(await call(operation, other, path), 401)
    assert records_without_attempts(await dump_of(fixed.db)) == records_without_attempts(before)


def records_without_attempts(records: dict[str, list[str]]) -> dict[str, list[str]]:
    """Wrong tokens are counted for the address that sends them."""
    return {table: rows for table, rows in records.items() if table != "rate_limits"}


@by_key
async def test_an_api_key_with_the_scope_needs_no_csrf_token(people_for: PeopleFor, operation: Operation) -> None:
    people = await people_for(operation)
    path = await people.own_path_for(operation, people.owner)
    program = await people.owner.integrator(*operation.access.keys[0])
    must_succeed(operation, await call(operation, program, path))


@without_a_scope
async def test_an_api_key_without_the_scope_is_forbidden(fixed: People, operation: Operation, missing: Scope) -> None:
    path = await fixed.path_for(operation)
    # Of several alternatives, the key has none.
    others = {alternative[0] for alternative in operation.access.keys if missing not in alternative}
    scopes = [scope for scope in SCOPES if scope != missing and scope not in others]
    program = await fixed.objects_of(fixed.owner).program(*scopes)
    before = await dump_of(fixed.db)
    must_be_rejected(await call(operation, program, path), 403)
    assert await dump_of(fixed.db) == before


@by_key_in_a_workshop
async def test_an_api_key_has_only_the_rights_of_its_account(fixed: People, operation: Operation) -> None:
    path = await fixed.path_for(operation)
    unknown = operation_samples.fill_path(operation, dict.fromkeys(operation.path_names, UNKNOWN))
    programs = [await fixed.objects_of(person).program(*SCOPES) for person in (fixed.former, fixed.stranger)]
    before = await records_of(fixed)
    for program in programs:
        program.workshop = fixed.owner.workshop
        if operation.form is not None:
            must_be_rejected(await uploads.upload(program, image_files.png()), 403)
        else:
            must_be_rejected(await call(operation, program, path), 403)
            must_be_rejected(await call(operation, program, unknown), status_if_missing(operation))
    assert await records_of(fixed) == before


@by_key_in_a_workshop
async def test_an_api_key_of_another_workshop_is_forbidden(fixed: People, operation: Operation) -> None:
    path = await fixed.path_for(operation)
    program = await fixed.program_of_another_workshop()
    before = await records_of(fixed)
    if operation.form is not None:
        must_be_rejected(await uploads.upload(program, image_files.png()), 403)
    else:
        must_be_rejected(await call(operation, program, path), 403)
    assert await records_of(fixed) == before


@pytest.mark.parametrize(
    "operation", [operation for operation in guarded if not operation.access.takes_session], ids=operation_samples.line
)
async def test_a_session_is_401_where_a_key_is_required(fixed: People, operation: Operation) -> None:
    must_be_rejected(await call(operation, fixed.owner, operation.path), 401)


@pytest.mark.parametrize(
    "operation", [operation for operation in guarded if operation.body is not None], ids=operation_samples.line
)
async def test_authentication_is_checked_before_the_body(fixed: People, operation: Operation) -> None:
    path = await fixed.path_for(operation)
    anonymous = fixed.owner.app.anonymous()
    must_be_rejected(await call(operation, anonymous, path, b"{", content_type="text/plain"), 401)
    must_be_rejected(await call(operation, fixed.owner, path, b"{", content_type="text/plain", x_csrf_token="x"), 403)


@pytest.mark.parametrize(
    "operation",
    [operation for operation in guarded if operation.body is not None and operation.path_names],
    ids=operation_samples.line,
)
async def test_a_body_is_validated_before_the_object_is_looked_up(fixed: People, operation: Operation) -> None:
    unknown = operation_samples.fill_path(operation, dict.fromkeys(operation.path_names, UNKNOWN))
    assert (await call(operation, fixed.owner, unknown, b"{")).status_code == 400
    response = await call(operation, fixed.owner, unknown, b"{", content_type="text/plain")
    assert response.status_code == 415


async def test_a_suspended_account_loses_access_at_once(app: App) -> None:
    karol = await app.person("Karol")
    program = await karol.integrator(*SCOPES)
    await app.db.write(lambda db: administration.suspend(db, karol.email, times.now()))
    must_be_rejected(await karol.get("/me"), 401)
    must_be_rejected(await program.get(f"/workshops/{karol.workshop}/orders"), 401)
    must_be_rejected(await karol.sign_in(), 401)


async def test_a_deleted_account_loses_access_at_once(app: App) -> None:
    karol = await app.person("Karol")
    program = await karol.integrator(*SCOPES)
    await app.db.write(lambda db: administration.delete(db, karol.email, times.now(), new_id))
    must_be_rejected(await karol.get("/me"), 401)
    must_be_rejected(await program.get(f"/workshops/{karol.workshop}/orders"), 401)
    must_be_rejected(await karol.sign_in(), 401)
