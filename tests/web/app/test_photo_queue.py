"""The queue of photos against a server that is killed twice while it takes them."""

import contextlib
import sqlite3
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.support.databases import new_file
from tests.support.photos import photo_files
from tests.support.run.engines import runs_all
from tests.support.server import Server, free_port, running_server
from tests.web import dom
from tests.web.app.craftspeople import Craftsperson, expect
from tests.web.open_sign_up import OpenSignUpServer

# As many as an order can have where a run is of everything; fewer show the same.
PHOTOS = 40 if runs_all() else 10


@contextlib.contextmanager
def serving(database: str, folder: Path, port: int) -> Iterator[Server]:
    address, files = f"http://127.0.0.1:{port}", f"file://{folder}/files"
    with running_server(database, port=port, BACKBENCH_PUBLIC_URL=address, BACKBENCH_FILES_URL=files) as server:
        yield server


@pytest.fixture(params=["deno", pytest.param("browser", marks=pytest.mark.all_only)])
def pages(request: pytest.FixtureRequest) -> Browser | dom.Deno:
    """The queue needs no layout. In a browser, orders/test_photos.py closes the app while photos wait."""
    found: Browser | dom.Deno = request.getfixturevalue(request.param)
    return found


def test_photos_arrive_once_each_through_a_server_that_is_killed_twice(
    tmp_path: Path, pages: Browser | dom.Deno
) -> None:
    database, port = new_file(tmp_path), free_port()
    with serving(database, tmp_path, port) as server:
        opened = OpenSignUpServer(server, tmp_path)
        email, api = opened.signed_in_account()
        anna = Craftsperson(pages, server.url, api, email, {"width": 390, "height": 844})
        anna.take_session()
        anna.leave_first_run()
        order = anna.post("/workshops/{workshop}/orders", {"title": "Gold ring"})["id"]
        anna.open(f"/orders/{order}")
        expect(anna.page.locator(".photo-buttons input[multiple]")).to_be_attached()
    # No server at all: the photos are taken in the cellar.
    files = [
        {"name": f"{at}.jpg", "mimeType": "image/jpeg", "buffer": photo_files.jpeg(100 + at, 90)}
        for at in range(PHOTOS)
    ]
    anna.page.locator(".photo-buttons input[multiple]").set_input_files(files)  # type: ignore[arg-type]
    expect(anna.page.locator(".photo-small.waits")).to_have_count(PHOTOS)

    def arrived() -> list[int]:
        return sorted(photo["width"] for photo in anna.get(f"/orders/{order}/photos")["photos"])

    def has_arrived(number: int) -> bool:
        return len(arrived()) >= number

    for number in (PHOTOS // 5, PHOTOS // 2):
        with serving(database, tmp_path, port) as server:
            wake(anna)
            anna.until(partial(has_arrived, number))
            server.kill()
        end_leases(database)
    with serving(database, tmp_path, port):
        wake(anna)
        anna.until(lambda: len(arrived()) >= PHOTOS)
        expect(anna.page.locator(".photo-small.waits")).to_have_count(0)
        assert arrived() == [100 + at for at in range(PHOTOS)]
        for photo in anna.get(f"/orders/{order}/photos")["photos"]:
            assert api.get(f"/photos/{photo['id']}/image").status_code == 200
    api.close()
    anna.context.close()


def end_leases(database: str) -> None:
    """As two minutes later: what was in progress when the server was killed can be sent again."""
    with contextlib.closing(sqlite3.connect(database.removeprefix("sqlite:///"))) as opened, opened:
        opened.execute("UPDATE idempotency_keys SET ends_at = '' WHERE status IS NULL")


def wake(person: Craftsperson) -> None:
    """The phone is taken in the hand: nothing waits for the next attempt."""
    person.page.evaluate("dispatchEvent(new Event('online'))")
