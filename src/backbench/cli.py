"""The command line: every command works while the server runs, and prints JSON with `--json`."""

import sys
from collections.abc import Sequence
from typing import Annotated, Any

# Typer and structlog import rich where it is installed, for colours that are not used here: a tenth of a second and
# four megabytes, in every command and every worker. None makes them do without it.
_modules: dict[str, Any] = sys.modules
_modules.setdefault("rich", None)

import typer  # noqa: E402

from backbench.commands import accounts, api_keys, backups, doctor, members, serve, workshops  # noqa: E402
from backbench.commands.configuration import settings_file  # noqa: E402
from backbench.commands.output import CommandError, CommandOutput, print_error, print_output  # noqa: E402

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


def main() -> int:
    return run(sys.argv[1:])


def run(arguments: Sequence[str]) -> int:
    """The exit status: 0, 1 where it could not be done, 2 where the words were not understood."""
    in_json = "--json" in arguments
    try:
        env_file, words = _without_env_file([word for word in arguments if word != "--json"])
        with settings_file(env_file):
            output = app(words, prog_name="backbench", standalone_mode=False, obj=in_json)
            # Typer's own endings, such as --help, come as a status.
            if not isinstance(output, CommandOutput):
                return int(output or 0)
            print_output(output, in_json=in_json)
            if output.then is not None:
                output.then()
    except CommandError as failure:
        print_error(str(failure), in_json=in_json)
        return 1
    except typer.Abort:
        print_error("aborted", in_json=in_json)
        return 1
    except typer.TyperException as error:
        return _misunderstood(error, in_json=in_json)
    return output.status


def _without_env_file(words: Sequence[str]) -> tuple[str | None, list[str]]:
    """The value of the last --env-file, which may stand anywhere, and the other words. Raises UsageError."""
    file, others, rest = None, [], iter(words)
    for word in rest:
        name, is_joined, value = word.partition("=")
        if name != "--env-file":
            others.append(word)
            continue
        file = value if is_joined else next(rest, "")
        if not file:
            raise typer.BadParameter("Option '--env-file' requires an argument")
    return file, others


def _misunderstood(error: typer.TyperException, *, in_json: bool) -> int:
    message = error.format_message()
    # A group without its command asks for its help, which is no complaint.
    if "\n" in message:
        typer.echo(message)
    else:
        print_error(message.rstrip("."), in_json=in_json)
    return 2
