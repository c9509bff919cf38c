"""Logging on standard error: one JSON object per line, or text where standard error is a terminal."""

import contextlib
import logging
import sys
from collections.abc import MutableMapping
from typing import TYPE_CHECKING, Any, TextIO

# structlog imports rich where it is installed, for colours that are not used here: 50 ms and 4 MB, in every command and
# every worker. It has no option against that, so the import is made to fail, which it handles.
_rich = sys.modules.get("rich")
sys.modules["rich"] = None  # type: ignore[assignment]  # an import finds that there is none
try:
    import structlog
finally:
    del sys.modules["rich"]
    if _rich is not None:
        sys.modules["rich"] = _rich

if TYPE_CHECKING:
    from structlog.typing import Processor

# Of all modules.
log: Any = structlog.get_logger()

_COMMON: list["Processor"] = [
    structlog.processors.add_log_level,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
    structlog.processors.format_exc_info,
]


def set_up(level: str, to: TextIO | None = None) -> None:
    """Configures logging. `level` applies to Backbench's own events; libraries log warnings and above.

    Below that level, libraries may log parts of requests.
    """
    stream = to or sys.stderr
    renderer = _renderer(stream)
    structlog.configure(
        processors=[*_COMMON, renderer],
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelNamesMapping()[level.upper()]),
        logger_factory=structlog.PrintLoggerFactory(_Lossy(stream)),  # type: ignore[arg-type]  # only prints to it
    )
    _log_libraries(stream, renderer)


class _Lossy:
    """A stream whose errors are ignored: a closed terminal or a broken pipe must not stop what only writes a line."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> None:
        with contextlib.suppress(OSError):
            self._stream.write(text)

    def flush(self) -> None:
        with contextlib.suppress(OSError):
            self._stream.flush()


def _renderer(stream: TextIO) -> "Processor":
    # Without colours, and with every value escaped: request data cannot move the cursor of the terminal.
    return _text_line if stream.isatty() else structlog.processors.JSONRenderer()


def _text_line(_logger: Any, _method: str, event: MutableMapping[str, Any]) -> str:
    """`05:13:18 warning  waiting for the database  reason='…'`, and a traceback below it."""
    time, level, text = (str(event.pop(name, "")) for name in ("timestamp", "level", "event"))
    traceback = event.pop("exception", "")
    values = "  ".join(f"{name}={value!r}" for name, value in event.items())
    shown = text if text.isprintable() else repr(text)
    line = f"{time[11:19]} {level:<7}  {shown}  {values}".rstrip()
    return f"{line}\n{traceback}" if traceback else line


class _LibraryLogHandler(logging.StreamHandler[TextIO]):
    """Writes the log records of libraries in the same format."""


def _log_libraries(to: TextIO, renderer: "Processor") -> None:
    root = logging.getLogger()
    for previous in [handler for handler in root.handlers if isinstance(handler, _LibraryLogHandler)]:
        root.removeHandler(previous)
    handler = _LibraryLogHandler(to)
    handler.setLevel(logging.WARNING)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[structlog.stdlib.add_logger_name, *_COMMON],
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                renderer,
            ],
        )
    )
    root.addHandler(handler)
