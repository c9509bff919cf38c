"""Data archive of an account: a ZIP file with its data, files and PDFs, and a manifest with checksums."""

import hashlib
import io
import json
import zipfile
from typing import Any

import pytest

from backbench.exports import archives, exports
from backbench.exports.archives import EntryNames
from backbench.integrations.pdf.renderer import RenderError
from backbench.values import times
from backbench.values.calls import Call, Caller
from backbench.values.errors import Unavailable
from backbench.workshops.tables import TABLES
from tests.orders.test_invoices import BUYER, draft, issued, workshop
from tests.people import App, Person
from tests.support.held_pieces import responses_while_held
from tests.support.image_files import png as icon
from tests.support.uploads import photo, upload
from tests.support.violations import all_of

HANDOFF = {"kind": "pdf-shared", "locale": "pl", "preliminary": True, "tone": "formal", "aiDrafted": False}


async def archive_of(person: Person) -> zipfile.ZipFile:
    response = await person.get("/me/data-archive")
    assert response.status_code == 200, response.text
    assert response.headers["content-type"] == "application/zip"
    assert response.headers["content-disposition"].startswith('attachment; filename="backbench-')
    opened = zipfile.ZipFile(io.BytesIO(response.content))
    assert opened.testzip() is None
    return opened


def document(archive: zipfile.ZipFile, name: str) -> Any:
    return json.loads(archive.read(name))


async def archived(person: Person, name: str) -> Any:
    """The document of this name in the archive of somebody who has one workshop."""
    archive = await archive_of(person)
    [path] = [path for path in archive.namelist() if path.endswith(f"/{name}.json")]
    return document(archive, path)


async def test_an_archive_has_the_export_the_files_and_a_manifest(app: App) -> None:
    anna = await app.owner("Łucja")
    await anna.patch(f"/workshops/{anna.workshop}", {"name": "Dąb / Ash"})
    settings = (await anna.put(f"/workshops/{anna.workshop}/document-settings", {"currency": "PLN"})).json()
    for _ in range(2):
        assert (await upload(anna, icon(), name="piła.png")).status_code == 201
    estimate = await anna.estimate(name="Kitchen")
    path = f"/estimates/{estimate['id']}"
    await anna.post(f"{path}/confirm")
    export = (await anna.post(f"{path}/pdf-exports", {"locale": "pl", "preliminary": False})).json()
    handoff = (await anna.post(f"{path}/handoffs", HANDOFF)).json()
    order = await anna.order()
    details = (await anna.patch(f"/orders/{order['id']}/details", {"place": "B3"})).json()
    question = (await anna.post(f"/orders/{order['id']}/questions", {"text": "Friday."})).json()
    notice = (await anna.post(f"/orders/{order['id']}/notices", {"kind": "ready", "channel": "called"})).json()
    signature = (await anna.put(f"/orders/{order['id']}/signature", {"strokes": [[[1, 2.5], [3, 4]]]})).json()
    picture = await photo(anna, order["id"], kind="after", takenAt="2026-11-20T09:12:00Z")
    number = (await anna.get(f"{path}/revisions/1/totals")).json()["number"]
    archive = await archive_of(anna)
    folder = "workshops/Dąb _ Ash"
    assert archive.namelist() == [
        "data-export.json",
        *[
            f"{folder}/{name}.json"
            for name in (
                *("document-settings", "members", "documents", "hand-offs", "pdf-exports"),
                *("sharing", "kept-decisions", "audit"),
                *("order-details", "order-questions", "order-notices", "order-signatures"),
                *("payments", "invoices", "photos", "customers", "files"),
            )
        ],
        f"{folder}/photos/1 2026-11-20-after.jpg",
        f"{folder}/pdfs/Wycena {number.replace('/', '-')} Kitchen v1.pdf",
        f"{folder}/files/piła.png",
        f"{folder}/files/piła (2).png",
        "manifest.json",
    ]
    entries = {path.rpartition("/")[2].removesuffix(".json") for path in archive.namelist()}
    assert {table.archive for table in TABLES if table.archive} <= entries
    assert document(archive, "data-export.json") == (await anna.get("/me/data-export")).json()
    assert document(archive, f"{folder}/document-settings.json") == settings
    documents = [{"estimateId": estimate["id"], "number": number, "document": {}}]
    assert document(archive, f"{folder}/documents.json") == {"documents": documents}
    assert document(archive, f"{folder}/hand-offs.json") == {
        "estimates": [{"estimateId": estimate["id"], "handoffs": [handoff]}]
    }
    assert document(archive, f"{folder}/pdf-exports.json")["estimates"][0]["pdfExports"] == [export]
    members = (await anna.get(f"/workshops/{anna.workshop}")).json()["members"]
    assert document(archive, f"{folder}/members.json")["members"] == members
    listed = (await anna.get(f"/workshops/{anna.workshop}/files")).json()["files"]
    records = document(archive, f"{folder}/files.json")["files"]
    assert [{name: record[name] for name in record if name != "path"} for record in records] == listed
    assert archive.read(records[0]["path"]) == (await anna.get(f"/files/{export['id']}")).content
    assert document(archive, f"{folder}/order-details.json") == {"orderDetails": [details]}
    asked = {"orderId": order["id"], **question, "authorUid": anna.uid}
    assert document(archive, f"{folder}/order-questions.json") == {"questions": [asked]}
    assert document(archive, f"{folder}/order-notices.json") == {"notices": [{**notice, "orderId": order["id"]}]}
    assert document(archive, f"{folder}/order-signatures.json") == {"signatures": [signature]}
    path = f"{folder}/photos/1 2026-11-20-after.jpg"
    assert document(archive, f"{folder}/photos.json") == {"photos": [{**picture, "path": path}]}
    assert archive.read(path) == (await anna.get(f"/photos/{picture['id']}/image")).content
    manifest = document(archive, "manifest.json")
    assert (manifest["format"], manifest["uid"], manifest["missing"]) == (1, anna.uid, [])
    for entry in manifest["entries"]:
        content = archive.read(entry["path"])
        assert (len(content), hashlib.sha256(content).hexdigest()) == (entry["bytes"], entry["sha256"])
    assert [entry["path"] for entry in manifest["entries"]] == archive.namelist()[:-1]


async def no_invoice(_: str) -> dict[str, bytes]:
    raise AssertionError("there is none")


async def test_an_archive_has_the_documents_of_issued_invoices(app: App) -> None:
    """Books are kept for years, also where the account is deleted."""
    anna = await workshop(app)
    lines = [{"label": "Oak", "unit": "piece", "unitPrice": 10, "quantity": 2}]
    invoice, foreign, other = [
        await issued(anna, (await anna.order())["id"], lines=lines, buyer=buyer)
        for buyer in (BUYER, {"name": "Ewa"}, {"name": "Jan"})
    ]
    await draft(anna, (await anna.order())["id"], lines=lines)
    folder = "workshops/Anna/invoices"
    wanted = [f"{folder}/{each['number'].replace('/', '-')}" for each in (other, foreign, invoice)]
    archive = await archive_of(anna)
    paths = [path for path in archive.namelist() if path.startswith(folder) and not path.endswith(".json")]
    assert [path for path in paths if path.endswith(".pdf")] == [f"{path}.pdf" for path in wanted]
    assert f"{wanted[-1]}-fa3.xml" in paths
    for path, ending in (
        (f"/invoices/{invoice['id']}/pdf", ".pdf"),
        (f"/invoices/{invoice['id']}/xml?format=fa3", "-fa3.xml"),
    ):
        assert archive.read(wanted[-1] + ending) == (await anna.get(path)).content
    records = document(archive, f"{folder}.json")["invoices"]
    assert [each.get("path") for each in records] == [None, *(f"{path}.pdf" for path in wanted)]


async def test_an_undrawable_invoice_does_not_end_an_archive(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    anna = await workshop(app)
    logo = (await upload(anna, icon())).json()["id"]
    lines = [{"label": "Oak", "unit": "piece", "unitPrice": 10, "quantity": 2}]
    for settings in ({"currency": "EUR"}, {"currency": "EUR", "logoFileId": logo}):
        await anna.put(f"/workshops/{anna.workshop}/document-settings", settings)
        await issued(anna, (await anna.order())["id"], lines=lines, buyer={"name": "Ewa"})
    assert await missing_of(anna) == []
    await app.backbench.blobs.delete(logo)
    of_logo = "the content is missing"
    assert await missing_of(anna) == ["the logo of the PDF is missing", of_logo]
    attempts = 0
    failures: list[Exception] = []

    async def draw(*_: Any) -> bytes:
        nonlocal attempts
        attempts += 1
        if not failures:
            return b"%PDF"
        raise failures.pop()

    monkeypatch.setattr(app.backbench.renderer, "render_invoice", draw)
    busy = Unavailable("unavailable", "Busy", wait=0)
    cases: list[tuple[list[Exception], int, list[str]]] = [
        ([RenderError("too long")], 1, ["the PDF cannot be drawn"]),
        ([busy] * 5, 6, []),
        ([busy] * 9, 6, ["the PDF could not be drawn now"]),
    ]
    for problems, made, reasons in cases:
        failures, attempts = problems, 0
        assert await missing_of(anna) == ["the logo of the PDF is missing", *reasons, of_logo]
        assert attempts == made


async def missing_of(person: Person) -> list[str]:
    """Why each file that an archive lacks is missing."""
    return [each["detail"] for each in document(await archive_of(person), "manifest.json")["missing"]]


async def test_a_member_removed_during_the_download_gets_no_more_files(app: App) -> None:
    anna = await app.owner("Anna")
    marek = await app.member(anna)
    file = (await upload(anna, icon())).json()
    blobs = app.backbench.blobs
    pieces = archives.data_archive(
        app.db,
        Call(Caller(uid=marek.uid, session_id=None), times.now()),
        blobs,
        app.backbench.settings.plan_rules,
        no_invoice,
    )
    content = await anext(pieces)
    assert (await anna.delete(f"/workshops/{anna.workshop}/members/{marek.uid}")).status_code == 204
    async for piece in pieces:
        content += piece
    missing = document(zipfile.ZipFile(io.BytesIO(content)), "manifest.json")["missing"]
    assert [(each["fileId"], each["detail"]) for each in missing] == [(file["id"], "the account has left the workshop")]


async def test_a_missing_file_is_named_in_the_manifest(app: App) -> None:
    anna = await app.owner("Anna")
    lost, present = [(await upload(anna, icon(), name=f"{name}.png")).json() for name in ("lost", "present")]
    await app.backbench.blobs.delete(lost["id"])
    archive = await archive_of(anna)
    manifest = document(archive, "manifest.json")
    (missing,) = manifest["missing"]
    assert missing["fileId"] == lost["id"]
    assert missing["name"].endswith("/files/lost.png")
    assert [name for name in archive.namelist() if "/files/" in name] == [f"workshops/Anna/files/{present['name']}"]


async def test_a_shortened_file_is_named_in_the_manifest(app: App) -> None:
    anna = await app.owner("Anna")
    file = (await upload(anna, icon())).json()
    sql = "UPDATE files SET size_bytes = size_bytes + 1 WHERE id = :id"
    await app.db.write(lambda db: db.run(sql, id=file["id"]))
    archive = await archive_of(anna)
    (missing,) = document(archive, "manifest.json")["missing"]
    assert missing["fileId"] == file["id"]
    assert archive.read(missing["name"]) == icon()


async def test_an_archive_contains_nothing_of_other_workshops(app: App) -> None:
    anna, ewa = await app.owner("Anna"), await app.owner("Ewa")
    await upload(ewa, icon(), name="private.png")
    assert not [name for name in (await archive_of(anna)).namelist() if "private" in name]


async def test_an_export_and_an_archive_share_their_limits(app: App) -> None:
    anna = await app.owner("Anna")
    requests = [anna.get("/me/data-archive"), anna.get("/me/data-export")]
    held = [(archives, "data_archive"), (exports, "data_export")]
    responses = await responses_while_held(held, requests, answered=1)
    assert sorted(response.status_code for response in responses) == [200, 503]


@pytest.mark.both_engines
async def test_an_archive_has_no_snapshot_open_while_it_is_sent(app: App) -> None:
    anna = await app.owner("Anna")
    for _ in range(2):
        await upload(anna, icon())
    pieces = archives.data_archive(
        app.db, Call(Caller(anna.uid), times.now()), app.backbench.blobs, app.backbench.settings.plan_rules, no_invoice
    )
    await anext(pieces)
    # On SQLite an open snapshot would keep a checkpoint from emptying the write-ahead log.
    sql = """
        SELECT count(*) FROM pg_stat_activity
        WHERE state = 'idle in transaction' AND datname = current_database()
        """
    async with app.db.read() as db:
        assert await db.value("PRAGMA wal_checkpoint(TRUNCATE)" if app.engine == "sqlite" else sql) == 0
    await pieces.aclose()


@all_of(
    ("wanted", "expected"),
    [
        ("../../etc/passwd", "_.._etc_passwd"),
        ("/root", "_root"),
        ("C:\\boot.ini", "C__boot.ini"),
        ("..", "id"),
        ("", "id"),
        ("NUL.txt", "_NUL.txt"),
        ("in\u202egnp.exe", "in_gnp.exe"),
        ("o\u0301" * 3, "ó" * 3),
        ("x" * 300 + ".pdf", "x" * 96 + ".pdf"),
        ("🪑" * 300 + ".pdf", "🪑" * 59 + ".pdf"),
    ],
)
def test_names_of_entries_are_safe(wanted: str, expected: str) -> None:
    assert EntryNames().unique(wanted, "id") == expected


def test_names_of_entries_fit_every_file_system_with_their_numbers() -> None:
    names = EntryNames()
    found = [names.unique("łóżko 🪑" * 60 + ".jpeg", "id") for _ in range(1_000)]
    assert max(len(name.encode()) for name in found) <= 255
    assert len(set(found)) == 1_000
    assert found[-1].endswith(" (1000).jpeg")


def test_names_of_entries_are_unique_regardless_of_case() -> None:
    names = EntryNames()
    assert [names.unique(name, "id") for name in ("A.pdf", "a.pdf", "A.PDF", "a (2).pdf")] == [
        "A.pdf", "a (2).pdf", "A (3).PDF", "a (2) (2).pdf",
    ]  # fmt: skip
