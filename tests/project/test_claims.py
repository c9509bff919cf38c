"""Pages say nothing that the reference or another page says, and their figures and lists are those of the code."""

import re
from collections.abc import Collection
from pathlib import Path
from typing import get_args

from backbench.accounts import api_keys
from backbench.billing.plans import FREE, MIB, PRO, PlanRules
from backbench.connections import calendars, changes, push, tools, webhooks
from backbench.customers import merges
from backbench.estimating import catalog, estimates, file_types, grids, images, stored_blobs
from backbench.http import bodies, idempotency, requests
from backbench.orders import order_questions, orders, photos
from backbench.settings import Settings
from backbench.sharing import comments, links
from backbench.values import emoji
from backbench.values.errors import MAX_FIELD_ERRORS
from backbench.values.limits import LinkLimits, SessionLife
from backbench.workshops import team
from backbench.workshops.audit import EVENT_TYPES
from backbench.workshops.inbox import InboxKind
from tests.project.test_docs import DOCS, FENCED, READING, ROOT, name_of
from tests.support.violations import violations

REFERENCE = sorted((ROOT / "src" / "backbench" / "reference").glob("*.md"))
# As many words in a row are not there by chance: nine already find half of a sentence that was written twice.
REPEATED = 9


def prose(page: Path) -> list[str]:
    """The words of a page without code blocks and the targets of links."""
    text = re.sub(r"\]\([^)]*\)", "]", FENCED.sub("", page.read_text("utf-8")))
    # A list that a command makes has a source already.
    text = re.sub(r"<!-- scopes.*?<!-- end of scopes -->", "", text, flags=re.DOTALL)
    return re.findall(r"[\w'’]+", text.lower())


def sequences(words: list[str]) -> set[tuple[str, ...]]:
    return {tuple(words[index : index + REPEATED]) for index in range(len(words) - REPEATED + 1)}


def test_no_page_repeats_the_reference_or_another_page() -> None:
    found = {page: sequences(prose(page)) for page in (*REFERENCE, *READING)}
    with violations() as case:
        for page in READING:
            for other, theirs in found.items():
                if other != page and (other in REFERENCE or other < page):
                    with case(f"{name_of(page)} and {name_of(other)}"):
                        assert sorted(" ".join(words) for words in found[page] & theirs)[:1] == []


def test_repetition_is_found_across_lines_and_links() -> None:
    first = "It stops at once, and the [key](a.md) stays in the\nlist with its time.".lower()
    second = "so: it stops at once, and the key stays in the list with its time"
    words = [re.findall(r"[\w'’]+", re.sub(r"\]\([^)]*\)", "]", text)) for text in (first, second)]
    assert sequences(words[0]) & sequences(words[1])


def figures() -> dict[str, object]:
    """The figures that documents name, by a word of our own."""
    settings, client, life, plans = Settings(), LinkLimits(), SessionLife(), PlanRules()
    items, faces = catalog.catalog(), emoji.emoji_set().emoji
    return {
        "json": requests.MAX_JSON_SIZE // 1024,
        "public_json": requests.MAX_PUBLIC_JSON_SIZE // 1024,
        "levels": bodies.MAX_DEPTH,
        "errors": MAX_FIELD_ERRORS,
        "key": idempotency.MAX_KEY_LENGTH,
        "stored": idempotency.MAX_STORED_BYTES // MIB,
        "stored_days": idempotency.STORED_SECONDS // 86_400,
        "pair": settings.sign_in_limit,
        "pair_minutes": settings.sign_in_limit.window // 60,
        "ceiling": settings.sign_in_ceiling,
        "idle": life.idle // 86_400,
        "absolute": life.absolute // 86_400,
        "mailbox": settings.mail_limit,
        "emails": settings.mail_ceiling,
        "mailed_links": settings.link_email_limit,
        "feedback": settings.feedback_limit,
        "exports": settings.export_limit,
        "summaries": settings.ai_synthesis_limit,
        "drafts": settings.ai_draft_limit,
        "workshops": settings.workshops_per_account,
        "keys": api_keys.MAX_KEYS,
        "invitations": team.MAX_OPEN,
        "free_files": FREE.storage_bytes // MIB,
        "pro_files": PRO.storage_bytes // MIB // 1024,
        "files": f"{stored_blobs.MAX_FILES:,}",
        "free_data": plans.free_data_bytes // MIB,
        "pro_data": plans.pro_data_bytes // MIB // 1024,
        "free_revisions": FREE.revisions_per_estimate,
        "lines": estimates.MAX_LINE_ITEMS,
        "grids": grids.MAX_GRIDS,
        "buttons": grids.MAX_BUTTONS,
        "icon": f"{file_types.MAX_ICON_BYTES:,} bytes",
        "side": images.MAX_SIDE,
        "open_links": links.MAX_OPEN_LINKS,
        "comments": comments.MAX_COMMENTS,
        "reads": client.reads,
        "decisions": client.decisions,
        "client_comments": client.comments,
        "wrong_tokens": client.bad_tokens,
        "moves": f"{orders.MAX_STATUS_CHANGES:,}",
        "questions": order_questions.MAX_QUESTIONS,
        "hourly_questions": order_questions.HOURLY_QUESTIONS,
        "photos": photos.MAX_PHOTOS,
        "upload": photos.MAX_UPLOAD_BYTES // MIB,
        "merged": merges.MOST_MERGED,
        "feeds": calendars.MAX_CALENDARS,
        "feed_events": f"{calendars.MOST_EVENTS:,}",
        "feed_reads": calendars.FEED_LIMIT,
        "browsers": push.MAX_SUBSCRIPTIONS,
        "pushes": [wait // (60 if wait < 3600 else 3600) for wait in push.WAITS],
        "push_seconds": push.WAITS[0],
        "attempts": [wait // (60 if wait < 3600 else 3600) for wait in webhooks.WAITS],
        "attempt_seconds": webhooks.WAITS[0],
        "deliveries": f"{webhooks.MOST_WAITING:,}",
        "delivery_days": webhooks.KEPT_SECONDS // 86_400,
        "behind": f"{changes.MAX_OBJECTS_BEHIND:,}",
        "versions_behind": f"{changes.MAX_VERSIONS_BEHIND:,}",
        "items": len(items.items),
        "crafts": len(items.domains),
        "templates": len(items.templates),
        "emoji": f"{len(faces):,}",
        "short_label": catalog.SHORT_LABEL_LENGTH,
        "slugs": ", ".join(f"`{craft.slug}`" for craft in items.domains),
        "groups": ", ".join(dict.fromkeys(f"`{face.group}`" for face in faces)),
    }


CLAIMS = {
    "docs/guide/api-basics.md": """
| JSON body | {json} KiB |
{public_json} KiB for an operation that needs no authentication
{pair.count} in {pair_minutes} minutes per client address and email together, {ceiling.count} for each of the two
{mailbox.count} per hour and recipient, {emails.count} per hour and client address
| line items of an estimate | {lines} |
| grids of a workshop · buttons of a grid | {grids} · {buttons} |
| icon | {icon}, {side} pixels a side |
| files of a workshop | {free_files} MiB on `free`, {pro_files} GiB on `pro` |
| revisions of an estimate | {free_revisions} on `free` |
| {free_data} MiB on `free`, {pro_data} GiB on `pro` |
| open links of an estimate · comments of each side on a link | {open_links} · {comments} |
| {reads} per minute · {decisions} per hour · {client_comments} per hour |
| wrong tokens of links | {wrong_tokens} per minute and client address |
| workshops of an account | {workshops} |
| exports and archives of an account | {exports.count} per hour |
At most {stored} MiB of responses are stored
Of more than {errors} errors the first {errors} are listed
| `too_many_keys` | the account has {keys} API keys |
the workshop has {invitations} open invitations
""",
    "docs/guide/billing.md": """
| stored files, at most {files} | {free_files} MiB | {pro_files} GiB |
| data | {free_data} MiB | {pro_data} GiB |
| revisions per estimate | {free_revisions} | unlimited |
""",
    "docs/guide/webhooks.md": """
after {attempt_seconds} seconds, {attempts[1]} and {attempts[2]} minutes, {attempts[3]}, {attempts[4]}, {attempts[5]},\
 {attempts[6]}, {attempts[7]} and {attempts[8]} hours
At most {deliveries} deliveries of a webhook wait
in the last {delivery_days} days
""",
    "docs/guide/calendars.md": """
at most {feed_events} events
can be read {feed_reads.count} times an hour
""",
    "docs/guide/notifications.md": """
after {push_seconds} s, {pushes[1]} min, {pushes[2]} min, {pushes[3]} h and {pushes[4]} h
""",
    "docs/guide/client-page.md": "Each side can write {comments} comments",
    "docs/api/accounts.md": "at most {feedback.count} messages an hour",
    "docs/api/workshops.md": "at most {workshops} workshops",
    "docs/api/customers.md": "At most {merged} records go into one",
    "docs/api/files.md": "{icon}, {side} pixels a side",
    "docs/api/changes.md": "({behind} objects, {versions_behind} versions)",
    "docs/api/catalog.md": """
{items} items in {crafts} domains with {templates} templates, and {emoji} emoji
at most {short_label} characters
by slug: {slugs}
by group: {groups}
""",
    "src/backbench/reference/operations.md": """
ends {idle} days after its last use and {absolute} days after sign-in
of at most {json} KiB and {levels} levels
(at most {key} characters)
For {stored_days} days a repeated request
{pair.count} in {pair_minutes} minutes for an email and client address together, {ceiling.count} for
Emails are limited: {mailbox.count} an hour to an address, {emails.count} an hour from a client address
{mailed_links.count} such emails a day for an account, {emails.count} emails an hour
At most {summaries.count} attempts an hour for each workshop
at most {drafts.count} drafts an hour for each workshop
Of more than {moves} entries
At most {hourly_questions} an hour and {questions} in all
the order has {photos} photos
at most {upload} MiB
At most {lines} line items
At most {grids} grids for each workshop and {buttons} buttons for each grid
can have {free_files} MiB on the free plan and {pro_files} GiB on the pro plan
the account has {feeds} feeds
the account has {browsers} other subscriptions
can have at most {keys} active keys
more than {behind} objects behind
""",
}


def test_figures_in_documents_are_those_of_the_code() -> None:
    values = figures()
    with violations() as case:
        for name, texts in CLAIMS.items():
            page = " ".join((ROOT / name).read_text("utf-8").split())
            for text in texts.strip().splitlines():
                with case(f"{name}: {text}"):
                    assert " ".join(text.format_map(values).split()) in page
    used = set(re.findall(r"{(\w+)", "".join(CLAIMS.values())))
    assert used == set(values)


def first_column(page: str, heading: str) -> list[str]:
    """The codes in the first cells of the table that begins with the heading."""
    text = (DOCS / page).read_text("utf-8")
    table = text[text.index(heading) :].partition("\n\n")[0]
    return [code for row in table.splitlines()[2:] for code in re.findall(r"`([\w:]+)`", row.split("|")[1])]


def test_lists_in_documents_are_those_of_the_code() -> None:
    types = (DOCS / "api" / "changes.md").read_text("utf-8").partition("\nTypes: ")[2].partition(". The object")[0]
    table = (DOCS / "guide" / "agents.md").read_text("utf-8").partition("| Reads | Writes |")[2].partition("\n\n")[0]
    lists: dict[str, tuple[Collection[str], Collection[str]]] = {
        "event types": (re.findall(r"`([\w.]+)`", types), EVENT_TYPES),
        "kinds of the inbox": (first_column("api/inbox.md", "| Kind | Waits |"), get_args(InboxKind)),
        "tools of agents": (re.findall(r"`(\w+)`", table), [tool.name for tool in tools.TOOLS]),
    }
    with violations() as case:
        for what, (listed, there) in lists.items():
            with case(what):
                assert sorted(listed) == sorted(there)
