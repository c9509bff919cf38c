"""CSV files of what a workshop works with: its customers, and the tiles of its grids. An import reads them again."""

from collections.abc import AsyncGenerator

from backbench.actions.operations.csv_files import begin, headings
from backbench.domain.accounts.calls import Call
from backbench.domain.customers.customers import Customer, CustomerFilter
from backbench.domain.estimating.grids import Grid
from backbench.domain.operations.csv_files import Cell, CsvQuery, lines, price
from backbench.domain.operations.csv_words import UNITS, WORDS
from backbench.domain.values.enums import DocumentLocale
from backbench.domain.values.pagination import UNPAGED
from backbench.integrations.temporary_files import TemporaryContent
from backbench.storage.customers import customers as stored_customers
from backbench.storage.engine.database import Database
from backbench.storage.estimating import grids

_CUSTOMERS = (
    "name", "customer_kind", "phone", "other_phones", "email", "other_emails", "address", "site_address", "tax_id",
    "locale", "note", "id",
)  # fmt: skip
_TILES = ("grid", "emoji", "label", "unit", "price", "currency", "id")


async def customers(db: Database, call: Call, workshop_id: str, query: CsvQuery) -> AsyncGenerator[bytes, None]:
    """Every customer by name. Raises NotFound, Forbidden."""
    async with TemporaryContent() as content:
        async with db.snapshot() as read:
            _, locale = await begin(read, call, workshop_id, query.locale)
            await content.write(headings(_CUSTOMERS, locale))
            listed = stored_customers.of_workshop(workshop_id, CustomerFilter())
            async for page in listed.pieces(read, UNPAGED):
                await content.write(lines((_customer(customer, locale) for customer in page), locale))
        async for piece in content.read():
            yield piece


async def tiles(db: Database, call: Call, workshop_id: str, query: CsvQuery) -> AsyncGenerator[bytes, None]:
    """Every tile, in the order of the grids. A workshop has few enough for one piece. Raises NotFound, Forbidden."""
    async with db.snapshot() as read:
        settings, locale = await begin(read, call, workshop_id, query.locale)
        found = await grids.list_all(read, workshop_id)
    rows = [row for grid in found for row in _tiles(grid, settings.currency, locale)]
    yield headings(_TILES, locale) + lines(rows, locale)


def _customer(customer: Customer, locale: DocumentLocale) -> list[Cell]:
    phones = [phone.number for phone in customer.phones]
    return [
        customer.name,
        WORDS[locale][customer.kind],
        *_first_and_others(phones),
        *_first_and_others(customer.emails),
        customer.address or None,
        customer.site_address or None,
        customer.tax_id or None,
        customer.locale or None,
        customer.notes,
        customer.id,
    ]


def _first_and_others(texts: list[str]) -> tuple[str, str]:
    return (texts[0], "; ".join(texts[1:])) if texts else ("", "")


def _tiles(grid: Grid, currency: str, locale: DocumentLocale) -> list[list[Cell]]:
    return [
        [
            grid.name,
            button.emoji,
            button.label,
            UNITS[locale][button.unit],
            price(button.unit_price, currency, locale),
            currency,
            button.id,
        ]
        for button in grid.buttons
    ]
