"""Commits: the subjects and bodies of those since the rule, as CONTRIBUTING has them.

`python -m tools.commits` prints what is wrong and fails. In a copy without the history it says so and does nothing.
"""

import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
# The last commit that was made without the rule.
BEFORE = "a314804e"
MAX_SUBJECT = 72
# A change of more lines does not show by itself why it was made.
LINES_WITHOUT_BODY = 60
# The searched-for noun, and what is done, as an order.
_SUBJECT = re.compile(r"[A-Z0-9`.][^:]*: [a-z`].*[^.\s]")
_NO_ORDER = re.compile(r"\w+(?:ed|ing)\b")


class Commit(NamedTuple):
    id: str
    subject: str
    body: str
    lines: int


def problems(commit: Commit) -> list[str]:
    """What is wrong with the commit, in words."""
    found = []
    if len(commit.subject) > MAX_SUBJECT:
        found.append(f"the subject has {len(commit.subject)} characters, more than {MAX_SUBJECT}")
    if _SUBJECT.fullmatch(commit.subject) is None:
        found.append("expected a subject such as `Orders: refuse a title of spaces`, without a full stop")
    elif _NO_ORDER.match(commit.subject.partition(": ")[2]):
        found.append("expected an imperative after the noun")
    if not commit.body and commit.lines > LINES_WITHOUT_BODY:
        found.append(f"expected a body that says why: it changes {commit.lines} lines")
    return found


def commits() -> list[Commit]:
    """Those after BEFORE, oldest first, without merges. Raises CalledProcessError where it is not in the history."""
    ids = _git("rev-list", "--reverse", "--no-merges", f"{BEFORE}..HEAD").split()
    return [_commit(each) for each in ids]


def _commit(id_: str) -> Commit:
    subject, _, body = _git("show", "--no-patch", "--format=%s%n%b", id_).partition("\n")
    changed = [line.split("\t")[:2] for line in _git("show", "--numstat", "--format=", id_).splitlines()]
    lines = sum(int(number) for numbers in changed for number in numbers if number.isdigit())
    return Commit(id_[:8], subject, body.strip(), lines)


def _git(*arguments: str) -> str:
    command = ["git", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, check=True, text=True).stdout


if __name__ == "__main__":
    try:
        made = commits()
    except (OSError, subprocess.CalledProcessError):
        sys.stdout.write("commits: not checked, no history here\n")
        sys.exit(0)
    wrong = [f"{commit.id} {commit.subject}: {problem}" for commit in made for problem in problems(commit)]
    sys.stdout.writelines(f"{line}\n" for line in wrong)
    sys.exit(1 if wrong else 0)
