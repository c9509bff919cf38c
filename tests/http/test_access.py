"""Access control: every operation called by owners, members, former members, strangers and without credentials.

Each test tries one rule on every operation of the table, so that a new operation is covered or fails here, and lists
the operations that break it. Where nothing may change, the database is compared before the first and after the last.
"""

import contextlib
import itertools
from collections.abc import AsyncIterator, Callable
from typing import Any, get_args

import httpx
import pytest

from backbench.hosting import administration
from backbench.http.operations import Operation
from backbench.routes import OPERATIONS
from backbench.values import times
from backbench.values.calls import Scope
from backbench.values.ids import new_id
from backbench.workshops import members
from tests.people import App, Person
from tests.support import operation_samples, uploads
from tests.support.databases import running_app
from tests.support.operation_samples import line
from tests.support.violations import Case, violations, violations_or_changes

UNKNOWN = "01890a5d-ac96-774b-bcce-b302099a8057"
MALFORMED = ("not-an-id", "%00", "%F0%9F%AA%9A", "a" * 300, "%2e%2e", UNKNOWN.upper() + "%0A")
SCOPES: tuple[Scope, ...] = get_args(Scope)

with_credentials = [operation for operation in OPERATIONS if operation.access.needs_session]
# The operations of clients with a link are apart: they know no account.
guarded = [operation for operation in with_credentials if not operation.access.takes_link]
by_session = [operation for operation in guarded if operation.access.takes_session]
by_key = [operation for operation in guarded if operation.access.keys]
# All but those that concern no workshop: the catalog, and the key itself.
by_key_in_a_workshop = [operation for operation in by_key if operation.path_names or operation.form]
with_path_ids = [operation for operation in guarded if operation.path_names]
personal = [operation for operation in guarded if operation_samples.is_personal(operation)]


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
        """The person, in a session of its own if the operation may end it. What changes a workshop ends none."""
        return person if operation.is_safe or operation.event else await operation_samples.signed_in_again(person)

    @property
    def db(self) -> Any:
        return self.owner.app.db

    async def enter_new_workshop(self, *joining: Person) -> None:
        """A new workshop of the owner, so that what an operation deletes is missing for no other operation."""
        created = await self.owner.post("/workshops", {"name": "Oak & Ash"})
        workshop_id: str = created.json()["id"]
        for person in joining:
            await self._join(workshop_id, person)
        for person in (self.owner, *joining):
            person.workshop = workshop_id

    async def leave(self, person: Person) -> None:
        await self.db.write(lambda db: members.delete(db, self.owner.workshop, person.uid))

    async def _join(self, workshop_id: str, person: Person) -> None:
        await self.db.write(
            lambda db: administration.add_member(db, workshop_id, person.email, "member", times.now(), new_id)
        )


@contextlib.asynccontextmanager
async def running_with_people(database_url: str) -> AsyncIterator[People]:
    """New people of an application of their own; they share no workshop yet."""
    async with running_app(database_url, workshops_per_account=1_000, default_plan="free") as app:
        yield People(*[await app.person(name) for name in ("Anna", "Marek", "Zofia", "Jan")])


@pytest.fixture(scope="module")
async def fixed(new_database_url: Callable[[], str]) -> AsyncIterator[People]:
    """People around one workshop, for all tests whose requests change nothing."""
    async with running_with_people(new_database_url()) as people:
        await people.enter_new_workshop(people.member, people.former)
        await people.leave(people.former)
        # Created before any comparison.
        for operation in with_credentials:
            await people.path_for(operation)
        yield people


@contextlib.asynccontextmanager
async def unchanged(people: People) -> AsyncIterator[Case]:
    """Lists violations, changed rows among them, but for the names of rejected uploads, which the sweep deletes."""
    async with violations_or_changes(people.db, "stray_bytes") as case:
        yield case


@pytest.fixture(scope="module")
async def changing(new_database_url: Callable[[], str]) -> AsyncIterator[People]:
    """People for requests that change something."""
    async with running_with_people(new_database_url()) as people:
        yield people


async def people_for(operation: Operation, fixed: People, changing: People, *joining: Person) -> People:
    """The people whose workshop does not change if the operation does not change it, otherwise some in a new one.

    `joining`: who is a member of the new one.
    """
    if operation.is_safe:
        return fixed
    await changing.enter_new_workshop(*joining)
    return changing


async def call(operation: Operation, caller: Person, path: str, body: Any = None, **headers: str) -> httpx.Response:
    if operation.form is not None and body is None:
        body, headers = uploads.sample_form(operation.path, caller), {"content_type": uploads.FORM_TYPE, **headers}
    return await caller.send(operation.method, path, body or operation_samples.body_for(operation), headers)


def must_be_rejected(response: httpx.Response, status: int) -> None:
    assert (response.status_code, response.content) == (status, b""), response.text


def must_succeed(operation: Operation, response: httpx.Response) -> None:
    assert response.status_code == operation_samples.STATUSES.get(line(operation), operation.status), response.text


def unknown_path(operation: Operation, unknown: str = UNKNOWN) -> str:
    return operation_samples.fill_path(operation, dict.fromkeys(operation.path_names, unknown))


def status_if_missing(operation: Operation) -> int:
    return 403 if operation.hides_missing_workshop else 404


def test_every_operation_has_a_sample_request() -> None:
    for operation in OPERATIONS:
        operation_samples.body_for(operation)
        assert set(operation.path_names) <= set(operation_samples.PATH_PARAMETERS)


def test_only_the_listed_operations_are_public() -> None:
    """An operation is public only with an entry in this list."""
    public = {line(operation) for operation in OPERATIONS if not operation.access.needs_session}
    assert public == operation_samples.PUBLIC


def test_the_operations_of_people_accept_no_key() -> None:
    """What the specification details as session only, and account, team, billing, keys and workshops."""
    with_keys = {line(operation) for operation in guarded if operation.access.keys}
    assert with_keys & operation_samples.SESSION_ONLY == set()


async def test_every_operation_needs_valid_credentials(fixed: People) -> None:
    anonymous = fixed.owner.app.anonymous()
    invented = {"cookie": "session=invented; csrf-token=x", "x_csrf_token": "x"}
    async with unchanged(fixed) as case:
        for operation in with_credentials:
            with case(line(operation)):
                path = await fixed.path_for(operation)
                must_be_rejected(await call(operation, anonymous, path), 401)
                must_be_rejected(await call(operation, anonymous, path, **invented), 401)
                must_be_rejected(await call(operation, anonymous, path, authorization="Bearer invented"), 401)
                must_be_rejected(await call(operation, anonymous, path, authorization="Basic YTpi"), 401)


@pytest.mark.both_engines
async def test_an_owner_may_call_every_operation(fixed: People, changing: People) -> None:
    with violations() as case:
        for operation in by_session:
            with case(line(operation)):
                people = await people_for(operation, fixed, changing)
                anna = await people.caller(operation, people.owner)
                must_succeed(operation, await call(operation, anna, await people.own_path_for(operation, anna)))


async def test_a_member_may_call_all_but_owner_operations(fixed: People, changing: People) -> None:
    with violations() as case:
        for operation in by_session:
            if line(operation) not in operation_samples.OWNERS_ONLY:
                with case(line(operation)):
                    people = await people_for(operation, fixed, changing, changing.member)
                    marek = await people.caller(operation, people.member)
                    must_succeed(operation, await call(operation, marek, await people.own_path_for(operation, marek)))


async def test_a_member_may_call_no_owner_operation(fixed: People) -> None:
    async with unchanged(fixed) as case:
        for operation in by_session:
            if line(operation) in operation_samples.OWNERS_ONLY:
                with case(line(operation)):
                    must_be_rejected(await call(operation, fixed.member, await fixed.path_for(operation)), 403)


async def test_strangers_and_former_members_are_forbidden(fixed: People) -> None:
    async with unchanged(fixed) as case:
        for operation in with_path_ids:
            if operation not in personal:
                with case(line(operation)):
                    path = await fixed.path_for(operation)
                    must_be_rejected(await call(operation, fixed.stranger, path), 403)
                    must_be_rejected(await call(operation, fixed.former, path), 403)


async def test_an_unknown_id_is_not_found(fixed: People) -> None:
    async with unchanged(fixed) as case:
        for operation in with_path_ids:
            with case(line(operation)):
                for caller in (fixed.owner, fixed.member, fixed.former, fixed.stranger):
                    response = await call(operation, caller, unknown_path(operation))
                    must_be_rejected(response, status_if_missing(operation))


async def test_a_malformed_id_is_handled_like_an_unknown_one(fixed: People) -> None:
    async with unchanged(fixed) as case:
        for operation, malformed in itertools.product(with_path_ids, MALFORMED):
            with case(f"{line(operation)} {malformed}"):
                path, status = unknown_path(operation, malformed), status_if_missing(operation)
                must_be_rejected(await call(operation, fixed.owner, path), status)
                conditional = {"idempotency_key": "k", "if_match": '"x"'}
                must_be_rejected(await call(operation, fixed.owner, path, **conditional), status)


async def test_personal_objects_of_another_account_are_404(fixed: People) -> None:
    async with unchanged(fixed) as case:
        for operation in personal:
            with case(line(operation)):
                path = await fixed.path_for(operation)
                for caller in (fixed.member, fixed.former, fixed.stranger):
                    must_be_rejected(await call(operation, caller, path), 404)


async def test_a_change_needs_the_csrf_token_of_its_session(fixed: People) -> None:
    foreign_token = fixed.member.browser.cookies["csrf-token"]
    async with unchanged(fixed) as case:
        for operation in guarded:
            if not operation.is_safe and operation.access.takes_session:
                with case(line(operation)):
                    path = await fixed.path_for(operation)
                    for token in ("", "x", foreign_token):
                        must_be_rejected(await call(operation, fixed.owner, path, x_csrf_token=token), 403)


async def test_an_api_key_is_401_where_a_session_is_required(fixed: People) -> None:
    program = await fixed.objects_of(fixed.owner).program(*SCOPES)
    async with unchanged(fixed) as case:
        for operation in with_credentials:
            if not operation.access.keys:
                with case(line(operation)):
                    must_be_rejected(await call(operation, program, await fixed.path_for(operation)), 401)


async def test_the_token_of_a_link_is_401_on_all_other_operations(fixed: People) -> None:
    objects = fixed.objects_of(fixed.owner)
    for holder in (await objects.client(), await objects.customer()):
        token = f"Bearer {holder.bearer}"
        async with unchanged(fixed) as case:
            for operation in guarded:
                with case(line(operation)):
                    path = await fixed.path_for(operation)
                    must_be_rejected(await call(operation, holder, path), 401)
                    # The session cookie of the same request is ignored.
                    must_be_rejected(await call(operation, fixed.owner, path, authorization=token), 401)


async def test_the_links_of_estimates_and_of_orders_do_not_open_each_other(fixed: People) -> None:
    objects = fixed.objects_of(fixed.owner)
    client, customer = await objects.client(), await objects.customer()
    with violations() as case:
        for operation in with_credentials:
            if operation.access.takes_link:
                with case(line(operation)):
                    other = client if operation.access.of_order else customer
                    must_be_rejected(await call(operation, other, await fixed.path_for(operation)), 401)


async def test_an_api_key_with_the_scope_needs_no_csrf_token(fixed: People, changing: People) -> None:
    with violations() as case:
        for operation in by_key:
            with case(line(operation)):
                people = await people_for(operation, fixed, changing)
                path = await people.own_path_for(operation, people.owner)
                program = await people.owner.integrator(*operation.access.keys[0])
                must_succeed(operation, await call(operation, program, path))


def scopes_without(operation: Operation, missing: Scope) -> list[Scope]:
    """All scopes but this one; of several alternatives of the operation, none is complete."""
    others = {alternative[0] for alternative in operation.access.keys if missing not in alternative}
    return [scope for scope in SCOPES if scope != missing and scope not in others]


async def test_an_api_key_without_the_scope_is_forbidden(fixed: People) -> None:
    attempts = [
        (operation, missing, await fixed.objects_of(fixed.owner).program(*scopes_without(operation, missing)))
        for operation in by_key
        for alternative in operation.access.keys
        for missing in alternative
    ]
    async with unchanged(fixed) as case:
        for operation, missing, program in attempts:
            with case(f"{line(operation)} without {missing}"):
                must_be_rejected(await call(operation, program, await fixed.path_for(operation)), 403)


async def test_an_api_key_has_only_the_rights_of_its_account(fixed: People) -> None:
    programs = [await fixed.objects_of(person).program(*SCOPES) for person in (fixed.former, fixed.stranger)]
    async with unchanged(fixed) as case:
        for operation in by_key_in_a_workshop:
            for program in programs:
                with case(line(operation)):
                    program.workshop = fixed.owner.workshop
                    must_be_rejected(await call(operation, program, await fixed.path_for(operation)), 403)
                    if operation.path_names:
                        response = await call(operation, program, unknown_path(operation))
                        must_be_rejected(response, status_if_missing(operation))


async def test_an_api_key_of_another_workshop_is_forbidden(fixed: People) -> None:
    program = await fixed.program_of_another_workshop()
    async with unchanged(fixed) as case:
        for operation in by_key_in_a_workshop:
            with case(line(operation)):
                must_be_rejected(await call(operation, program, await fixed.path_for(operation)), 403)


async def test_a_session_is_401_where_a_key_is_required(fixed: People) -> None:
    with violations() as case:
        for operation in guarded:
            if not operation.access.takes_session:
                with case(line(operation)):
                    must_be_rejected(await call(operation, fixed.owner, operation.path), 401)


async def test_authentication_is_checked_before_the_body(fixed: People) -> None:
    anonymous = fixed.owner.app.anonymous()
    unreadable: dict[str, Any] = {"body": b"{", "content_type": "text/plain"}
    with violations() as case:
        for operation in guarded:
            if operation.body is not None:
                with case(line(operation)):
                    path = await fixed.path_for(operation)
                    must_be_rejected(await call(operation, anonymous, path, **unreadable), 401)
                    must_be_rejected(await call(operation, fixed.owner, path, **unreadable, x_csrf_token="x"), 403)


async def test_a_body_is_validated_before_the_object_is_looked_up(fixed: People) -> None:
    with violations() as case:
        for operation in with_path_ids:
            if operation.body is not None:
                with case(line(operation)):
                    path = unknown_path(operation)
                    malformed = await call(operation, fixed.owner, path, b"{")
                    unreadable = await call(operation, fixed.owner, path, b"{", content_type="text/plain")
                    assert (malformed.status_code, unreadable.status_code) == (400, 415)


async def test_a_suspended_account_loses_access_at_once(app: App) -> None:
    karol = await app.person("Karol")
    program = await karol.integrator(*SCOPES)
    await app.db.write(lambda db: administration.suspend(db, karol.email, times.now(), new_id))
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
