"""`backbench accounts`: add, suspend, activate and delete accounts."""

import sys
from enum import StrEnum
from typing import Annotated

import typer

from backbench.actions.operations import administration
from backbench.actions.operations.administration import AddedAccount
from backbench.commands import arguments
from backbench.commands.database import run_transaction, with_database
from backbench.commands.output import CommandOutput
from backbench.domain.values import times
from backbench.domain.values.enums import UserLocale
from backbench.domain.values.ids import new_id
from backbench.storage.engine.database import Database

app = typer.Typer(help="Manage accounts.", no_args_is_help=True)

EmailArgument = Annotated[str, typer.Argument(metavar="EMAIL", help="The account's email address.")]


class Locale(StrEnum):
    en = "en"
    pl = "pl"


@app.command()
def add(
    email: EmailArgument,
    name: Annotated[str, typer.Option(help="The person's name.")],
    password: Annotated[str | None, typer.Option(help="8 to 256 characters; asked for if not given.")] = None,
    locale: Annotated[Locale, typer.Option(help="The person's language.")] = Locale.en,
) -> CommandOutput:
    """Add an active account with a workshop of its own."""
    from backbench.integrations.passwords import Passwords

    arguments.email(email)
    arguments.account_name(name)
    secret = _read_password() if password is None else password
    arguments.password(secret, email)
    user_locale: UserLocale = "pl" if locale is Locale.pl else "en"
    hasher = Passwords()

    async def add_account(db: Database) -> AddedAccount:
        hashed = await hasher.hash(secret)
        return await db.write(
            lambda handle: administration.add_account(handle, email, name, hashed, user_locale, times.now(), new_id)
        )

    try:
        account = with_database(add_account)
    finally:
        hasher.close()
    return CommandOutput(account, f"{account.email} can sign in; its workshop is {account.workshop_id}")


@app.command()
def suspend(email: EmailArgument) -> CommandOutput:
    """Suspend an account; its sessions and API keys end at once."""
    arguments.email(email)
    run_transaction(lambda db: administration.suspend(db, email, times.now()), _not_found(email))
    return CommandOutput({"email": email, "status": "suspended"}, f"{email} is suspended")


@app.command()
def activate(email: EmailArgument) -> CommandOutput:
    """Activate a suspended or pending account."""
    arguments.email(email)
    run_transaction(lambda db: administration.activate(db, email), _not_found(email))
    return CommandOutput({"email": email, "status": "active"}, f"{email} is active")


@app.command()
def delete(email: EmailArgument) -> CommandOutput:
    """Delete an account, and the workshops in which it is the only member."""
    arguments.email(email)
    run_transaction(lambda db: administration.delete(db, email, times.now(), new_id), _not_found(email))
    return CommandOutput({"email": email, "status": "deleted"}, f"{email} is deleted")


def _read_password() -> str:
    """Prompts for the password twice, or reads the first line of standard input if that is no terminal."""
    if not sys.stdin.isatty():
        return sys.stdin.readline().rstrip("\n")
    typed: str = typer.prompt("Password", hide_input=True, confirmation_prompt=True)
    return typed


def _not_found(email: str) -> str:
    return f"there is no account {email}"
