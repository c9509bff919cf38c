"""Mails on their way: over a real SMTP server that also refuses, stalls and breaks off, from one node and from two."""

import asyncio
import json
import socket
import stat
import sys
from collections import Counter
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest
import structlog

from backbench.domain.mail.emails import Envelope, QueuedEmail, letter
from backbench.domain.values import times
from backbench.domain.values.ids import new_id
from backbench.integrations.mail import Carrier, Folder, NotDelivered, Sender, Smtp
from backbench.jobs.email_outbox import OutboxWorker
from backbench.jobs.email_renderer import Writer
from backbench.storage.operations import email_outbox
from backbench.storage.operations.email_outbox import FailingEmail
from tests.people import Person, Shop
from tests.support.engines import opened_shop
from tests.support.postbox import read, send_all, text_of, token_in
from tests.support.smtp_server import OK, PostOffice, certificate, post_office, tls_server

SENDER = Sender("", "https://office.example.com")
NOW = times.now()


def envelope(to: str = "anna@example.com", **fields: Any) -> Envelope:
    written = letter("verify", "en", "https://office.example.com/verify/#token=x")
    return Envelope(id=new_id(), to=to, at=NOW, letter=written, **fields)


@pytest.fixture
async def office() -> AsyncIterator[PostOffice]:
    async with post_office() as opened:
        yield opened


@pytest.fixture
async def mailing(office: PostOffice, new_database_url: Callable[[], str]) -> AsyncIterator[Shop]:
    """A shop that mails through the office."""
    async with opened_shop(new_database_url(), smtp_url=office.url) as shop:
        yield shop


def outbox_worker(shop: Shop, carrier: Carrier, later: float = 0) -> OutboxWorker:
    """Another postman of the shop, whose clock is `later` seconds ahead."""
    return OutboxWorker(shop.db, Writer("https://office.example.com"), carrier, lambda: times.later(times.now(), later))


async def ask_for_a_mail(person: Person) -> None:
    assert (await person.post("/password-resets", {"email": person.email})).status_code == 202


async def queued(shop: Shop) -> int:
    async with shop.db.read() as db:
        number: int = await db.value("SELECT count(*) FROM outbox WHERE failed_at IS NULL")
    return number


async def failed(shop: Shop) -> list[FailingEmail]:
    async with shop.db.read() as db:
        return [mail for mail in await email_outbox.list_failing(db) if mail.failed_at is not None]


async def waiting(shop: Shop) -> tuple[float, str]:
    """In how many seconds the one queued mail is tried again, and why it has to be."""
    async with shop.db.read() as db:
        due_at = await db.value("SELECT due_at FROM outbox")
        error = await db.value("SELECT last_error FROM outbox")
    return times.seconds_between(times.now(), due_at), error


@pytest.mark.parametrize(
    ("locale", "subject", "words"),
    [
        ("en", "Choose a new password", "You asked for a new password"),
        ("pl", "Ustaw nowe hasło", "prosisz o nowe hasło"),
    ],
)
async def test_a_mail_arrives_as_text_and_as_html_in_the_persons_language(
    office: PostOffice, mailing: Shop, locale: str, subject: str, words: str
) -> None:
    anna = await mailing.person("Anna", locale=locale)
    await ask_for_a_mail(anna)
    await send_all(mailing.app)
    [mail] = office.mails
    assert (mail["To"], mail["Subject"], mail["Content-Language"]) == (anna.email, subject, locale)
    assert mail["From"] == "Backbench <backbench@localhost>"
    assert mail["Auto-Submitted"] == "auto-generated"
    link = f"http://127.0.0.1:8000/reset/?lang={locale}#token={token_in(mail)}"
    assert f"\n{link}\n" in text_of(mail)
    assert f'href="{link}"' in text_of(mail, "html")
    assert words in text_of(mail)
    assert words in text_of(mail, "html")
    assert await queued(mailing) == 0


async def test_asking_for_a_mail_does_not_wait_for_the_mail_server(office: PostOffice, mailing: Shop) -> None:
    office.may_go_on.clear()
    first, second = await mailing.person("Anna"), await mailing.person("Karol")
    await ask_for_a_mail(first)
    mailing.app.outbox_worker.start()
    async with asyncio.timeout(60):
        await office.is_receiving.wait()
        await ask_for_a_mail(second)
    assert office.mails == [], "the first is still under way"
    office.may_go_on.set()
    await mailing.app.outbox_worker.stop()


async def test_a_refused_recipient_is_the_end_of_the_mail_and_is_kept(office: PostOffice, mailing: Shop) -> None:
    anna = await mailing.person("Anna")
    office.answer_to_recipient = "550 5.1.1 No such person here"
    await ask_for_a_mail(anna)
    await send_all(mailing.app)
    [failure] = await failed(mailing)
    assert (failure.kind, failure.email) == ("reset", anna.email)
    assert failure.last_error == "550 5.1.1 No such person here"
    assert await queued(mailing) == 0


async def test_refused_content_is_the_end_of_the_mail(office: PostOffice, mailing: Shop) -> None:
    office.answer_to_content = "554 5.7.1 Looks like spam"
    await ask_for_a_mail(await mailing.person("Anna"))
    await send_all(mailing.app)
    assert [failure.last_error for failure in await failed(mailing)] == ["554 5.7.1 Looks like spam"]


async def test_a_server_that_is_busy_gets_the_mail_later(office: PostOffice, mailing: Shop) -> None:
    anna = await mailing.person("Anna")
    office.answer_to_recipient = "451 4.7.1 Greylisted, come back"
    await ask_for_a_mail(anna)
    await send_all(mailing.app)
    seconds, error = await waiting(mailing)
    assert 25 < seconds <= 30
    assert error == "451 4.7.1 Greylisted, come back"
    office.answer_to_recipient = OK
    assert not await mailing.app.outbox_worker.send_next(), "not before it is due"
    assert await outbox_worker(mailing, Smtp(office.url, SENDER), later=31).send_next()
    assert len(office.to(anna.email)) == 1


async def test_a_server_that_does_not_answer_gets_the_mail_later(office: PostOffice, mailing: Shop) -> None:
    office.delay = 5
    await ask_for_a_mail(await mailing.person("Anna"))
    assert await outbox_worker(mailing, Smtp(office.url, SENDER, seconds=0.2)).send_next()
    seconds, error = await waiting(mailing)
    assert 0 < seconds <= 30
    assert "timed out" in error.lower()


async def test_a_server_that_is_not_there_gets_the_mail_later(mailing: Shop) -> None:
    await ask_for_a_mail(await mailing.person("Anna"))
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        url = f"smtp://127.0.0.1:{unused.getsockname()[1]}"
        assert await outbox_worker(mailing, Smtp(url, SENDER)).send_next()
    assert (await waiting(mailing))[0] > 0


async def test_a_wrong_password_of_ours_is_not_the_end_of_a_mail(new_database_url: Callable[[], str]) -> None:
    async with post_office(login="shop:secret@") as office:
        office.is_login_right = False
        async with opened_shop(new_database_url(), smtp_url=office.url) as shop:
            anna = await shop.person("Anna")
            await ask_for_a_mail(anna)
            await send_all(shop.app)
            assert (await waiting(shop))[0] > 0
            office.is_login_right = True
            assert await outbox_worker(shop, Smtp(office.url, SENDER), later=31).send_next()
            assert office.logins[-1] == ("shop", "secret")
            assert len(office.to(anna.email)) == 1


def test_tries_move_apart_and_end_after_three_days() -> None:
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


async def test_a_mail_is_given_up_after_three_days(office: PostOffice, mailing: Shop) -> None:
    office.answer_to_recipient = "451 Not now"
    await ask_for_a_mail(await mailing.person("Anna"))
    assert await outbox_worker(mailing, Smtp(office.url, SENDER), later=3 * 86_400).send_next()
    assert [failure.last_error for failure in await failed(mailing)] == ["451 Not now"]
    await mailing.db.write(lambda db: email_outbox.delete_expired(db, times.later(times.now(), 29 * 86_400)))
    assert len(await failed(mailing)) == 1
    await mailing.db.write(lambda db: email_outbox.delete_expired(db, times.later(times.now(), 34 * 86_400)))
    assert await failed(mailing) == []


async def test_a_process_that_dies_after_sending_sends_a_twin_with_the_same_id(
    office: PostOffice, mailing: Shop
) -> None:
    """At least once: the receiver can tell the twin by its Message-ID, and the links of both are good."""
    anna = await mailing.person("Anna")
    await ask_for_a_mail(anna)
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.integrations.lone_postman", mailing.app.settings.database_url, office.url
    )
    office.when_delivered = process.kill
    assert await process.wait() == -9
    office.when_delivered = lambda: None
    assert await queued(mailing) == 1, "nobody has noted that it was sent"
    assert not await mailing.app.outbox_worker.send_next(), "it is still the dead one's"
    assert await outbox_worker(mailing, Smtp(office.url, SENDER), later=301).send_next()
    first, twin = office.to(anna.email)
    assert first["Message-ID"].partition("@")[0] == twin["Message-ID"].partition("@")[0]
    assert first["Date"] == twin["Date"]
    assert await queued(mailing) == 0
    new = {"token": token_in(first), "password": "a chisel and glue"}
    assert (await mailing.visitor().post("/password-resets/confirm", new)).status_code == 204


async def test_two_nodes_share_the_mails_without_twins(
    office: PostOffice, mailing: Shop, new_database_url: Callable[[], str]
) -> None:
    people = [await mailing.person("Anna") for _ in range(5)]
    for person in people * 6:
        await ask_for_a_mail(person)
    office.delay = 0.005
    async with opened_shop(mailing.app.settings.database_url, smtp_url=office.url) as other:
        await asyncio.gather(*[send_all(shop.app) for shop in (mailing, other, mailing, other)])
    assert Counter(mail["To"] for mail in office.mails) == {person.email: 6 for person in people}
    assert len({mail["Message-ID"] for mail in office.mails}) == 30


async def test_one_mail_is_claimed_by_one_of_many(mailing: Shop) -> None:
    await ask_for_a_mail(await mailing.person("Anna"))
    now = times.now()
    claims = await asyncio.gather(*[mailing.db.write(lambda db: email_outbox.claim(db, now, 300)) for _ in range(8)])
    assert sum(claim is not None for claim in claims) == 1


async def test_whoever_was_too_slow_notes_nothing_about_anothers_mail(mailing: Shop) -> None:
    await ask_for_a_mail(await mailing.person("Anna"))
    slow = await mailing.db.write(lambda db: email_outbox.claim(db, times.now(), 0))
    quick = await mailing.db.write(lambda db: email_outbox.claim(db, times.later(times.now(), 1), 300))
    assert slow is not None
    assert quick is not None
    assert not await mailing.db.write(lambda db: email_outbox.delete(db, slow))
    await mailing.db.write(lambda db: email_outbox.save_failure(db, slow, "too slow", NOW))
    assert await failed(mailing) == []
    assert await mailing.db.write(lambda db: email_outbox.delete(db, quick))


async def test_a_mail_that_cannot_be_written_holds_up_no_other(office: PostOffice, mailing: Shop) -> None:
    anna = await mailing.person("Anna")

    async def add_broken(db: Any) -> None:
        await email_outbox.add(db, new_id(), "verify", "eve@example.com", "en", NOW, account_id=anna.uid, details="{}")
        await db.run("UPDATE accounts SET status = 'pending' WHERE id = :uid", uid=anna.uid)

    await mailing.db.write(add_broken)
    karol = await mailing.person("Karol")
    await ask_for_a_mail(karol)
    await send_all(mailing.app)
    assert len(office.to(karol.email)) == 1
    assert (await waiting(mailing))[1] == "fault of ours: ValidationError"


async def test_a_mail_under_way_is_finished_when_the_server_stops(office: PostOffice, mailing: Shop) -> None:
    anna = await mailing.person("Anna")
    await ask_for_a_mail(anna)
    office.may_go_on.clear()
    again = outbox_worker(mailing, Smtp(office.url, SENDER))
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


async def test_logs_tell_of_a_mail_without_its_secret(office: PostOffice, mailing: Shop) -> None:
    anna = await mailing.person("Anna")
    await ask_for_a_mail(anna)
    with structlog.testing.capture_logs() as lines:
        await send_all(mailing.app)
        office.answer_to_recipient = f"550 {anna.email} is unknown"
        await ask_for_a_mail(anna)
        await send_all(mailing.app)
    told = json.dumps(lines)
    assert [line["event"] for line in lines] == ["mail sent", "mail given up"]
    assert token_in(office.mails[0]) not in told
    assert anna.email not in told


# The carriers themselves


async def test_tls_is_used_where_it_is_offered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = certificate(tmp_path)
    monkeypatch.setenv("SSL_CERT_FILE", str(file))
    async with post_office(tls=tls_server(file), login="shop:p%40ss%3A@") as office:
        await Smtp(office.url, SENDER).carry(envelope(), "verify")
        assert office.was_tls == [True]
        assert office.logins == [("shop", "p@ss:")]


async def test_smtps_is_tls_from_the_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = certificate(tmp_path)
    monkeypatch.setenv("SSL_CERT_FILE", str(file))
    async with post_office(tls=tls_server(file), is_tls_from_the_start=True) as office:
        await Smtp(office.url, SENDER).carry(envelope(), "verify")
        assert len(office.mails) == 1


async def test_a_server_that_nobody_vouches_for_gets_nothing(tmp_path: Path) -> None:
    async with post_office(tls=tls_server(certificate(tmp_path)), login="shop:secret@") as office:
        with pytest.raises(NotDelivered) as trouble:
            await Smtp(office.url, SENDER).carry(envelope(), "verify")
        assert not trouble.value.is_final
        assert (office.logins, office.mails) == ([], [])


async def test_a_password_does_not_cross_the_network_in_the_clear(monkeypatch: pytest.MonkeyPatch) -> None:
    real = socket.getaddrinfo

    def here(host: Any, *rest: Any, **named: Any) -> Any:
        return real("127.0.0.1" if host == "mail.example.com" else host, *rest, **named)

    monkeypatch.setattr(socket, "getaddrinfo", here)
    async with post_office(login="shop:secret@") as office:
        with pytest.raises(NotDelivered):
            await Smtp(office.url.replace("127.0.0.1", "mail.example.com"), SENDER).carry(envelope(), "verify")
        assert (office.logins, office.mails) == ([], [])


async def test_addresses_of_every_script_are_reached(office: PostOffice) -> None:
    await Smtp(office.url, SENDER).carry(envelope("łucja@müller.example"), "verify")
    await Smtp(office.url, SENDER).carry(envelope("anna@müller.example"), "verify")
    assert [letter.rcpt_tos for letter in office.envelopes] == [
        ["łucja@xn--mller-kva.example"],
        ["anna@xn--mller-kva.example"],
    ]
    assert office.mails[0]["To"] == "łucja@xn--mller-kva.example"


@pytest.mark.parametrize("address", ["a..b@example.com", ".a@example.com", "a/b=c!d@example.com", "'@example.com"])
async def test_an_address_that_sign_up_takes_can_be_written_to(office: PostOffice, address: str) -> None:
    await Smtp(office.url, SENDER).carry(envelope(address), "verify")
    assert [letter.rcpt_tos for letter in office.envelopes] == [[address]]


async def test_without_a_server_a_mail_is_a_file_that_its_host_alone_can_read(tmp_path: Path) -> None:
    sent = envelope(to="łucja@müller.example", reply_to="anna@example.com")
    place = await Folder(tmp_path / "mail", SENDER).carry(sent, "verify")
    [file] = (tmp_path / "mail").iterdir()
    assert str(file) == place
    assert file.suffix == ".eml"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    mail = read(file.read_bytes())
    assert (mail["To"], mail["Reply-To"]) == ("łucja@xn--mller-kva.example", "anna@example.com")
    assert mail["Message-ID"] == f"<{sent.id}@office.example.com>"
    assert "The link works once, for 24 hours." in text_of(mail)


async def test_a_full_or_missing_disk_keeps_the_mail_for_later(tmp_path: Path) -> None:
    (tmp_path / "mail").write_text("not a folder")
    with pytest.raises(NotDelivered) as trouble:
        await Folder(tmp_path / "mail", SENDER).carry(envelope(), "verify")
    assert not trouble.value.is_final


def test_no_words_of_a_mail_can_add_a_header() -> None:
    written = letter("invitation", "en", "https://x", inviter="Eve\r\nBcc: a@b.c", workshop="Oak\nX-Evil: 1")
    message = SENDER.message(Envelope(id=new_id(), to="anna@example.com", at=NOW, letter=written))
    headers, _, _ = message.as_bytes().partition(b"\r\n\r\n")
    assert b"Bcc:" not in headers.replace(b"Eve Bcc: a@b.c", b"")
    assert b"\nX-Evil" not in headers
    assert read(message.as_bytes())["Bcc"] is None


def test_html_shows_words_as_they_are() -> None:
    written = letter("invitation", "en", "https://x/?a&b", inviter="<script>", workshop="“&”")
    assert "<script>" not in written.html
    assert 'href="https://x/?a&amp;b"' in written.html
    assert "<script>" in written.text
