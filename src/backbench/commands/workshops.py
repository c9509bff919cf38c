"""`backbench workshops`: add and list workshops, and set their plans."""

from enum import StrEnum
from typing import Annotated

import typer

from backbench.billing.plans import FREE, Plan
from backbench.commands import arguments
from backbench.commands.configuration import settings
from backbench.commands.database import changed, run_read, run_transaction
from backbench.commands.output import CommandError, CommandOutput, table
from backbench.hosting import administration
from backbench.values import times
from backbench.values.ids import new_id

app = typer.Typer(help="Manage workshops and their plans.", no_args_is_help=True)

WorkshopArgument = Annotated[str, typer.Argument(metavar="WORKSHOP_ID", help="The workshop's id.")]


class PlanName(StrEnum):
    free = "free"
    pro = "pro"


class Source(StrEnum):
    grant = "grant"
    trial = "trial"
    subscription = "subscription"


@app.command()
def add(
    owner: Annotated[str, typer.Option(metavar="EMAIL", help="The account that becomes its owner.")],
    name: Annotated[str, typer.Option(help="The workshop's name.")],
) -> CommandOutput:
    """Add a workshop owned by an account."""
    arguments.email(owner)
    arguments.name(name)
    added = run_transaction(
        lambda db: administration.add_workshop(db, owner, name, times.now(), new_id), f"there is no account {owner}"
    )
    return CommandOutput(added, changed(f"{name} is added; its id is {added.workshop_id}"))


@app.command("plan")
def set_plan(
    workshop_id: WorkshopArgument,
    plan: Annotated[PlanName, typer.Argument(help="The plan.")],
    until: Annotated[
        str | None, typer.Option(metavar="TIME", help="When pro ends, in ISO 8601; without it pro does not expire.")
    ] = None,
    source: Annotated[Source, typer.Option(help="The source of a pro plan.")] = Source.grant,
) -> CommandOutput:
    """Put a workshop on a plan."""
    workshop_id = arguments.identifier(workshop_id)
    if plan is PlanName.free and until is not None:
        raise CommandError("--until is for pro; the free plan does not expire")
    expires_at = None if until is None else arguments.moment(until)
    chosen = FREE if plan is PlanName.free else Plan("pro", expires_at, source.value)
    now = times.now()
    run_transaction(
        lambda db: administration.set_plan(db, workshop_id, chosen, now, new_id), f"there is no workshop {workshop_id}"
    )
    until_then = f" until {expires_at}" if expires_at else ""
    if expires_at and expires_at <= now:
        # Accepted, since it ends a plan at once; it may also be a wrong year.
        until_then += ", a time that has passed: pro is over already"
    return CommandOutput(
        {
            "workshopId": workshop_id,
            "plan": chosen.plan,
            "planExpiresAt": chosen.expires_at,
            "planSource": chosen.source,
        },
        changed(f"{workshop_id} is on {chosen.plan}{until_then}"),
    )


@app.command("list")
def list_all() -> CommandOutput:
    """List all workshops with their plans and owners."""
    rules = settings().plan_rules
    found = run_read(lambda db: administration.list_workshops(db, rules, times.now()))
    rows = [
        [each.id, each.plan, f"{each.storage_used_bytes >> 20} MiB", ",".join(each.owners), each.name] for each in found
    ]
    return table({"workshops": found}, rows)
