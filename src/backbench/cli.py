"""The command line: every command works while the server runs, and speaks JSON when asked (`--json`, anywhere)."""

import asyncio
import sys
from collections.abc import Awaitable, Callable
from enum import StrEnum
from typing import Annotated, Any, TypeVar

import msgspec
import typer

from backbench import __version__
from backbench.actions import administration
from backbench.domain import times
from backbench.domain.accounts import UserLocale
from backbench.domain.errors import Conflict, NotFound, Refused, Unavailable
from backbench.domain.ids import new_id
from backbench.domain.plans import FREE, Plan
from backbench.domain.scalars import AccountName, Email
from backbench.outside.passwords import Passwords
from backbench.settings import BadSetting, Settings, load
from backbench.storage.database import Work
from backbench.storage.engines import open_database
from backbench.storage.migrations import NewerSchema

Result = TypeVar("Result")

app = typer.Typer(help="Backbench: the back office for small craft workshops.", no_args_is_help=True, add_completion=False)
accounts = typer.Typer(help="People who sign in.", no_args_is_help=True)
workshops = typer.Typer(help="Workshops and their plans.", no_args_is_help=True)
members = typer.Typer(help="Who belongs to a workshop.", no_args_is_help=True)
keys = typer.Typer(help="API keys.", no_args_is_help=True)
for group, name in ((accounts, "accounts"), (workshops, "workshops"), (members, "members"), (keys, "api-keys")):
    app.add_typer(group, name=name)


class Locale(StrEnum):
    en = "en"
    pl = "pl"


class PlanName(StrEnum):
    free = "free"
    pro = "pro"


class Source(StrEnum):
    grant = "grant"
    trial = "trial"
    subscription = "subscription"


class Role(StrEnum):
    owner = "owner"
    member = "member"


class ScopeName(StrEnum):
    read = "orders:read"
    write = "orders:write"


class _Output:
    is_json = False


@app.command()
def serve(
    host: str = "127.0.0.1",
    port: int = 8000,
    workers: Annotated[int, typer.Option(min=1, max=64)] = 1,
    demo: Annotated[bool, typer.Option(help="Set up a demo workshop and print how to use it.")] = False,
) -> None:
    """Serve until a signal; requests under way are finished first."""
    from backbench.serving import run

    settings = _settings()
    _in_database(settings, lambda db: db.migrate())
    if demo:
        from backbench.demo import set_up

        typer.echo(asyncio.run(set_up(settings, f"http://{host}:{port}")))
    run(host, port, workers)


@app.command()
def migrate() -> None:
    """Bring the database's schema up to date."""
    applied = _in_database(_settings(), lambda db: db.migrate())
    _say({"applied": applied}, f"{applied} migrations applied")


@app.command()
def version() -> None:
    """Print the version."""
    _say({"version": __version__}, __version__)


@accounts.command("add")
def add_account(
    email: str,
    name: Annotated[str, typer.Option()],
    password: Annotated[str | None, typer.Option(help="Asked for when left out.")] = None,
    locale: Locale = Locale.en,
) -> None:
    """Add an active account with a workshop of its own."""
    _must_be(Email, email, "not an e-mail address")
    _must_be(AccountName, name, "not a name: 1 to 100 letters, digits, spaces and ' ’ . , - &")
    secret = password or typer.prompt("Password", hide_input=True, confirmation_prompt=True)
    if not 8 <= len(secret) <= 256:
        _fail("a password has 8 to 256 characters")
    hasher = Passwords()
    spoken: UserLocale = "pl" if locale is Locale.pl else "en"

    async def add(db: Any) -> administration.AddedAccount:
        hashed = await hasher.hash(secret)
        return await db.write(
            lambda write: administration.add_account(write, email, name, hashed, spoken, times.now(), new_id)
        )

    added = _in_database(_settings(), add)
    _say(added, f"{added.email} may sign in; its workshop is {added.workshop_id}")


@accounts.command()
def suspend(email: str) -> None:
    """Suspend an account: its sessions and keys end at once."""
    _write(lambda db: administration.suspend(db, email, times.now()))
    _say({"email": email, "status": "suspended"}, f"{email} is suspended")


@accounts.command()
def activate(email: str) -> None:
    """Let a suspended or pending account in again."""
    _write(lambda db: administration.activate(db, email))
    _say({"email": email, "status": "active"}, f"{email} is active")


@accounts.command()
def delete(email: str) -> None:
    """Delete an account and the workshops that it alone belongs to."""
    _write(lambda db: administration.delete(db, email))
    _say({"email": email, "status": "deleted"}, f"{email} is deleted")


@workshops.command("add")
def add_workshop(owner: Annotated[str, typer.Option()], name: Annotated[str, typer.Option()]) -> None:
    """Open a workshop for an account."""
    if not 1 <= len(name) <= 250:
        _fail("a workshop's name has 1 to 250 characters")
    added = _write(lambda db: administration.add_workshop(db, owner, name, times.now(), new_id))
    _say(added, f"workshop {added.workshop_id}")


@workshops.command("plan")
def set_plan(
    workshop_id: str,
    plan: PlanName,
    until: Annotated[str | None, typer.Option(help="ISO 8601; without it a pro does not expire.")] = None,
    source: Source = Source.grant,
) -> None:
    """Put a workshop on a plan."""
    chosen = FREE if plan is PlanName.free else Plan("pro", _moment(until), source.value)
    _write(lambda db: administration.set_plan(db, workshop_id, chosen))
    _say(
        {"workshopId": workshop_id, "plan": chosen.plan, "planExpiresAt": chosen.expires_at},
        f"{workshop_id} is {chosen.plan}" + (f" until {chosen.expires_at}" if chosen.expires_at else ""),
    )


@members.command("add")
def add_member(workshop_id: str, email: str, role: Role = Role.member) -> None:
    """Add an account to a workshop, or change its role."""
    _write(lambda db: administration.add_member(db, workshop_id, email, role.value, times.now()))
    _say({"workshopId": workshop_id, "email": email, "role": role.value}, f"{email} is {role.value}")


@keys.command("issue")
def issue_key(
    email: str,
    scope: Annotated[list[ScopeName], typer.Option()],
    name: str = "command line",
) -> None:
    """Issue an API key; its secret is shown this once."""
    scopes: Any = [entry.value for entry in scope]
    issued = _write(lambda db: administration.issue_key(db, email, scopes, name, times.now(), new_id))
    _say({"id": issued.api_key.id, "secret": issued.secret}, issued.secret)


def main() -> None:
    if "--json" in sys.argv:
        sys.argv.remove("--json")
        _Output.is_json = True
    app()


def _settings() -> Settings:
    try:
        return load()
    except BadSetting as error:
        _fail(str(error))
        raise


def _write(work: Work[Result]) -> Result:
    return _in_database(_settings(), lambda db: db.write(work))


def _in_database(settings: Settings, call: Callable[[Any], Awaitable[Result]]) -> Result:
    """Runs `call` with the database, its schema up to date; a refusal becomes one line and status 1."""

    async def work() -> Result:
        db = open_database(settings.database_url)
        try:
            await db.migrate()
            return await call(db)
        finally:
            await db.close()

    try:
        return asyncio.run(work())
    except (Refused, NewerSchema) as error:
        _fail(_words(error))
        raise


def _words(error: Exception) -> str:
    if isinstance(error, NotFound):
        return "there is no such account or workshop"
    if isinstance(error, Conflict | Unavailable):
        return error.detail
    return str(error)


def _moment(text: str | None) -> str | None:
    if text is None:
        return None
    try:
        moment = times.parse(text)
    except ValueError:
        _fail(f"--until {text!r} is not ISO 8601")
        raise
    return times.from_datetime(moment if moment.tzinfo else moment.astimezone())


def _must_be(type_: Any, value: str, complaint: str) -> None:
    from backbench.api.faults import check_for

    if list(check_for(type_)(value, "")):
        _fail(f"{value!r} is {complaint}")


def _say(shape: Any, words: str) -> None:
    typer.echo(msgspec.json.encode(shape).decode() if _Output.is_json else words)


def _fail(words: str) -> None:
    if _Output.is_json:
        typer.echo(msgspec.json.encode({"error": words}).decode())
    typer.echo(f"backbench: {words}", err=True)
    raise typer.Exit(1)


