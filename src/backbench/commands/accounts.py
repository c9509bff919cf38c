"""`backbench accounts`: add, list, suspend, activate and delete accounts, and set their passwords."""

import contextlib
import sys
from enum import StrEnum
from typing import Annotated

import typer

from backbench.commands import arguments
from backbench.commands.configuration import settings
from backbench.commands.database import changed, run_read, run_transaction, with_database
from backbench.commands.output import CommandOutput, table
from backbench.engine.database import Database, Write
from backbench.hosting import administration
from backbench.hosting.administration import AddedAccount
from backbench.values import times
from backbench.values.enums import UserLocale
from backbench.values.ids import new_id

app = typer.Typer(help="Manage accounts.", no_args_is_help=True)

PasswordOption = Annotated[str | None, typer.Option(help="8 to 256 characters; asked for if not given.")]
EmailArgument = Annotated[str, typer.Argument(metavar="EMAIL", help="The account's email address.")]


class Locale(StrEnum):
    en = "en"
    pl = "pl"


@app.command()
def add(
    email: EmailArgument,
    name: Annotated[str, typer.Option(help="The person's name.")],
    password: PasswordOption = None,
    locale: Annotated[Locale, typer.Option(help="The person's language.")] = Locale.en,
    create: Annotated[bool, typer.Option("--create", help="Create the database if there is none.")] = False,
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

    with contextlib.closing(hasher):
        account = with_database(add_account, may_create=create)
    return CommandOutput(account, changed(f"{account.email} can sign in; its workshop is {account.workshop_id}"))


@app.command("password")
def set_password(email: EmailArgument, password: PasswordOption = None) -> CommandOutput:
    """Set the password of an account; its sessions end at once, its API keys stay valid."""
    from backbench.integrations.passwords import Passwords

    arguments.email(email)
    secret = _read_password() if password is None else password
    arguments.password(secret, email)
    hasher = Passwords()

    async def save(db: Database) -> None:
        hashed = await hasher.hash(secret)
        await db.write(lambda handle: administration.set_password(handle, email, hashed))

    with contextlib.closing(hasher):
        with_database(save, _not_found(email))
    return CommandOutput({"email": email}, changed(f"{email} has a new password; its sessions have ended"))


@app.command("reset-link")
def add_reset_link(email: EmailArgument) -> CommandOutput:
    """Print a link with which the account's owner chooses a new password, valid once and for 24 hours."""
    arguments.email(email)
    public_url = settings().public_url
    link = run_transaction(
        lambda db: administration.add_reset_link(db, email, public_url, times.now()), _not_found(email)
    )
    return CommandOutput(link, changed(link.url))


@app.command("list")
def list_all() -> CommandOutput:
    """List all accounts."""
    found = run_read(administration.list_accounts)
    rows = [
        [each.email, each.status, each.created_at[:10], (each.last_login_at or "-")[:10], each.name] for each in found
    ]
    return table({"accounts": found}, rows)


@app.command()
def suspend(email: EmailArgument) -> CommandOutput:
    """Suspend an account; its sessions and API keys end at once."""
    arguments.email(email)
    run_transaction(lambda db: administration.suspend(db, email, times.now(), new_id), _not_found(email))
    return CommandOutput({"email": email, "status": "suspended"}, changed(f"{email} is suspended"))


@app.command()
def activate(email: EmailArgument) -> CommandOutput:
    """Activate a suspended or pending account; without a password it needs a link to choose one."""
    arguments.email(email)
    needs_password = run_transaction(
        lambda db: administration.activate(db, email, times.now(), new_id), _not_found(email)
    )
    text = f"{email} is active"
    if needs_password and settings().has_mail_server:
        text += "; an email with a link to choose a password is queued"
    elif needs_password:
        text += f"; `backbench accounts reset-link {email}` prints a link to choose a password"
    return CommandOutput({"email": email, "status": "active"}, changed(text))


@app.command()
def delete(
    email: EmailArgument,
    with_invoices: Annotated[bool, typer.Option("--with-invoices", help="also issued invoices")] = False,
) -> CommandOutput:
    """Delete an account, and the workshops in which it is the only member."""
    arguments.email(email)

    async def work(db: Write) -> None:
        await administration.delete(db, email, times.now(), new_id, with_invoices=with_invoices)

    run_transaction(work, _not_found(email))
    return CommandOutput({"email": email, "status": "deleted"}, changed(f"{email} is deleted"))


def _read_password() -> str:
    """Prompts for the password twice, or reads the first line of standard input if that is no terminal."""
    if not sys.stdin.isatty():
        return sys.stdin.readline().rstrip("\n")
    typed: str = typer.prompt("Password", hide_input=True, confirmation_prompt=True)
    return typed


def _not_found(email: str) -> str:
    return f"there is no account {email}"
