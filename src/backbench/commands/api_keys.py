"""API keys, from the host's side."""

from enum import StrEnum
from typing import Annotated

import typer

from backbench.actions.operations import administration
from backbench.commands import arguments
from backbench.commands.accounts import EmailWord
from backbench.commands.database import write
from backbench.commands.output import CommandOutput
from backbench.domain.accounts.sessions import Scope
from backbench.domain.values import times
from backbench.domain.values.ids import new_id

app = typer.Typer(help="API keys for programs.", no_args_is_help=True)


class ScopeName(StrEnum):
    read = "orders:read"
    write = "orders:write"


# Without a callback a group of one command would drop the command's name.
@app.callback()
def _api_keys() -> None:
    """API keys for programs."""


@app.command()
def issue(
    email: EmailWord,
    scope: Annotated[list[ScopeName], typer.Option(help="What the key may do; may be given more than once.")],
    name: Annotated[str, typer.Option(help="By what the account's owner knows it.")] = "command line",
) -> CommandOutput:
    """Issue an API key; its secret is shown this once."""
    arguments.email(email)
    arguments.name(name)
    scopes: list[Scope] = [entry.value for entry in scope]
    issued = write(
        lambda db: administration.issue_key(db, email, scopes, name, times.now(), new_id),
        f"there is no account {email}",
    )
    return CommandOutput({"id": issued.api_key.id, "secret": issued.secret}, issued.secret)
