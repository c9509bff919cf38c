"""The whole way of a first estimate, on two phones: from sign-up to the order that was collected.

The client asks, gets a second revision, and accepts it. The craftsperson looks nothing up outside the board, and the
taps and fields are counted.
"""

import re

import pytest

from tests.people import PASSWORD
from tests.web.contexts import Contexts
from tests.web.firefox import Firefox
from tests.web.open_sign_up import OpenSignUpServer
from tests.web.whole_way.phones import FirefoxPhone, Phone, chromium_phone

# Most taps and fields of each part.
SENT = (22, 6)
ORDERED = (1, 0)
JOINED = (3, 2)
_LOOK_AGAIN = "() => void document.dispatchEvent(new Event('visibilitychange'))"


def assert_at_most(counted: tuple[int, int], most: tuple[int, int]) -> None:
    """Taps and fields."""
    assert counted[0] <= most[0]
    assert counted[1] <= most[1]


def send_first_estimate(anna: Phone, server: OpenSignUpServer, email: str) -> str:
    """From the sign-in page to the address that the client has got."""
    anna.open(f"{server.url}/sign-in")
    anna.tap("Create an account")
    anna.write("Your name", "Ellen Byrne")
    anna.write("Email", email)
    anna.tap("Create the account")
    anna.sees("Check your inbox")
    anna.open(server.link_to(email))
    # The link in the mail is touched, too.
    anna.taps += 1
    anna.write("Password", PASSWORD)
    anna.tap("Confirm and sign in")
    anna.write("What’s your workshop called?", "Harrow & Thread")
    anna.tap("Upholstery")
    anna.tap("Chairs and armchairs")
    for tile, price in (("Dining chair seat, reupholstery", "90"), ("Armchair reupholstery", "45")):
        anna.tap(tile)
        for digit in price:
            anna.tap(digit)
    anna.tap("Send")
    anna.write("Name", "Aoife Kelly")
    anna.tap("Send €135.00")
    # Asked once, before the first confirmation.
    anna.sees("Do you charge VAT?")
    anna.tap("23%")
    anna.sees("Are your prices with VAT?")
    anna.tap("Send €135.00")
    anna.tap("Share the message with the link")
    anna.sees("Message shared")
    message: str = anna.evaluate("() => window.shared.at(-1)")
    assert "€135.00" in message
    assert "just reply" not in message
    assert_at_most((anna.taps, anna.fields), SENT)
    return str(re.findall(r"http\S+/e/#\S+", message)[0])


def ask(client: Phone, address: str) -> None:
    client.open(address)
    client.sees("Total incl. VAT")
    client.write("Your question or comment", "Is it without the armchair, too?")
    client.tap("Send")
    client.sees("Sent. The workshop will be notified.")


def answer_and_revise(anna: Phone, client: Phone) -> None:
    """The question is counted on another page, and stands on the board with its one next step."""
    anna.sees("(1) Estimates")
    assert 1 in anna.evaluate("() => window.badges")
    # On the ticket of the estimate, too.
    anna.sees("ASKED")
    anna.tap("Board")
    anna.sees("Aoife Kelly asks")
    anna.tap("Answer")
    anna.write("Your answer", "It is: here you are.")
    anna.tap("Answer on the client’s page")
    anna.sees("Answer once more")
    client.evaluate(_LOOK_AGAIN)
    # The notice of it goes by itself after seconds: what is looked for is what stays.
    client.sees("It is: here you are.")
    anna.tap("Revise")
    anna.tap("Armchair reupholstery")
    anna.tap("Delete")
    anna.tap("Send")
    anna.tap("Send €90.00")
    anna.sees("Share the message with the link")


def accept(client: Phone) -> None:
    client.evaluate(_LOOK_AGAIN)
    client.sees("€135.00 → €90.00")
    client.tap("Accept the estimate")
    client.write("Your name", "Aoife Kelly")
    client.tap("Draw my signature as well")
    client.sign()
    client.tap("I agree")
    client.tap("Order with obligation to pay")
    client.sees("Thank you! The estimate has been accepted.")


def fulfil(anna: Phone) -> None:
    """The board says what happened, and the order goes its way on it."""
    anna.tap("Back")
    anna.tap("Back")
    anna.sees("Aoife Kelly accepted")
    taps, fields = anna.taps, anna.fields
    anna.tap("Order")
    anna.sees("Order created")
    assert_at_most((anna.taps - taps, anna.fields - fields), ORDERED)
    # Nobody gave the estimate a name: both are called after its line.
    anna.sees("Dining chair seat, reupholstery")
    anna.tap("Start")
    anna.tap("Ready")
    anna.tap("I called")
    anna.tap("Collected")
    # Something is due: asked once.
    anna.tap("Cash")
    anna.sees("collected")


def walk(anna: Phone, client: Phone, server: OpenSignUpServer, email: str) -> None:
    address = send_first_estimate(anna, server, email)
    anna.tap("Done")
    ask(client, address)
    answer_and_revise(anna, client)
    accept(client)
    fulfil(anna)


def test_the_whole_way_in_chromium(contexts: Contexts, server: OpenSignUpServer) -> None:
    with chromium_phone(contexts, server.url) as anna, chromium_phone(contexts, server.url) as client:
        walk(anna, client, server, "ellen@chromium.example")


# What only Firefox shows of storage, locks and the service worker is in test_firefox.py, on every run.
@pytest.mark.all_only
def test_the_whole_way_in_firefox(fox: Firefox, server: OpenSignUpServer) -> None:
    walk(FirefoxPhone(fox), FirefoxPhone(fox), server, "ellen@firefox.example")
    assert fox.rejected == []


def test_an_invited_person_is_on_the_board_of_the_team_after_three_taps(
    contexts: Contexts, server: OpenSignUpServer
) -> None:
    with chromium_phone(contexts, server.url) as marek:
        link = server.invite("marek@example.net", order="Oak table")
        marek.open(link)
        # The link in the mail.
        marek.taps += 1
        marek.write("Name", "Marek Lis")
        marek.write("Password", PASSWORD)
        marek.tap("Join the workshop")
        marek.sees("Oak table")
        assert_at_most((marek.taps, marek.fields), JOINED)
