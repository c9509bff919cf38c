"""People who sign in: added, suspended, let in again, deleted."""

import sys
from enum import StrEnum
from typing import Annotated

import typer

from backbench.actions.operations import administration
from backbench.actions.operations.administration import AddedAccount
from backbench.commands import arguments
from backbench.commands.database import in_database, write
from backbench.commands.output import CommandOutput
from backbench.domain.values import times
from backbench.domain.values.enums import UserLocale
from backbench.domain.values.ids import new_id
from backbench.storage.engine.database import Database

app = typer.Typer(help="People who sign in.", no_args_is_help=True)

EmailWord = Annotated[str, typer.Argument(metavar="EMAIL", help="The account's e-mail address.")]


class Locale(StrEnum):
    en = "en"
    pl = "pl"


@app.command()
def add(
    email: EmailWord,
    name: Annotated[str, typer.Option(help="What the person is called.")],
    password: Annotated[str | None, typer.Option(help="8 to 256 characters; asked for when left out.")] = None,
    locale: Annotated[Locale, typer.Option(help="The language of the person.")] = Locale.en,
) -> CommandOutput:
    """Add an active account with a workshop of its own."""
    from backbench.integrations.passwords import Passwords

    arguments.email(email)
    arguments.account_name(name)
    secret = _asked_for() if password is None else password
    arguments.password(secret, email)
    spoken: UserLocale = "pl" if locale is Locale.pl else "en"
    hasher = Passwords()

    async def added(db: Database) -> AddedAccount:
        hashed = await hasher.hash(secret)
        return await db.write(
            lambda handle: administration.add_account(handle, email, name, hashed, spoken, times.now(), new_id)
        )

    try:
        account = in_database(added)
    finally:
        hasher.close()
    return CommandOutput(account, f"{account.email} may sign in; its workshop is {account.workshop_id}")


@app.command()
def suspend(email: EmailWord) -> CommandOutput:
    """Suspend an account: its sessions and keys end at once."""
    arguments.email(email)
    write(lambda db: administration.suspend(db, email, times.now()), _missing(email))
    return CommandOutput({"email": email, "status": "suspended"}, f"{email} is suspended")


@app.command()
def activate(email: EmailWord) -> CommandOutput:
    """Let a suspended or pending account in again."""
    arguments.email(email)
    write(lambda db: administration.activate(db, email), _missing(email))
    return CommandOutput({"email": email, "status": "active"}, f"{email} is active")


@app.command()
def delete(email: EmailWord) -> CommandOutput:
    """Delete an account and the workshops that it alone belongs to."""
    arguments.email(email)
    write(lambda db: administration.delete(db, email, times.now()), _missing(email))
    return CommandOutput({"email": email, "status": "deleted"}, f"{email} is deleted")


def _asked_for() -> str:
    """The password as typed twice without showing, or the first line of standard input in a script."""
    if not sys.stdin.isatty():
        return sys.stdin.readline().rstrip("\n")
    typed: str = typer.prompt("Password", hide_input=True, confirmation_prompt=True)
    return typed


def _missing(email: str) -> str:
    return f"there is no account {email}"
