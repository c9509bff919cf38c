"""Checks the locked requirements against known vulnerabilities (OSV), where the service can be reached.

Fails when an advisory names one of them. Where the service cannot be reached, the check is skipped with a message:
that is a problem of the network, not of the libraries.
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
    # pip-audit fails too when the connection is lost.
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
    """Whether the service responds, with any status but those of a gateway."""
    if not advisories.startswith(("https://", "http://127.0.0.1:")):
        raise ValueError(advisories)
    try:
        with urllib.request.urlopen(advisories, timeout=_SECONDS):  # noqa: S310 - the scheme is checked above
            return True
    except urllib.error.HTTPError as error:
        # With these a gateway reports that it cannot reach the service.
        return error.code not in (403, 407, 502, 503, 504)
    except OSError:
        return False


def skipped(advisories: str) -> int:
    sys.stderr.write(f"audit: skipped, the advisories at {advisories} cannot be reached from here\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
