"""Migration to stored documents: revisions from before keep what their documents showed."""

from collections.abc import Callable
from datetime import date

import pytest

from backbench.engine.database import Write
from backbench.engine.urls import open_database
from backbench.estimating import document_settings, revisions
from backbench.estimating.revisions import revision_totals
from tests.support.counted_data import surplus

pytestmark = pytest.mark.both_engines

_SETTINGS = '{"currency":"PLN","address":"ul. \\"Dębowa\\" 7","taxPercent":7.25,"validDays":%s}'


async def fill(db: Write) -> None:
    """A Polish owner with two workshops, each with an estimate that is confirmed."""
    await db.run(
        """
        INSERT INTO accounts (id, email, email_key, name, locale, status, created_at)
        VALUES ('u', 'a@example.com', 'a@example.com', 'Anna', 'pl', 'active', 't')
        """
    )
    for id_, days in (("w", 10), ("v", 0)):
        await db.run(
            """
            INSERT INTO workshops (id, name, tagline, logo, crafter_name, crafter_avatar_seed, background, title_font,
                accent_color, plan, is_default, document_settings, created_at)
            VALUES (:id, 'Dąb "i" Buk', 'Meble', '🪵', 'Jan', 's', 'paper', 'serif', NULL, 'free', 1, :settings, 't')
            """,
            id=id_,
            settings=_SETTINGS % days,
        )
        await db.run("INSERT INTO members VALUES (:id, 'u', 'owner', 't')", id=id_)
        await db.run("INSERT INTO workshop_counters (workshop_id, data_bytes) VALUES (:id, 0)", id=id_)
        await db.run(
            """
            INSERT INTO estimates (workshop_id, created_at, id, name, markup_percent, discount_percent, line_items,
                updated_at, latest_revision) VALUES (:id, 't', 'e' || :id, 'Stół', '0', '0', '[]', 't', 1)
            """,
            id=id_,
        )
        await db.run(
            """
            INSERT INTO revisions (workshop_id, estimate_id, revision_number, id, created_at, created_by_uid, name,
                recipient_name, markup_percent, discount_percent, line_items, terms)
            VALUES (:id, 'e' || :id, 1, 'r' || :id, '2026-11-21T23:48:00.000Z', 'u', 'Stół', 'Halina', '0', '0',
                '[{"id":"a","label":"Dąb","unit":"job","unitPrice":100,"quantity":1}]', :terms)
            """,
            id=id_,
            terms='{"currency":"EUR","taxPercent":23,"taxLabel":""}' if id_ == "w" else None,
        )


async def test_revisions_from_before_have_the_dates_that_their_documents_showed(
    empty_database_url: Callable[[], str],
) -> None:
    db = open_database(empty_database_url())
    await db.migrate(14)
    await db.write(fill)
    await db.migrate()
    async with db.read() as read:
        assert (await document_settings.find(read, "w")).time_zone == "Europe/Warsaw"
        for workshop in ("v", "w"):
            assert await surplus(read, workshop) == 0
        with_terms = await revisions.find_confirmed(read, "ew", 1)
        oldest = await revisions.find_confirmed(read, "ev", 1)
    await db.close()
    snapshot = with_terms.snapshot
    assert (snapshot.name, snapshot.settings.address) == ('Dąb "i" Buk', 'ul. "Dębowa" 7')
    assert (snapshot.issued_on, snapshot.valid_until, snapshot.number) == (date(2026, 11, 21), date(2026, 12, 1), "")
    assert oldest.snapshot.valid_until is None
    totals = [revision_totals(confirmed) for confirmed in (with_terms, oldest)]
    assert [(each.currency, str(each.tax)) for each in totals] == [("EUR", "23"), ("PLN", "7.25")]
