"""Email delivery through a real SMTP server that rejects, stalls and disconnects, from one node and from two."""

import asyncio
import json
import socket
import stat
import sys
from collections import Counter
from collections.abc import AsyncIterator, Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest
import structlog

from backbench.billing.plans import PlanRules
from backbench.jobs.email_outbox import OutboxWorker
from backbench.jobs.email_renderer import EmailRenderer
from backbench.mail import outbox
from backbench.mail.messages import DeliveryError, Sender
from backbench.mail.outbox import FailingEmail, NewEmail, OutgoingEmail, QueuedEmail, render_email
from backbench.mail.smtp import SmtpTransport
from backbench.mail.transport import EmailTransport, FileTransport
from backbench.values import times
from backbench.values.ids import new_id
from tests.people import App, Person
from tests.support.databases import running_app
from tests.support.mailbox import parse_email, send_due_emails, text_of, token_in
from tests.support.providers.smtp_server import OK, PostOffice, certificate, post_office, tls_server

SENDER = Sender("", "https://office.example.com")
NOW = times.now()


def outgoing(to: str = "anna@example.com", **fields: Any) -> OutgoingEmail:
    content = render_email("verify", "en", "https://office.example.com/verify/#token=x")
    return OutgoingEmail(id=new_id(), to=to, created_at=NOW, content=content, **fields)


@pytest.fixture
async def office() -> AsyncIterator[PostOffice]:
    async with post_office() as opened:
        yield opened


@pytest.fixture
async def mailing(office: PostOffice, new_database_url: Callable[[], str]) -> AsyncIterator[App]:
    """A server whose emails go to `office`."""
    async with running_app(new_database_url(), smtp_url=office.url) as app:
        yield app


def outbox_worker(app: App, transport: EmailTransport, later: float = 0) -> OutboxWorker:
    """Another worker on the same database, whose clock is `later` seconds ahead."""
    return OutboxWorker(
        app.db,
        EmailRenderer("https://office.example.com", PlanRules()),
        transport,
        lambda: times.later(times.now(), later),
    )


async def ask_for_a_mail(person: Person) -> None:
    assert (await person.post("/password-resets", {"email": person.email})).status_code == 202


async def queued(app: App) -> int:
    async with app.db.read() as db:
        number: int = await db.value("SELECT count(*) FROM outbox WHERE failed_at IS NULL")
    return number


async def failed(app: App) -> list[FailingEmail]:
    async with app.db.read() as db:
        return [mail for mail in await outbox.list_failing(db) if mail.failed_at is not None]


async def waiting(app: App) -> tuple[float, str]:
    """The seconds until the only queued email is retried, and its last error."""
    async with app.db.read() as db:
        due_at = await db.value("SELECT due_at FROM outbox")
        error = await db.value("SELECT last_error FROM outbox")
    return times.seconds_between(times.now(), due_at), error


@pytest.mark.parametrize(
    ("locale", "subject", "words"),
    [
        ("en", "Reset your password", "You asked to reset your password"),
        ("pl", "Ustaw nowe hasło", "otrzymaliśmy prośbę o zmianę hasła"),
    ],
)
async def test_an_email_has_text_and_html_in_the_recipients_language(
    office: PostOffice, mailing: App, locale: str, subject: str, words: str
) -> None:
    anna = await mailing.person("Anna", locale=locale)
    await ask_for_a_mail(anna)
    await send_due_emails(mailing.backbench)
    [mail] = office.emails
    assert (mail["To"], mail["Subject"], mail["Content-Language"]) == (anna.email, subject, locale)
    assert mail["From"] == "Backbench <backbench@localhost>"
    assert mail["Auto-Submitted"] == "auto-generated"
    link = f"http://127.0.0.1:8000/reset/?lang={locale}#token={token_in(mail)}"
    assert f"\n{link}\n" in text_of(mail)
    assert f'href="{link}"' in text_of(mail, "html")
    assert words in text_of(mail)
    assert words in text_of(mail, "html")
    assert await queued(mailing) == 0


async def test_requesting_an_email_does_not_wait_for_the_smtp_server(office: PostOffice, mailing: App) -> None:
    office.may_go_on.clear()
    first, second = await mailing.person("Anna"), await mailing.person("Karol")
    await ask_for_a_mail(first)
    mailing.backbench.outbox_worker.start()
    async with asyncio.timeout(60):
        await office.is_receiving.wait()
        await ask_for_a_mail(second)
    assert office.emails == [], "the first is still being sent"
    office.may_go_on.set()
    await mailing.backbench.outbox_worker.stop()


async def test_a_rejected_recipient_ends_the_retries_and_is_recorded(office: PostOffice, mailing: App) -> None:
    anna = await mailing.person("Anna")
    office.answer_to_recipient = "550 5.1.1 No such person here"
    await ask_for_a_mail(anna)
    await send_due_emails(mailing.backbench)
    [failure] = await failed(mailing)
    assert (failure.kind, failure.email) == ("reset", anna.email)
    assert failure.last_error == "550 5.1.1 No such person here"
    assert await queued(mailing) == 0


@pytest.mark.both_engines
async def test_rejected_content_ends_the_retries(office: PostOffice, mailing: App) -> None:
    office.answer_to_content = "554 5.7.1 Looks like spam"
    await ask_for_a_mail(await mailing.person("Anna"))
    await send_due_emails(mailing.backbench)
    assert [failure.last_error for failure in await failed(mailing)] == ["554 5.7.1 Looks like spam"]


async def test_a_temporary_rejection_is_retried(office: PostOffice, mailing: App) -> None:
    anna = await mailing.person("Anna")
    office.answer_to_recipient = "451 4.7.1 Greylisted, come back"
    await ask_for_a_mail(anna)
    await send_due_emails(mailing.backbench)
    seconds, error = await waiting(mailing)
    assert 25 < seconds <= 30
    assert error == "451 4.7.1 Greylisted, come back"
    office.answer_to_recipient = OK
    assert not await mailing.backbench.outbox_worker.send_next(), "not before it is due"
    assert await outbox_worker(mailing, SmtpTransport(office.url, SENDER), later=31).send_next()
    assert len(office.to(anna.email)) == 1


@pytest.mark.both_engines
async def test_a_server_that_does_not_reply_is_retried(office: PostOffice, mailing: App) -> None:
    office.delay = 5
    await ask_for_a_mail(await mailing.person("Anna"))
    assert await outbox_worker(mailing, SmtpTransport(office.url, SENDER, content_seconds=0.2)).send_next()
    seconds, error = await waiting(mailing)
    assert 0 < seconds <= 30
    assert "timed out" in error.lower()


class Clock:
    """A clock of the test, which the loop of the server does not allow."""

    def __init__(self) -> None:
        self.skipped = 0.0
        loop = asyncio.get_running_loop()
        time = loop.time
        loop.time = lambda: time() + self.skipped  # type: ignore[method-assign]


def with_clock(send: Callable[[Clock, PostOffice], Coroutine[Any, Any, Any]]) -> Any:
    async def run() -> Any:
        clock = Clock()
        async with post_office() as office:
            return await send(clock, office)

    with asyncio.Runner(loop_factory=asyncio.SelectorEventLoop) as runner:
        return runner.run(run())


def test_a_server_that_replies_to_the_content_after_minutes_gets_no_duplicate() -> None:
    """It scans the content: RFC 5321 asks to wait for ten minutes. After the reply, nothing can fail any more."""

    async def send_slowly(clock: Clock, office: PostOffice) -> int:
        office.may_go_on.clear()
        office.may_leave.clear()
        sending = asyncio.create_task(SmtpTransport(office.url, SENDER).send(outgoing(), "verify"))
        await office.is_receiving.wait()
        clock.skipped += 590
        await asyncio.sleep(0.01)
        office.may_go_on.set()
        await asyncio.wait([sending, asyncio.ensure_future(office.is_leaving.wait())], return_when="FIRST_COMPLETED")
        clock.skipped += 590
        await sending
        office.may_leave.set()
        return len(office.emails)

    assert with_clock(send_slowly) == 1


@pytest.mark.parametrize("command", ["MAIL", "RCPT"])
def test_a_server_without_a_reply_before_the_content_is_left_soon(command: str) -> None:
    """It has nothing of the email: no later reply makes a duplicate of it."""

    async def send(clock: Clock, office: PostOffice) -> None:
        office.silent_at = command
        sending = asyncio.create_task(SmtpTransport(office.url, SENDER).send(outgoing(), "verify"))
        await office.has_command.wait()
        clock.skipped += 91
        async with asyncio.timeout(60):
            await sending

    with pytest.raises(DeliveryError) as error:
        with_clock(send)
    assert (error.value.is_permanent, error.value.reply) == (False, "timed out")


async def test_a_rejection_is_one_though_the_server_is_silent_after_it(office: PostOffice) -> None:
    office.silent_at = "RSET"
    office.answer_to_content = "554 5.7.1 Looks like spam"
    with pytest.raises(DeliveryError) as rejected:
        await SmtpTransport(office.url, SENDER, content_seconds=2).send(outgoing(), "verify")
    assert (rejected.value.is_permanent, rejected.value.reply) == (True, "554 5.7.1 Looks like spam")


@pytest.mark.both_engines
async def test_an_email_that_takes_the_server_minutes_delays_no_other(office: PostOffice, mailing: App) -> None:
    anna, karol = await mailing.person("Anna"), await mailing.person("Karol")
    await ask_for_a_mail(anna)
    of_anna, of_karol = office.may_go_on, asyncio.Event()
    of_anna.clear()
    office.when_delivered = of_karol.set
    mailing.backbench.outbox_worker.start()
    async with asyncio.timeout(60):
        await office.is_receiving.wait()
        office.may_go_on = asyncio.Event()
        office.may_go_on.set()
        await ask_for_a_mail(karol)
        await of_karol.wait()
    assert [mail["To"] for mail in office.emails] == [karol.email]
    of_anna.set()
    await mailing.backbench.outbox_worker.stop()
    assert {mail["To"] for mail in office.emails} == {anna.email, karol.email}


async def test_an_unreachable_server_is_retried(mailing: App) -> None:
    await ask_for_a_mail(await mailing.person("Anna"))
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        url = f"smtp://127.0.0.1:{unused.getsockname()[1]}"
        assert await outbox_worker(mailing, SmtpTransport(url, SENDER)).send_next()
    assert (await waiting(mailing))[0] > 0


async def test_a_wrong_smtp_password_is_retried(new_database_url: Callable[[], str]) -> None:
    async with post_office(login="shop:secret@") as office:
        office.is_login_right = False
        async with running_app(new_database_url(), smtp_url=office.url) as app:
            anna = await app.person("Anna")
            await ask_for_a_mail(anna)
            await send_due_emails(app.backbench)
            assert (await waiting(app))[0] > 0
            office.is_login_right = True
            assert await outbox_worker(app, SmtpTransport(office.url, SENDER), later=31).send_next()
            assert office.logins[-1] == ("shop", "secret")
            assert len(office.to(anna.email)) == 1


def test_retries_have_increasing_intervals_and_end_after_three_days() -> None:
    mail = QueuedEmail(new_id(), "reset", "anna@example.com", "en", None, None, "{}", NOW, 0)
    now, waits = NOW, []
    while True:
        mail = QueuedEmail(mail.id, "reset", mail.email, "en", None, None, "{}", NOW, mail.tries + 1)
        again = mail.next_try(now)
        if again is None:
            break
        waits.append(times.seconds_between(now, again))
        now = again
    assert waits[:5] == [30, 60, 120, 240, 480]
    assert max(waits) == 4 * 3600
    assert 2.5 * 86_400 < times.seconds_between(NOW, now) <= 3 * 86_400
    assert len(waits) < 40


async def test_an_email_is_given_up_after_three_days(office: PostOffice, mailing: App) -> None:
    office.answer_to_recipient = "451 Not now"
    await ask_for_a_mail(await mailing.person("Anna"))
    assert await outbox_worker(mailing, SmtpTransport(office.url, SENDER), later=3 * 86_400).send_next()
    assert [failure.last_error for failure in await failed(mailing)] == ["451 Not now"]
    await mailing.db.write(lambda db: outbox.delete_expired(db, times.later(times.now(), 29 * 86_400)))
    assert len(await failed(mailing)) == 1
    await mailing.db.write(lambda db: outbox.delete_expired(db, times.later(times.now(), 34 * 86_400)))
    assert await failed(mailing) == []


async def test_a_worker_killed_after_sending_causes_a_duplicate_with_the_same_id(
    office: PostOffice, mailing: App
) -> None:
    """Delivery is at least once: duplicates share a Message-ID, and the links of both are valid."""
    anna = await mailing.person("Anna")
    await ask_for_a_mail(anna)
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.integrations.outbox_process", mailing.backbench.settings.database_url, office.url
    )
    office.when_delivered = process.kill
    assert await process.wait() == -9
    office.when_delivered = lambda: None
    assert await queued(mailing) == 1, "not deleted from the outbox"
    assert not await mailing.backbench.outbox_worker.send_next(), "still claimed by the killed worker"
    assert await outbox_worker(mailing, SmtpTransport(office.url, SENDER), later=901).send_next()
    first, duplicate = office.to(anna.email)
    assert first["Message-ID"].partition("@")[0] == duplicate["Message-ID"].partition("@")[0]
    assert first["Date"] == duplicate["Date"]
    assert await queued(mailing) == 0
    new = {"token": token_in(first), "password": "a chisel and glue"}
    assert (await mailing.anonymous().post("/password-resets/confirm", new)).status_code == 204


async def test_two_nodes_share_the_outbox_without_duplicates(
    office: PostOffice, mailing: App, new_database_url: Callable[[], str]
) -> None:
    people = [await mailing.person("Anna") for _ in range(5)]
    for person in people * 6:
        await ask_for_a_mail(person)
    office.delay = 0.005
    async with running_app(mailing.backbench.settings.database_url, smtp_url=office.url) as other:
        await asyncio.gather(*[send_due_emails(app.backbench) for app in (mailing, other, mailing, other)])
    assert Counter(mail["To"] for mail in office.emails) == {person.email: 6 for person in people}
    assert len({mail["Message-ID"] for mail in office.emails}) == 30


@pytest.mark.both_engines
async def test_concurrent_workers_claim_an_email_once(mailing: App) -> None:
    await ask_for_a_mail(await mailing.person("Anna"))
    now = times.now()
    claims = await asyncio.gather(*[mailing.db.write(lambda db: outbox.claim(db, now, 300)) for _ in range(8)])
    assert sum(claim is not None for claim in claims) == 1


async def test_a_worker_whose_lease_ended_changes_nothing(mailing: App) -> None:
    await ask_for_a_mail(await mailing.person("Anna"))
    slow = await mailing.db.write(lambda db: outbox.claim(db, times.now(), 0))
    quick = await mailing.db.write(lambda db: outbox.claim(db, times.later(times.now(), 1), 300))
    assert slow is not None
    assert quick is not None
    assert not await mailing.db.write(lambda db: outbox.delete(db, slow))
    await mailing.db.write(lambda db: outbox.save_failure(db, slow, "too slow", NOW))
    assert await failed(mailing) == []
    assert await mailing.db.write(lambda db: outbox.delete(db, quick))


async def test_an_email_that_cannot_be_rendered_delays_no_other(office: PostOffice, mailing: App) -> None:
    anna = await mailing.person("Anna")

    async def add_broken(db: Any) -> None:
        await outbox.add(db, new_id(), NewEmail("verify", "eve@example.com", "en", anna.uid), NOW)
        await db.run("UPDATE accounts SET status = 'pending' WHERE id = :uid", uid=anna.uid)

    await mailing.db.write(add_broken)
    karol = await mailing.person("Karol")
    await ask_for_a_mail(karol)
    await send_due_emails(mailing.backbench)
    assert len(office.to(karol.email)) == 1
    assert (await waiting(mailing))[1] == "internal error: ValidationError"


async def test_stopping_waits_for_the_email_that_is_being_sent(office: PostOffice, mailing: App) -> None:
    anna = await mailing.person("Anna")
    await ask_for_a_mail(anna)
    office.may_go_on.clear()
    again = outbox_worker(mailing, SmtpTransport(office.url, SENDER))
    again.start()
    async with asyncio.timeout(60):
        await office.is_receiving.wait()
    stopping = asyncio.create_task(again.stop())
    await asyncio.sleep(0.1)
    assert not stopping.done()
    office.may_go_on.set()
    await stopping
    assert len(office.to(anna.email)) == 1
    assert await queued(mailing) == 0


@pytest.mark.both_engines
async def test_an_email_that_a_stop_interrupts_is_sent_by_the_next_server(office: PostOffice, mailing: App) -> None:
    """Not after the lease, and the stop does not wait for a server that is scanning the content."""
    await ask_for_a_mail(await mailing.person("Anna"))
    office.may_go_on.clear()
    sending = asyncio.create_task(mailing.backbench.outbox_worker.send_next())
    async with asyncio.timeout(60):
        await office.is_receiving.wait()
    sending.cancel()
    # A QUIT would wait for its reply for 20 seconds.
    await asyncio.wait([sending], timeout=10)
    assert sending.cancelled()
    seconds, error = await waiting(mailing)
    assert 0 < seconds <= 30
    assert error == "the server stopped"
    office.may_go_on.set()


async def test_an_email_that_the_server_has_is_sent_once_though_a_stop_interrupts_the_end(
    office: PostOffice, mailing: App
) -> None:
    await ask_for_a_mail(await mailing.person("Anna"))
    office.may_leave.clear()
    sending = asyncio.create_task(mailing.backbench.outbox_worker.send_next())
    async with asyncio.timeout(60):
        await office.is_leaving.wait()
    sending.cancel()
    assert await sending
    assert await queued(mailing) == 0
    office.may_leave.set()


async def test_logs_contain_neither_token_nor_address(office: PostOffice, mailing: App) -> None:
    anna = await mailing.person("Anna")
    await ask_for_a_mail(anna)
    with structlog.testing.capture_logs() as lines:
        await send_due_emails(mailing.backbench)
        office.answer_to_recipient = f"550 {anna.email} is unknown"
        await ask_for_a_mail(anna)
        await send_due_emails(mailing.backbench)
    logged = json.dumps(lines)
    assert [line["event"] for line in lines] == ["email sent", "email given up"]
    assert token_in(office.emails[0]) not in logged
    assert anna.email not in logged


# Transports


async def test_tls_is_used_if_it_is_offered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = certificate(tmp_path)
    monkeypatch.setenv("SSL_CERT_FILE", str(file))
    async with post_office(tls=tls_server(file), login="shop:p%40ss%3A@") as office:
        await SmtpTransport(office.url, SENDER).send(outgoing(), "verify")
        assert office.was_tls == [True]
        assert office.logins == [("shop", "p@ss:")]


async def test_smtps_is_tls_from_the_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = certificate(tmp_path)
    monkeypatch.setenv("SSL_CERT_FILE", str(file))
    async with post_office(tls=tls_server(file), is_tls_from_the_start=True) as office:
        await SmtpTransport(office.url, SENDER).send(outgoing(), "verify")
        assert len(office.emails) == 1


@pytest.mark.parametrize("is_tls_from_the_start", [False, True])
async def test_addresses_outside_ascii_are_delivered_over_tls(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_tls_from_the_start: bool
) -> None:
    """What the server supports is asked again once the connection is encrypted."""
    file = certificate(tmp_path)
    monkeypatch.setenv("SSL_CERT_FILE", str(file))
    async with post_office(tls=tls_server(file), is_tls_from_the_start=is_tls_from_the_start) as office:
        await SmtpTransport(office.url, SENDER).send(outgoing("łucja@example.com"), "verify")
        assert [message.rcpt_tos for message in office.envelopes] == [["łucja@example.com"]]


async def test_nothing_is_sent_to_a_server_with_an_untrusted_certificate(tmp_path: Path) -> None:
    async with post_office(tls=tls_server(certificate(tmp_path)), login="shop:secret@") as office:
        with pytest.raises(DeliveryError) as error:
            await SmtpTransport(office.url, SENDER).send(outgoing(), "verify")
        assert not error.value.is_permanent
        assert (office.logins, office.emails) == ([], [])


async def test_a_password_is_not_sent_over_an_unencrypted_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    real = socket.getaddrinfo

    def here(host: Any, *rest: Any, **named: Any) -> Any:
        return real("127.0.0.1" if host == "mail.example.com" else host, *rest, **named)

    monkeypatch.setattr(socket, "getaddrinfo", here)
    async with post_office(login="shop:secret@") as office:
        with pytest.raises(DeliveryError):
            await SmtpTransport(office.url.replace("127.0.0.1", "mail.example.com"), SENDER).send(outgoing(), "verify")
        assert (office.logins, office.emails) == ([], [])


async def test_addresses_outside_ascii_are_delivered(office: PostOffice) -> None:
    await SmtpTransport(office.url, SENDER).send(outgoing("łucja@müller.example"), "verify")
    await SmtpTransport(office.url, SENDER).send(outgoing("anna@müller.example"), "verify")
    assert [message.rcpt_tos for message in office.envelopes] == [
        ["łucja@xn--mller-kva.example"],
        ["anna@xn--mller-kva.example"],
    ]
    assert office.emails[0]["To"] == "łucja@xn--mller-kva.example"


async def test_servers_without_smtputf8_get_ascii_alone(office: PostOffice) -> None:
    """Domains in punycode, texts as encoded words: only what is before the @ cannot be written otherwise."""
    sent = outgoing("anna@müller.example", reply_to="jan@żółw.example")
    await SmtpTransport(office.url, SENDER).send(sent, "verify")
    (message,) = office.envelopes
    assert (message.smtp_utf8, (message.original_content or b"").isascii()) == (False, True)
    assert office.emails[0]["Reply-To"] == "jan@xn--w-uga1v8h.example"


@pytest.mark.parametrize("address", ["a..b@example.com", ".a@example.com", "a/b=c!d@example.com", "'@example.com"])
async def test_every_address_that_sign_up_accepts_can_be_delivered_to(office: PostOffice, address: str) -> None:
    await SmtpTransport(office.url, SENDER).send(outgoing(address), "verify")
    assert [message.rcpt_tos for message in office.envelopes] == [[address]]


async def test_without_smtp_an_email_is_a_file_only_the_service_can_read(tmp_path: Path) -> None:
    sent = outgoing(to="łucja@müller.example", reply_to="anna@example.com")
    destination = await FileTransport(tmp_path / "mail", SENDER).send(sent, "verify")
    [file] = (tmp_path / "mail").iterdir()
    assert str(file) == destination
    assert file.suffix == ".eml"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    mail = parse_email(file.read_bytes())
    assert (mail["To"], mail["Reply-To"]) == ("łucja@xn--mller-kva.example", "anna@example.com")
    assert mail["Message-ID"] == f"<{sent.id}@office.example.com>"
    assert "The link works once and expires in 24 hours." in text_of(mail)


async def test_a_file_that_cannot_be_written_is_retried(tmp_path: Path) -> None:
    (tmp_path / "mail").write_text("not a folder")
    with pytest.raises(DeliveryError) as error:
        await FileTransport(tmp_path / "mail", SENDER).send(outgoing(), "verify")
    assert not error.value.is_permanent


def test_text_of_an_email_cannot_add_a_header() -> None:
    content = render_email("invitation", "en", "https://x", inviter="Eve\r\nBcc: a@b.c", workshop="Oak\nX-Evil: 1")
    message = SENDER.content(OutgoingEmail(id=new_id(), to="anna@example.com", created_at=NOW, content=content))
    headers, _, _ = message.partition(b"\r\n\r\n")
    assert b"Bcc:" not in headers.replace(b"Eve Bcc: a@b.c", b"")
    assert b"\nX-Evil" not in headers
    assert parse_email(message)["Bcc"] is None


def test_html_escapes_text() -> None:
    content = render_email("invitation", "en", "https://x/?a&b", inviter="<script>", workshop="“&”")
    assert "<script>" not in content.html
    assert 'href="https://x/?a&amp;b"' in content.html
    assert "<script>" in content.text
