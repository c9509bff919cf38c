"""Photos of an order in a browser: the camera, the queue without a connection, the viewer, what the customer sees."""

import json
from typing import Any

import httpx
from PIL import Image
from playwright.sync_api import Browser, Page, Route

from tests.support.photos import photo_files
from tests.web.app.conftest import OpenApp
from tests.web.app.craftspeople import DESK, Craftsperson, expect

# What the outbox has not sent yet.
WAITING = """() => import(document.querySelector("script[type=module]").src)
    .then((app) => app.$state_outbox.items.value.map(({ op }) => op))"""
CAMERA, GALLERY = ".photo-buttons input[capture]", ".photo-buttons input[multiple]"


def files(number: int, start: int = 0) -> list[Any]:
    """Photos that differ, as a browser's file chooser gives them."""
    return [
        {"name": f"{at}.jpg", "mimeType": "image/jpeg", "buffer": photo_files.jpeg(120 + at, 90)}
        for at in range(start, start + number)
    ]


def an_order(person: Craftsperson, title: str = "Gold ring") -> str:
    return str(person.post("/workshops/{workshop}/orders", {"title": title, "customerName": "Ewa"})["id"])


def photos_of(person: Craftsperson, order: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = person.get(f"/orders/{order}/photos")["photos"]
    return found


def shown(person: Craftsperson) -> Any:
    return person.page.locator(".photo-strip .photo-small")


def test_photos_are_shown_at_once_and_sent(open_app: OpenApp) -> None:
    anna = open_app()
    order = an_order(anna)
    anna.open(f"/orders/{order}")
    anna.page.locator(CAMERA).set_input_files(files(1))
    expect(shown(anna)).to_have_count(1)
    anna.page.locator(GALLERY).set_input_files(files(3, 1))
    anna.until(lambda: len(photos_of(anna, order)) == 4)
    expect(anna.page.locator(".photo-small.waits")).to_have_count(0)
    expect(shown(anna)).to_have_count(4)
    assert {photo["kind"] for photo in photos_of(anna, order)} == {"before"}


def test_a_photo_arrives_upright(open_app: OpenApp) -> None:
    anna = open_app()
    order = an_order(anna)
    anna.open(f"/orders/{order}")
    exif = Image.Exif()
    exif[0x0112] = 6
    large = photo_files.jpeg(3000, 1500, exif=exif)
    anna.page.locator(GALLERY).set_input_files({"name": "a.jpg", "mimeType": "image/jpeg", "buffer": large})
    anna.until(lambda: len(photos_of(anna, order)) == 1)
    [photo] = photos_of(anna, order)
    assert (photo["width"], photo["height"]) == (1024, 2048)


# How many photos wait in the database of this browser.
_STORED = """async () => {
    const result = request => new Promise((resolve, reject) => {
        [request.onsuccess, request.onerror] = [() => resolve(request.result), reject];
    });
    const found = (await indexedDB.databases()).find(({ name }) => name.includes("%40"));
    if (!found) return 0;
    const database = await result(indexedDB.open(found.name));
    const keys = await result(database.transaction("facts").objectStore("facts").getAllKeys());
    database.close();
    return keys.filter(key => key.startsWith("bytes:")).length;
}"""


def test_photos_taken_without_a_connection_arrive_once_each_also_after_the_app_was_closed(open_phone: OpenApp) -> None:
    anna = open_phone()
    order = an_order(anna)
    anna.open(f"/orders/{order}")
    expect(anna.page.locator(CAMERA)).to_be_attached()
    anna.context.set_offline(True)
    for at in range(5):
        anna.page.locator(CAMERA).set_input_files(files(1, at))
        expect(shown(anna)).to_have_count(at + 1)
    expect(anna.page.locator(".photo-small.waits")).to_have_count(5)
    assert photos_of(anna, order) == []
    # They are shown before they are stored.
    anna.until(lambda: anna.page.evaluate(_STORED) == 5)
    anna.page.close()
    anna.context.set_offline(False)
    # Another screen of the app: the photos are sent wherever one is.
    anna.page = anna.context.new_page()
    anna.open("/")
    anna.until(lambda: len(photos_of(anna, order)) == 5)
    anna.open(f"/orders/{order}")
    expect(shown(anna)).to_have_count(5)
    expect(anna.page.locator(".photo-small.waits")).to_have_count(0)
    assert sorted(photo["width"] for photo in photos_of(anna, order)) == [120, 121, 122, 123, 124]


def test_photos_of_an_order_that_the_server_does_not_have_yet_follow_it(open_app: OpenApp) -> None:
    anna = open_app()
    anna.open("/orders/new")
    anna.type("What", "Oak chair")
    anna.page.locator(CAMERA).set_input_files(files(1))
    anna.page.locator(CAMERA).set_input_files(files(1, 1))
    expect(shown(anna)).to_have_count(2)
    anna.context.set_offline(True)
    anna.page.locator(".foot button, footer button").last.click()
    anna.page.locator(".taken").wait_for()
    anna.page.wait_for_timeout(300)
    anna.context.set_offline(False)
    anna.until(lambda: len(anna.get("/workshops/{workshop}/orders")["orders"]) == 1)
    [order] = anna.get("/workshops/{workshop}/orders")["orders"]
    anna.until(lambda: len(photos_of(anna, order["id"])) == 2)


def test_an_intake_outlasts_the_page_and_ends_when_somebody_discards_it(open_phone: OpenApp) -> None:
    anna = open_phone()
    anna.keep_offers()
    anna.open("/orders/new")
    anna.type("What", "Oak chair")
    anna.page.locator(CAMERA).set_input_files(files(1))
    expect(shown(anna)).to_have_count(1)
    # It is shown before it is stored.
    anna.until(lambda: anna.page.evaluate(_STORED) == 1)
    anna.page.reload()
    expect(shown(anna)).to_have_count(1)
    what = anna.page.locator("input").first
    expect(what).to_have_value("Oak chair")
    anna.page.get_by_role("button", name="Discard").click()
    expect(shown(anna)).to_have_count(0)
    expect(what).to_have_value("")
    anna.page.get_by_role("button", name="Undo").click()
    expect(shown(anna)).to_have_count(1)
    expect(what).to_have_value("Oak chair")


def test_the_viewer_changes_what_is_recorded_of_a_photo(open_app: OpenApp) -> None:
    anna = open_app()
    order = an_order(anna)
    anna.open(f"/orders/{order}")
    anna.page.locator(GALLERY).set_input_files(files(2))
    anna.until(lambda: len(photos_of(anna, order)) == 2)
    expect(anna.page.locator(".photo-small.waits")).to_have_count(0)
    shown(anna).nth(1).click()
    expect(anna.page.locator(".viewer")).to_be_visible()
    expect(anna.page.get_by_text("2 / 2")).to_be_visible()
    anna.tap("Detail", exact=True)
    anna.page.locator(".viewer").get_by_label("Caption").fill("The claw")
    anna.page.locator(".viewer").get_by_role("switch").click()
    wanted = ("detail", "The claw", True)

    def recorded() -> tuple[Any, ...]:
        photo = photos_of(anna, order)[1]
        return (photo["kind"], photo.get("caption"), photo["shared"])

    anna.until(lambda: recorded() == wanted)
    second = photos_of(anna, order)[1]["id"]
    anna.tap("Use as cover")
    anna.until(lambda: photos_of(anna, order)[0]["id"] == second)
    anna.page.keyboard.press("Escape")
    expect(anna.page.locator(".viewer")).to_have_count(0)
    anna.open("/")
    cover = anna.page.locator(".ticket-cover")
    expect(cover).to_be_visible()
    # The stored summary has the cover of before until the next one comes.
    expect(cover).to_have_attribute("src", f"/api/photos/{second}/thumb")


def test_a_deleted_photo_comes_back(open_app: OpenApp) -> None:
    anna = open_app(screen=DESK)
    anna.keep_offers()
    order = an_order(anna)
    anna.open(f"/orders/{order}")
    anna.page.locator(GALLERY).set_input_files(files(2))
    anna.until(lambda: len(photos_of(anna, order)) == 2)
    expect(anna.page.locator(".photo-small.waits")).to_have_count(0)
    shown(anna).first.click()
    anna.page.locator(".viewer").get_by_role("button", name="Delete").click()
    expect(anna.page.get_by_text("1 / 1")).to_be_visible()
    anna.page.keyboard.press("Escape")
    anna.tap("Undo")
    expect(shown(anna)).to_have_count(2)
    assert len(photos_of(anna, order)) == 2


def test_a_photo_that_is_deleted_on_its_way_stays_deleted_until_it_is_taken_back(open_app: OpenApp) -> None:
    anna = open_app(screen=DESK)
    anna.keep_offers()
    order = an_order(anna)
    anna.open(f"/orders/{order}")
    held: list[Route] = []
    anna.page.route(
        "**/photos", lambda route: held.append(route) if route.request.method == "POST" else route.continue_()
    )
    anna.page.locator(GALLERY).set_input_files(files(1))
    anna.until(lambda: len(held) == 1)
    shown(anna).first.click()
    anna.page.locator(".viewer").get_by_role("button", name="Delete").click()
    with anna.page.expect_response(lambda response: response.request.method == "POST"):
        held[0].continue_()
    assert len(photos_of(anna, order)) == 1
    anna.until(lambda: anna.page.evaluate(WAITING) == ["orderPhotos.delete"])
    expect(shown(anna)).to_have_count(0)
    anna.tap("Undo")
    expect(shown(anna)).to_have_count(1)
    assert anna.page.evaluate(WAITING) == []


def test_a_file_that_is_no_photo_shows_why_and_can_be_deleted(open_app: OpenApp) -> None:
    anna = open_app()
    order = an_order(anna)
    anna.open(f"/orders/{order}")
    heic: Any = {"name": "IMG_1.heic", "mimeType": "image/heic", "buffer": photo_files.HEIC}
    anna.page.locator(GALLERY).set_input_files(heic)
    expect(anna.page.locator(".photo-small.refused")).to_have_count(1)
    shown(anna).first.click()
    anna.sees("Most compatible")
    anna.page.locator(".viewer").get_by_role("button", name="Delete").click()
    expect(shown(anna)).to_have_count(0)
    anna.expects(415, "/photos$")


def test_the_customer_sees_what_is_shared(open_app: OpenApp, browser: Browser) -> None:
    anna = open_app()
    order = an_order(anna)
    anna.open(f"/orders/{order}")
    anna.page.locator(GALLERY).set_input_files(files(2))
    anna.until(lambda: len(photos_of(anna, order)) == 2)
    first = photos_of(anna, order)[0]["id"]
    anna.api.patch(f"/photos/{first}", json={"shared": True, "caption": "Before we began"}).raise_for_status()
    url = anna.get(f"/orders/{order}/status-link")["url"]
    context = browser.new_context(locale="en-IE", viewport={"width": 390, "height": 844})
    page: Page = context.new_page()
    page.goto(url.replace(url.partition("/o/")[0], anna.url))
    expect(page.locator(".photo img")).to_have_count(1)
    page.wait_for_function("() => document.querySelector('.photo img').naturalWidth > 0")
    page.get_by_role("button", name="Before we began").click()
    page.wait_for_function("() => document.querySelector('dialog.large img').naturalWidth > 0")
    page.get_by_role("button", name="Close").click()
    expect(page.locator("dialog.large")).to_have_count(0)
    context.close()


def test_the_manifest_takes_photos_of_other_apps(open_app: OpenApp) -> None:
    anna = open_app()
    manifest = json.loads(httpx.get(f"{anna.url}/manifest.webmanifest", trust_env=False, verify=False, timeout=60).text)
    assert manifest["share_target"]["action"] == "/share"
    anna.open("/share")
    anna.sees("There are no photos to add.")
