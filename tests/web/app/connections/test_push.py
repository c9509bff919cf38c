"""Phone notifications in the web app: asked for on a tap alone, chosen, shown by the worker, opened in the same page.

The browser of the tests has no push service: its subscription is put in its place. The service worker is the real one
where something is subscribed first, and where messages arrive.
"""

import json
import re
from typing import Any

import httpx
import pytest
from playwright.sync_api import Page, Worker

from tests.web.app.conftest import OpenApp
from tests.web.app.craftspeople import Craftsperson, expect
from tests.web.contexts import BLANK

PATH = "/shop/connections/push"
# A browser whose push service is the page itself. `said` is what the person answered.
SERVICE = """
(() => {
  const bytes = (text) =>
    Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (each) => each.charCodeAt(0)).buffer;
  const keys = {
    p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
    auth: "BTBZMqHH6r4Tts7J_aSIgg",
  };
  const storage = () => location.protocol === "about:" ? {} : localStorage;
  const kept = () => storage().testEndpoint ? subscription(storage().testEndpoint) : null;
  const subscription = (endpoint) => ({
    endpoint,
    options: { applicationServerKey: bytes(storage().testKey) },
    getKey: (name) => bytes(keys[name]),
    unsubscribe: async () => delete storage().testEndpoint,
  });
  window.asked = 0;
  Object.defineProperty(Notification, "permission", { get: () => storage().testSaid ?? "default" });
  Notification.requestPermission = async () => {
    window.asked += 1;
    return storage().testSaid = "ANSWER";
  };
  if (!("serviceWorker" in navigator)) {
    // For pages without the worker: one that is registered, and never new.
    const registration = { pushManager: PushManager.prototype };
    Object.defineProperty(navigator, "serviceWorker", { configurable: true, value: Object.assign(new EventTarget(), {
      controller: null, ready: Promise.resolve(registration), startMessages() {},
      getRegistration: async () => registration, register: () => new Promise(() => {}),
    }) });
  }
  PushManager.prototype.getSubscription = async () => kept();
  PushManager.prototype.subscribe = async ({ applicationServerKey }) => {
    storage().testKey = btoa(String.fromCharCode(...applicationServerKey));
    storage().testEndpoint ??= `https://push.example/send/${crypto.randomUUID()}`;
    return kept();
  };
})();
"""


def with_service(person: Craftsperson, answer: str = "granted") -> Page:
    person.context.add_init_script(SERVICE.replace("ANSWER", answer))
    return person.page


def subscriptions(person: Craftsperson) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = person.api.get("/me/push-subscriptions").json()["subscriptions"]
    return found


def test_it_is_asked_on_a_tap_and_quiet_until_somebody_chooses(open_phone: OpenApp) -> None:
    anna = open_phone(has_worker=True)
    page = with_service(anna)
    anna.open("/")
    anna.open(PATH)
    switch_on = page.get_by_role("button", name="Turn on on this device")
    expect(switch_on).to_be_visible()
    assert page.evaluate("window.asked") == 0
    assert subscriptions(anna) == []
    switch_on.click()
    expect(page.get_by_text("On, on this device")).to_be_visible()
    assert page.evaluate("window.asked") == 1
    [made] = subscriptions(anna)
    assert (made["kinds"], made["details"]) == (["question", "accepted", "declined"], False)
    page.get_by_role("switch", name="Due today").check()
    expect(page.get_by_role("switch", name="Question")).to_be_enabled()
    page.get_by_role("switch", name="Question").uncheck()
    expect(page.get_by_role("switch", name="Accepted")).to_be_enabled()
    page.get_by_role("switch", name="Say who and what").check()
    expect(page.get_by_role("switch", name="Accepted")).to_be_enabled()
    [changed] = subscriptions(anna)
    assert (changed["id"], changed["kinds"], changed["details"]) == (
        made["id"],
        ["accepted", "declined", "due_today"],
        True,
    )
    page.get_by_role("button", name="Send a test message").click()
    expect(page.get_by_role("main").get_by_text("It arrives within a few seconds")).to_be_visible()
    page.get_by_role("button", name="Turn off").click()
    expect(switch_on).to_be_visible()
    assert subscriptions(anna) == []
    assert page.evaluate("localStorage.testEndpoint ?? null") is None


def test_a_no_is_not_asked_about_again(open_phone: OpenApp) -> None:
    jan = open_phone("pl")
    page = with_service(jan, "denied")
    jan.open(PATH)
    page.get_by_role("button", name="Włącz na tym urządzeniu").click()
    expect(page.get_by_text("Zezwól na nie w jej ustawieniach")).to_be_visible()
    jan.open(PATH)
    expect(page.get_by_text("Zezwól na nie w jej ustawieniach")).to_be_visible()
    assert page.evaluate("window.asked") == 0
    assert subscriptions(jan) == []


def test_messages_go_on_after_the_next_sign_in_and_end_with_a_sign_out(open_phone: OpenApp) -> None:
    anna = open_phone()
    page = with_service(anna)
    anna.open(PATH)
    page.get_by_role("button", name="Turn on on this device").click()
    expect(page.get_by_text("On, on this device")).to_be_visible()
    # Without a connection nothing is switched.
    anna.context.set_offline(True)
    page.evaluate("dispatchEvent(new Event('offline'))")
    expect(page.get_by_role("switch", name="Question")).to_be_disabled()
    expect(page.get_by_role("button", name="Send a test message")).to_be_disabled()
    anna.context.set_offline(False)
    # Another session in the same browser, as after one that expired.
    # The page is left before: what it asks for with the session that ends would be rejected.
    page.goto(anna.url + BLANK)
    cookies = httpx.Cookies(anna.api.cookies)
    anna.api.post("/authenticate", json={"email": anna.email, "password": "a plane and a saw"}).raise_for_status()
    anna.api.headers["x-csrf-token"] = anna.api.cookies["csrf-token"]
    assert (subscriptions(anna), cookies["session"] != anna.api.cookies["session"]) == ([], True)
    anna.take_session()
    anna.open(PATH)
    expect(page.get_by_text("On, on this device")).to_be_visible()
    [again] = subscriptions(anna)
    assert (again["kinds"], page.evaluate("window.asked")) == (["question", "accepted", "declined"], 0)
    anna.open("/shop")
    page.get_by_role("button", name="Sign out").click()
    expect(page.locator("input[type=password]")).to_be_visible()
    assert page.evaluate("[localStorage.testEndpoint ?? null, localStorage['backbench-push'] ?? null]") == [None, None]


def worker_of(person: Craftsperson) -> Worker:
    """The running service worker, in which nothing is shown and no window is opened, but both are noted."""
    person.page.evaluate(
        """() => new Promise((resolve) => {
          navigator.serviceWorker.addEventListener("controllerchange", resolve);
          if (navigator.serviceWorker.controller) resolve();
        })"""
    )
    [worker] = person.context.service_workers
    worker.evaluate(
        """() => {
          self.shown = [];
          self.opened = [];
          self.registration.showNotification = async (title, options) => void self.shown.push({ title, ...options });
          self.clients.openWindow = async (url) => void self.opened.push(url);
          WindowClient.prototype.focus = async function () { self.opened.push("focus"); return this; };
        }"""
    )
    return worker


# As the browser does, which needs a push service or a finger for it. Resolves when the work of the event is done.
_DISPATCH = """([type, members]) => new Promise((resolve, reject) => {
  const event = new ExtendableEvent(type);
  Object.assign(event, members);
  if (type === "push") event.data = { text: () => members.text };
  else event.notification = { close() {}, data: members.data };
  event.waitUntil = (work) => work.then(resolve, reject);
  self.dispatchEvent(event);
})"""


def push(worker: Worker, text: str) -> None:
    worker.evaluate(_DISPATCH, ["push", {"text": text}])


def tap(worker: Worker, address: str) -> None:
    worker.evaluate(_DISPATCH, ["notificationclick", {"data": address}])


def test_the_worker_shows_messages_and_opens_their_screen_in_the_page_that_is_open_and_no_other(
    open_phone: OpenApp,
) -> None:
    anna = open_phone(has_worker=True)
    page = anna.page
    order = anna.api.post(f"/workshops/{anna.workshop}/orders", json={"title": "Oak table"}).json()
    anna.open("/")
    worker = worker_of(anna)
    notification = {
        "title": "A question",
        "lang": "en",
        "dir": "ltr",
        "body": "Anna",
        "navigate": f"https://office.example/orders/{order['id']}",
        "tag": f"question.{order['id']}",
    }
    push(worker, json.dumps({"web_push": 8030, "notification": notification}).ljust(1536))
    # Anything has to be shown, or the browser ends the subscription.
    push(worker, "")
    first, second = worker.evaluate("self.shown")
    assert (first["title"], first["body"], first["tag"]) == ("A question", "Anna", notification["tag"])
    assert second["title"] == "Backbench"
    page.evaluate("window.isTheSame = true")
    tap(worker, first["data"])
    expect(page.get_by_role("heading", name="Oak table")).to_be_visible()
    assert page.evaluate("[location.pathname, window.isTheSame]") == [f"/orders/{order['id']}", True]
    assert worker.evaluate("self.opened") == ["focus"]
    assert len(anna.context.pages) == 1
    # The page of a client is left alone.
    anna.page.goto(f"{anna.url}/e/")
    tap(worker, "https://office.example/orders/1")
    assert worker.evaluate("self.opened") == ["focus", "/orders/1"]
    assert anna.page.url == f"{anna.url}/e/"


@pytest.mark.parametrize(("locale", "words"), [("en", "Add to Home Screen"), ("pl", "Do ekranu początkowego")])
def test_an_iphone_says_that_it_needs_the_home_screen(open_phone: OpenApp, locale: str, words: str) -> None:
    person = open_phone(locale)
    person.context.add_init_script("Object.defineProperty(navigator, 'userAgent', { value: 'Mozilla/5.0 (iPhone)' })")
    person.open(PATH)
    expect(person.page.get_by_text(words)).to_be_visible()
    expect(person.page.get_by_role("button", name=re.compile("Turn on|Włącz"))).to_have_count(0)
