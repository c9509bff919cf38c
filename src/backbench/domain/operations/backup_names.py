"""Names of backups in a folder of backups: the time of each, so that they sort and their age can be read."""

import re
from collections.abc import Iterable

from backbench.domain.values import times
from backbench.domain.values.times import Instant

_NAME = re.compile(r"(\d{4}-\d\d-\d\d)T(\d\d)(\d\d)(\d\d)Z")
_DAY_SECONDS = 86_400
# A nightly backup is a day old before the next one is made; two hours are for the making of it.
_RECENT_SECONDS = 26 * 3600


def backup_name(now: Instant) -> str:
    """The name of a backup made `now`, such as `2026-11-22T030004Z`: without colons, which some file systems refuse."""
    return f"{now[:10]}T{now[11:19].replace(':', '')}Z"


def time_of(name: str) -> Instant | None:
    """When the backup of that name was made; None for any other name."""
    match = _NAME.fullmatch(name)
    return f"{match[1]}T{match[2]}:{match[3]}:{match[4]}.000Z" if match else None


def expired(names: Iterable[str], now: Instant, keep_days: int) -> list[str]:
    """The backups older than `keep_days`, oldest first. The newest one never expires; other names are not ours."""
    backups = sorted(name for name in names if time_of(name) is not None)
    oldest_kept = backup_name(times.later(now, -keep_days * _DAY_SECONDS))
    return [name for name in backups[:-1] if name < oldest_kept]


def newest(names: Iterable[str]) -> str | None:
    return max((name for name in names if time_of(name) is not None), default=None)


def is_recent(name: str, now: Instant) -> bool:
    made = time_of(name)
    return made is not None and times.seconds_between(made, now) < _RECENT_SECONDS
