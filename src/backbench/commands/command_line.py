"""Typer's commands: all of the command line. Imported when Typer has to read a command (see `cli.py`)."""

import errno
from collections.abc import Sequence
from typing import Annotated

import typer

from backbench.commands import accounts, api_keys, backups, doctor, members, serve, workshops
from backbench.commands.output import CommandError, CommandOutput, OutputFailed, UsageError, print_output
from backbench.values.os_errors import reason_of

app = typer.Typer(
    help="Backbench: the back office for small craft workshops.",
    epilog="Anywhere: --json prints the output as JSON; --env-file FILE reads the settings (BACKBENCH_* variables) "
    "from FILE instead of .env in this folder.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    # A traceback with the values of variables would print passwords.
    pretty_exceptions_enable=False,
)


def _print_version(context: typer.Context, asked: bool) -> None:
    if asked:
        print_output(serve.version(), in_json=context.obj)
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", is_eager=True, callback=_print_version, help="Print the version.")
    ] = False,
) -> None:
    """Options that precede the command."""


app.command()(serve.serve)
app.command()(serve.migrate)
app.add_typer(accounts.app, name="accounts")
app.add_typer(workshops.app, name="workshops")
app.add_typer(members.app, name="members")
app.add_typer(api_keys.app, name="api-keys")
app.command()(backups.backup)
app.command()(backups.restore)
app.command()(doctor.doctor)
app.command()(serve.version)


def run_command(words: Sequence[str], *, in_json: bool) -> CommandOutput | int:
    """What the command gives, or the exit status where that is all, as after --help.

    Raises CommandError, UsageError, OutputFailed.
    """
    try:
        output = app(words, prog_name="backbench", standalone_mode=False, obj=in_json)
    except OSError as error:
        # Of the help, which Typer prints: commands handle their own.
        if error.errno not in (errno.EPIPE, errno.ENOSPC):
            raise
        raise OutputFailed(reason_of(error)) from None
    except typer.Abort:
        raise CommandError("aborted") from None
    except typer.TyperException as error:
        raise UsageError(error.format_message()) from None
    # Typer's own endings, such as --help, come as a status.
    return output if isinstance(output, CommandOutput) else int(output or 0)
