"""`backbench api-keys`: issue API keys."""

from enum import StrEnum
from typing import Annotated

import typer

from backbench.actions.operations import administration
from backbench.commands import arguments
from backbench.commands.accounts import EmailArgument
from backbench.commands.database import run_transaction
from backbench.commands.output import CommandOutput
from backbench.domain.accounts.sessions import Scope
from backbench.domain.values import times
from backbench.domain.values.ids import new_id

app = typer.Typer(help="Manage API keys.", no_args_is_help=True)


class ScopeName(StrEnum):
    read_orders = "orders:read"
    write_orders = "orders:write"
    read_estimates = "estimates:read"
    write_estimates = "estimates:write"
    read_files = "files:read"
    write_files = "files:write"


# Typer drops the name of a group's only command if the group has no callback.
@app.callback()
def _api_keys() -> None:
    """Manage API keys."""


@app.command()
def issue(
    email: EmailArgument,
    scope: Annotated[list[ScopeName], typer.Option(help="What the key may do; can be repeated.")],
    name: Annotated[str, typer.Option(help="The name in the account's list of keys.")] = "command line",
) -> CommandOutput:
    """Issue an API key; its secret is printed only once."""
    arguments.email(email)
    arguments.name(name)
    scopes: list[Scope] = [entry.value for entry in scope]
    issued = run_transaction(
        lambda db: administration.issue_key(db, email, scopes, name, times.now(), new_id),
        f"there is no account {email}",
    )
    return CommandOutput({"id": issued.api_key.id, "secret": issued.secret}, issued.secret)
