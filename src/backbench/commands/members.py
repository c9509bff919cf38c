"""Who belongs to a workshop, from the host's side."""

from enum import StrEnum
from typing import Annotated

import typer

from backbench.actions.operations import administration
from backbench.commands import arguments
from backbench.commands.accounts import EmailWord
from backbench.commands.database import write
from backbench.commands.output import CommandOutput
from backbench.commands.workshops import WorkshopWord
from backbench.domain.values import times

app = typer.Typer(help="Who belongs to a workshop.", no_args_is_help=True)


class Role(StrEnum):
    owner = "owner"
    member = "member"


# Without a callback a group of one command would drop the command's name.
@app.callback()
def _members() -> None:
    """Who belongs to a workshop."""


@app.command()
def add(
    workshop_id: WorkshopWord,
    email: EmailWord,
    role: Annotated[Role, typer.Option(help="Owners also see to the team, billing and deletion.")] = Role.member,
) -> CommandOutput:
    """Add an account to a workshop, or change its role."""
    workshop_id = arguments.identifier(workshop_id)
    arguments.email(email)
    write(
        lambda db: administration.add_member(db, workshop_id, email, role.value, times.now()),
        f"there is no workshop {workshop_id}, or no account {email}",
    )
    member = {"workshopId": workshop_id, "email": email, "role": role.value}
    return CommandOutput(member, f"{email} is {role.value} of {workshop_id}")
