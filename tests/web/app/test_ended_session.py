"""The sheet of an ended session: it waits for later, and the sign brings it back."""

from playwright.sync_api import expect

from tests.web.app.conftest import OpenApp


def test_the_sheet_of_an_ended_session_can_wait_and_comes_back(open_app: OpenApp) -> None:
    anna = open_app()
    anna.post("/workshops/{workshop}/orders", {"title": "Oak bench"})
    anna.open("/")
    anna.sees("Oak bench")
    anna.expects(401)
    anna.context.clear_cookies()
    anna.tap("Start")
    sheet = anna.page.get_by_role("dialog", name="Sign in again")
    expect(sheet).to_be_visible()
    sheet.get_by_role("button", name="Later").click()
    expect(sheet).to_have_count(0)
    # The board can be read and the change waits.
    anna.tap("In progress", role="tab")
    anna.sees("Oak bench")
    anna.tap("Signed out")
    anna.sees("Your session has ended. What you change stays here")
    anna.tap("Sign in", exact=True)
    expect(sheet).to_be_visible()
