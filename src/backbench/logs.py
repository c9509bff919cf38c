"""Logs: a JSON object a line on standard error."""

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
    """`level` is for our own lines. Of the libraries only warnings are heard: what they say when asked for more may
    quote what was sent."""
    structlog.configure(
        processors=[*_COMMON, structlog.processors.JSONRenderer()],
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelNamesMapping()[level.upper()]),
        logger_factory=structlog.PrintLoggerFactory(to or sys.stderr),
    )
    _hear_libraries(to or sys.stderr)


class _Ear(logging.StreamHandler[TextIO]):
    """Writes what libraries log as lines like our own."""


def _hear_libraries(to: TextIO) -> None:
    root = logging.getLogger()
    for earlier in [handler for handler in root.handlers if isinstance(handler, _Ear)]:
        root.removeHandler(earlier)
    ear = _Ear(to)
    ear.setLevel(logging.WARNING)
    ear.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[structlog.stdlib.add_logger_name, *_COMMON],
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                structlog.processors.JSONRenderer(),
            ],
        )
    )
    root.addHandler(ear)
