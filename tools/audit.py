"""Holds the locked requirements against the known advisories, where the service that knows them can be reached.

Fails when one of them is named by an advisory. Where the service cannot be reached, it says so and lets the rest of
the checks go on: that is somebody's network, not our libraries.
"""

import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path

ROOT = Path(__file__).parent.parent
LOCK = ROOT / "requirements" / "run.txt"
ADVISORIES = "https://api.osv.dev/v1/query"
_SECONDS = 10
_FOUND = 1


def main(advisories: str = ADVISORIES, lock: Path = LOCK) -> int:
    """The exit status."""
    if not is_there(advisories):
        return skipped(advisories)
    audited = subprocess.run(command(advisories, lock), check=False, capture_output=True, text=True)
    # An audit that lost its connection has no result.
    if audited.returncode != 0 and "known vulnerabilit" not in audited.stderr and not is_there(advisories):
        return skipped(advisories)
    sys.stdout.write(audited.stdout)
    sys.stderr.write(audited.stderr)
    return audited.returncode and _FOUND


def command(advisories: str, lock: Path) -> list[str]:
    """pip-audit over hashed pins: it resolves nothing and installs nothing."""
    audit = [sys.executable, "-m", "pip_audit", "--require-hashes", "--disable-pip", "--requirement", str(lock)]
    service = ["--vulnerability-service", "osv", "--osv-url", advisories, "--timeout", str(_SECONDS)]
    return [*audit, *service, "--progress-spinner", "off", "--cache-dir", str(ROOT / "build" / "audit")]


def is_there(advisories: str) -> bool:
    """Whether the service is reachable; an error response counts, too."""
    if not advisories.startswith(("https://", "http://127.0.0.1:")):
        raise ValueError(advisories)
    try:
        with urllib.request.urlopen(advisories, timeout=_SECONDS):  # noqa: S310 - looked at just above
            return True
    except urllib.error.HTTPError as error:
        # These come from a gateway that does not reach the service.
        return error.code not in (403, 407, 502, 503, 504)
    except OSError:
        return False


def skipped(advisories: str) -> int:
    sys.stderr.write(f"audit: skipped, the advisories at {advisories} cannot be reached from here\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
