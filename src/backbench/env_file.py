"""`.env` files: lines `NAME=value`, parsed by python-dotenv without variable interpolation."""

import os
from io import StringIO
from pathlib import Path

from backbench.values.os_errors import reason_of

_EXPECTED = "expected NAME=value on one line; a value that begins with a quote ends with the same quote"


def read_env_file(file: Path) -> dict[str, str]:
    """The variables of `file`; empty if it does not exist.

    Raises ValueError with one line that names the file, and the line in it.
    """
    try:
        text = file.read_text("utf-8")
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
        return {}
    except OSError as error:
        # The full path: a command may run in a folder that its user cannot read, such as /root.
        raise ValueError(f"{file.absolute()} cannot be read by user {user_name()}: {reason_of(error)}") from None
    except UnicodeDecodeError as error:
        raise ValueError(f"{file.absolute()} cannot be read: {error}") from None
    # Imported here: it takes 5 ms, and most commands run without a file.
    from dotenv.parser import parse_stream

    values = {}
    # Not dotenv_values(): it interpolates, and skips a line that it cannot parse with no more than a warning.
    for binding in parse_stream(StringIO(text)):
        statement = binding.original.string.lstrip()
        # A quote without an end takes in the lines up to the next quote; their settings must not vanish in a value.
        is_one_line = "\n" not in statement.rstrip()
        if binding.error or not is_one_line or (binding.key and binding.value is None):
            blank_lines = binding.original.string.removesuffix(statement).count("\n")
            raise ValueError(f"{file}:{binding.original.line + blank_lines} is not understood: {_EXPECTED}")
        if binding.key and binding.value is not None:
            values[binding.key] = binding.value
    return values


def export_aws_variables(file: Path) -> None:
    """Sets the `AWS_` variables of `file` that the environment does not: the S3 library reads its own environment."""
    for name, value in read_env_file(file).items():
        if name.startswith("AWS_"):
            os.environ.setdefault(name, value)


def user_name() -> str:
    """The user of this process, for messages about permissions; its number where it has no name."""
    import pwd

    try:
        return pwd.getpwuid(os.geteuid()).pw_name
    except KeyError:
        return str(os.geteuid())
