"""API keys, from the host's side."""

from enum import StrEnum
from typing import Annotated

import typer

from backbench.actions import administration
from backbench.commands import words
from backbench.commands.accounts import EmailWord
from backbench.commands.database import write
from backbench.commands.speech import Said
from backbench.domain import times
from backbench.domain.ids import new_id
from backbench.domain.sessions import Scope

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
) -> Said:
    """Issue an API key; its secret is shown this once."""
    words.email(email)
    words.name(name)
    scopes: list[Scope] = [entry.value for entry in scope]
    issued = write(
        lambda db: administration.issue_key(db, email, scopes, name, times.now(), new_id),
        f"there is no account {email}",
    )
    return Said({"id": issued.api_key.id, "secret": issued.secret}, issued.secret)
