"""`backbench members`: add, remove and list members of a workshop."""

from enum import StrEnum
from typing import Annotated

import typer

from backbench.commands import arguments
from backbench.commands.accounts import EmailArgument
from backbench.commands.database import changed, run_read, run_transaction
from backbench.commands.output import CommandOutput, table
from backbench.commands.workshops import WorkshopArgument
from backbench.hosting import administration
from backbench.values import times
from backbench.values.ids import new_id

app = typer.Typer(help="Manage members of workshops.", no_args_is_help=True)


class Role(StrEnum):
    owner = "owner"
    member = "member"


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
    return CommandOutput(member, changed(f"{email} is {role.value} of {workshop_id}"))


@app.command()
def remove(workshop_id: WorkshopArgument, email: EmailArgument) -> CommandOutput:
    """Remove an account from a workshop; the last owner stays."""
    workshop_id = arguments.identifier(workshop_id)
    arguments.email(email)
    run_transaction(
        lambda db: administration.remove_member(db, workshop_id, email, times.now(), new_id),
        f"{email} is not a member of {workshop_id}",
    )
    removed = {"workshopId": workshop_id, "email": email}
    return CommandOutput(removed, changed(f"{email} is no longer a member of {workshop_id}"))


@app.command("list")
def list_all(workshop_id: WorkshopArgument) -> CommandOutput:
    """List the members of a workshop."""
    workshop_id = arguments.identifier(workshop_id)
    found = run_read(lambda db: administration.list_members(db, workshop_id), f"there is no workshop {workshop_id}")
    return table({"members": found}, [[each.email, each.role, each.joined_at[:10], each.name] for each in found])
