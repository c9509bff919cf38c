"""`backbench` with deadlines of a fraction of a second: `python -m tests.support.short_deadlines serve`."""

import sys

from msgspec import structs

from backbench import connection_limits
from backbench.cli import main
from backbench.http import requests
from backbench.http.requests import DEADLINES

# At the level of the module: a worker that is spawned instead of forked imports it again.
SECONDS = 0.3
connection_limits.SILENT_SECONDS = SECONDS
connection_limits.UNREAD_SECONDS = SECONDS
requests.DEADLINES = structs.replace(
    DEADLINES, body=SECONDS, stall=SECONDS, window=SECONDS, piece=SECONDS, linger=SECONDS
)

if __name__ == "__main__":
    sys.exit(main())
