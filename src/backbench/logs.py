"""Logging: one JSON object per line, on standard error."""

import logging
import sys
from typing import TextIO

import structlog
from structlog.typing import Processor

_COMMON: list[Processor] = [
    structlog.processors.add_log_level,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
    structlog.processors.format_exc_info,
]


def set_up(level: str, to: TextIO | None = None) -> None:
    """Configures logging. `level` applies to Backbench's own events; libraries log warnings and above.

    Below that level, libraries may log parts of requests.
    """
    structlog.configure(
        processors=[*_COMMON, structlog.processors.JSONRenderer()],
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelNamesMapping()[level.upper()]),
        logger_factory=structlog.PrintLoggerFactory(to or sys.stderr),
    )
    _log_libraries(to or sys.stderr)


class _LibraryLogHandler(logging.StreamHandler[TextIO]):
    """Writes the log records of libraries in the same format."""


def _log_libraries(to: TextIO) -> None:
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
                structlog.processors.JSONRenderer(),
            ],
        )
    )
    root.addHandler(handler)
