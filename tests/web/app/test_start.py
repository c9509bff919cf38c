"""The app around its screens: what is loaded later, its next version, where a screen begins, the browser's own bar."""

from playwright.sync_api import Route

from backbench.site.site import site
from tests.web.app.conftest import OpenApp
from tests.web.app.craftspeople import DESK, Craftsperson, expect

_LATER = ("**/state/*.js", "**/press-guard.js")
_VERSIONS = next(path for path, code in site().app.files.items() if b"const $state_versions =" in code)
# The app starts to look for one only when it has loaded the rest.
_NEXT_VERSION = """async (versions) => {
    const main = document.querySelector("script[type=module]").src;
    const [{ $state_status }, { $state_versions }] = await Promise.all(
        [main, main.replace("main.js", versions)].map((file) => import(file)),
    );
    $state_versions.startVersions();
    $state_status.nextVersion.value = () => (window.isTaken = true);
}"""
# `passed` are the milliseconds that the clock is ahead; whether somebody is idle is looked at more often than usual.
_TWO_MINUTES_LATER = """
    const [now, repeat] = [performance.now.bind(performance), setInterval];
    [window.passed, window.looked] = [0, 0];
    performance.now = () => now() + window.passed;
    window.setInterval = (work, every) =>
        every === 5_000 ? repeat(() => (work(), window.looked += 1), 20) : repeat(work, every);
"""
_WAITING = """async () =>
    (await import(document.querySelector("script[type=module]").src)).$state_outbox.items.value.length"""
_GO = """async (path) => {
    const { $state_router } = await import(document.querySelector("script[type=module]").src);
    $state_router.go(path);
}"""
# The estimate whose ticket is in the middle of what is seen below the sign.
_IN_THE_MIDDLE = """[...document.querySelectorAll(".ticket")]
    .find((each) => each.getBoundingClientRect().bottom > 180)?.textContent"""
# As a browser chooses it: the first one whose condition holds.
_BAR = """[...document.querySelectorAll("meta[name=theme-color]")]
    .find(({ media }) => !media || matchMedia(media).matches).content"""


def test_a_first_start_asks_for_each_thing_once_and_for_few_scripts(open_app: OpenApp) -> None:
    """What is asked for while the app is loading is not asked for again. Each script costs a phone milliseconds."""
    anna = open_app()
    asked: list[str] = []
    scripts: list[str] = []
    anna.page.on("request", lambda request: asked.append(request.url.partition("/api/")[2]))
    anna.page.on("request", lambda request: scripts.append(request.url) if request.resource_type == "script" else None)
    anna.open()
    expect(anna.page.get_by_role("tab")).to_have_count(3)
    workshop = f"workshops/{anna.workshop}"
    once = ["boot", *(f"{workshop}/{path}" for path in ("estimates?limit=100", "grids", "inbox", "document-settings"))]
    once += [f"{workshop}/orders?status={status}" for status in ("todo", "in_progress", "done&limit=50")]
    anna.until(lambda: set(once) <= set(asked))
    assert {path: asked.count(path) for path in once} == dict.fromkeys(once, 1)
    # What has the state of the lists is not asked for besides.
    assert {"me", "workshops", f"{workshop}/changes"}.isdisjoint(asked)
    anna.page.wait_for_load_state("networkidle")
    # Two of the shell, the words, what changes are made with, the lists, the guard against second presses, one with all
    # the rest, and what an empty board shows.
    assert len(scripts) <= 8, scripts


def test_what_follows_the_first_screen_and_got_lost_is_loaded_when_the_person_tries_again(open_phone: OpenApp) -> None:
    anna = open_phone()
    is_connected = False
    lost: list[str] = []
    loaded: list[str] = []

    def answer(route: Route) -> None:
        if is_connected:
            return route.continue_()
        lost.append(route.request.url)
        return route.abort()

    for modules in _LATER:
        anna.page.route(modules, answer)
    anna.page.on("response", lambda response: loaded.append(response.url) if response.ok else None)
    anna.open()
    expect(anna.page.get_by_role("tab")).to_have_count(3)
    anna.sees("Part of this screen is missing.")
    anna.until(lambda: any("press-guard" in each for each in lost) and any("state/rest" in each for each in lost))
    is_connected = True
    anna.tap("Try again")
    anna.until(lambda: set(lost) <= set(loaded))


def test_the_next_version_comes_when_nobody_is_in_the_middle_of_something(open_phone: OpenApp) -> None:
    """Not while something is typed, open or sent; changes that wait do not keep it away."""
    anna = open_phone()
    estimate = anna.post("/workshops/{workshop}/estimates", {"name": "Chairs", "lineItems": []})["id"]
    anna.page.add_init_script(_TWO_MINUTES_LATER)

    def is_taken() -> bool:
        """After two minutes in which nobody touches anything."""
        anna.page.evaluate(_NEXT_VERSION, _VERSIONS)
        anna.page.evaluate("[window.passed, window.looked] = [120_000, 0]")
        anna.page.wait_for_function("() => window.isTaken || window.looked > 3")
        return bool(anna.page.evaluate("window.isTaken"))

    anna.open(f"/estimates/{estimate}/send")
    expect(anna.page.get_by_role("heading", name="Send the estimate")).to_be_visible()
    assert not is_taken()
    anna.open("/orders/new")
    anna.page.get_by_role("textbox").first.focus()
    assert not is_taken()
    anna.open("/shop/sign")
    expect(anna.page.get_by_role("textbox").first).to_be_visible()
    anna.page.route("**/workshops/*", lambda route: route.fulfill(status=500, headers={"X-Request-Id": "1"}))
    anna.page.get_by_role("textbox").first.fill("Oak and Son")
    anna.page.get_by_role("main").focus()
    anna.until(lambda: anna.page.evaluate(_WAITING) == 1)
    assert is_taken()
    anna.expects(500, "/workshops/[^/]+$")


def test_another_screen_begins_at_its_top_and_the_one_before_where_it_was_left(open_phone: OpenApp) -> None:
    anna = open_phone(screen=DESK)
    for number in range(25):
        anna.post("/workshops/{workshop}/estimates", {"name": f"Chair {number}", "lineItems": []})
    # A screen that was loaded before is drawn at once.
    anna.open("/shop")
    expect(anna.page.get_by_role("heading", level=1)).to_be_visible()
    anna.page.evaluate(_GO, "/estimates")
    expect(anna.page.locator(".ticket")).to_have_count(25)
    # Lower than the screen that is gone to.
    anna.page.set_viewport_size({"width": 1280, "height": 300})
    anna.page.evaluate("scrollTo(0, 900)")
    # What comes into sight gets its real height with the next frames, and moves the rest.
    anna.page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    left_at = anna.page.evaluate(_IN_THE_MIDDLE)
    anna.page.evaluate(_GO, "/shop")
    expect(anna.page.get_by_role("heading", level=1)).to_be_visible()
    anna.until(lambda: anna.page.evaluate("scrollY") == 0)
    anna.page.go_back()
    expect(anna.page.locator(".ticket")).to_have_count(25)
    # The browser estimates heights above what is seen, and keeps what is seen in its place when it learns of them.
    anna.until(lambda: bool(anna.page.evaluate(_IN_THE_MIDDLE) == left_at))


def test_the_bar_of_the_browser_has_the_colour_of_the_theme(open_phone: OpenApp) -> None:
    anna = open_phone()
    anna.open("/shop/account")
    assert colours(anna) == {"light": "#E9E2D6", "dark": "#161311"}
    anna.page.get_by_text("Dark", exact=True).click()
    assert colours(anna) == dict.fromkeys(("light", "dark"), "#161311")
    anna.page.get_by_text("Light", exact=True).click()
    assert colours(anna) == dict.fromkeys(("light", "dark"), "#E9E2D6")


def colours(person: Craftsperson) -> dict[str, str]:
    """The colour of the bar on a phone that is light or dark."""
    found = {}
    for scheme in ("light", "dark"):
        person.page.emulate_media(color_scheme=scheme)
        found[scheme] = person.page.evaluate(_BAR)
    return found


def test_the_sign_in_of_an_ended_session_can_wait_and_comes_back(open_app: OpenApp) -> None:
    anna = open_app()
    anna.post("/workshops/{workshop}/orders", {"title": "Oak bench"})
    anna.open("/")
    anna.sees("Oak bench")
    # As of an installation with a sign-in of Google.
    anna.page.evaluate("document.querySelector('meta[name=ways-in]').content += ' google'")
    anna.expects(401)
    anna.context.clear_cookies()
    # The page may have noticed by itself already: then the dialog is above the button.
    anna.button("Start").first.dispatch_event("click")
    dialog = anna.page.get_by_role("dialog", name="Sign in again")
    expect(dialog).to_be_visible()
    # Who has forgotten the password, or never had one, gets in from here.
    expect(dialog.get_by_role("link", name="Forgot your password?")).to_have_attribute("href", "/forgot-password")
    expect(dialog.get_by_role("link", name="Sign in with Google")).to_have_attribute("href", "/api/auth/google")
    dialog.get_by_role("button", name="Later").click()
    expect(dialog).to_have_count(0)
    # The board can be read and the change waits.
    anna.tap("In progress", role="tab")
    anna.sees("Oak bench")
    anna.tap("Signed out")
    anna.sees("Your session has ended. What you change stays here")
    anna.tap("Sign in", exact=True)
    expect(dialog).to_be_visible()


def test_a_start_that_nothing_answers_says_so_and_goes_on_with_the_first_answer(open_app: OpenApp) -> None:
    anna = open_app()
    anna.post("/workshops/{workshop}/orders", {"title": "Oak bench"})
    anna.context.route(f"{anna.url}/api/**", lambda route: route.abort())
    anna.open("/")
    # Nothing is stored here yet, and the cookies alone do not say whose page it is.
    anna.sees("This needs a connection.")
    anna.context.unroute(f"{anna.url}/api/**")
    anna.sees("Oak bench")


def test_what_comes_before_an_account_says_that_it_needs_a_connection(open_app: OpenApp) -> None:
    anna = open_app()
    anna.context.clear_cookies()
    for path in ("/sign-in", "/sign-up", "/forgot-password"):
        anna.open(path)
        sentence = anna.page.locator("form").get_by_text("This needs a connection.")
        expect(sentence).to_have_count(0)
        anna.context.set_offline(True)
        expect(sentence).to_be_visible()
        anna.context.set_offline(False)
        expect(sentence).to_have_count(0)
