"""`backbench members`: add members to a workshop."""

from enum import StrEnum
from typing import Annotated

import typer

from backbench.actions.operations import administration
from backbench.commands import arguments
from backbench.commands.accounts import EmailArgument
from backbench.commands.database import run_transaction
from backbench.commands.output import CommandOutput
from backbench.commands.workshops import WorkshopArgument
from backbench.domain.values import times
from backbench.domain.values.ids import new_id

app = typer.Typer(help="Manage members of workshops.", no_args_is_help=True)


class Role(StrEnum):
    owner = "owner"
    member = "member"


# Typer drops the name of a group's only command if the group has no callback.
@app.callback()
def _members() -> None:
    """Manage members of workshops."""


@app.command()
def add(
    workshop_id: WorkshopArgument,
    email: EmailArgument,
    role: Annotated[
        Role, typer.Option(help="Owners also manage members and billing, and can delete the workshop.")
    ] = Role.member,
) -> CommandOutput:
    """Add an account to a workshop, or change its role."""
    workshop_id = arguments.identifier(workshop_id)
    arguments.email(email)
    run_transaction(
        lambda db: administration.add_member(db, workshop_id, email, role.value, times.now(), new_id),
        f"there is no workshop {workshop_id}, or no account {email}",
    )
    member = {"workshopId": workshop_id, "email": email, "role": role.value}
    return CommandOutput(member, f"{email} is {role.value} of {workshop_id}")
