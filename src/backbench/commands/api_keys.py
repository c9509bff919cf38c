"""`backbench api-keys`: issue, list and revoke API keys."""

from enum import StrEnum
from typing import Annotated

import typer

from backbench.commands import arguments
from backbench.commands.accounts import EmailArgument
from backbench.commands.database import changed, run_read, run_transaction
from backbench.commands.output import CommandError, CommandOutput, table
from backbench.hosting import administration
from backbench.hosting.administration import ListedKey
from backbench.values import times
from backbench.values.calls import Scope
from backbench.values.ids import new_id

app = typer.Typer(help="Manage API keys.", no_args_is_help=True)


class ScopeName(StrEnum):
    read_orders = "orders:read"
    write_orders = "orders:write"
    read_estimates = "estimates:read"
    write_estimates = "estimates:write"
    read_customers = "customers:read"
    write_customers = "customers:write"
    read_payments = "payments:read"
    write_payments = "payments:write"
    read_invoices = "invoices:read"
    write_invoices = "invoices:write"
    read_files = "files:read"
    write_files = "files:write"
    write_drafts = "drafts:write"


@app.command()
def issue(
    email: EmailArgument,
    scope: Annotated[list[ScopeName], typer.Option(help="What the key may do; can be repeated.")],
    name: Annotated[str, typer.Option(help="The name in the account's list of keys.")] = "command line",
    workshop: Annotated[
        str | None, typer.Option(metavar="WORKSHOP_ID", help="The only workshop that the key reaches; else all.")
    ] = None,
    expires: Annotated[
        str | None, typer.Option(metavar="TIME", help="When the key expires, in ISO 8601; else never.")
    ] = None,
) -> CommandOutput:
    """Issue an API key; its secret is printed only once."""
    arguments.email(email)
    arguments.name(name)
    workshop_id = None if workshop is None else arguments.identifier(workshop)
    now = times.now()
    expires_at = None if expires is None else arguments.moment(expires)
    if expires_at is not None and expires_at <= now:
        raise CommandError(f"--expires is in the past: {expires_at}")
    scopes: list[Scope] = [entry.value for entry in scope]
    issued = run_transaction(
        lambda db: administration.issue_key(
            db, email, scopes, name, now, new_id, workshop_id=workshop_id, expires_at=expires_at
        ),
        f"there is no account {email}" + (f", or it is not a member of {workshop_id}" if workshop_id else ""),
    )
    return CommandOutput({"id": issued.api_key.id, "secret": issued.secret}, issued.secret)


@app.command("list")
def list_all(
    email: Annotated[str | None, typer.Argument(metavar="[EMAIL]", help="The account; else every account.")] = None,
) -> CommandOutput:
    """List API keys, revoked and expired ones as well; never their secrets."""
    if email is not None:
        arguments.email(email)
    found = run_read(lambda db: administration.list_keys(db, email), f"there is no account {email}")
    now = times.now()
    rows = [[each.id, each.email, each.prefix, _state(each, now), ",".join(each.scopes), each.name] for each in found]
    return table({"apiKeys": found}, rows)


@app.command()
def revoke(key_id: Annotated[str, typer.Argument(metavar="ID", help="The key's id.")]) -> CommandOutput:
    """Revoke an API key at once."""
    key_id = arguments.identifier(key_id)
    run_transaction(lambda db: administration.revoke_key(db, key_id, times.now()), f"there is no API key {key_id}")
    return CommandOutput({"id": key_id}, changed(f"{key_id} is revoked"))


def _state(key: ListedKey, now: times.Instant) -> str:
    if key.revoked_at is not None:
        return "revoked"
    return "expired" if key.expires_at is not None and key.expires_at <= now else "active"
