"""Intake words of the catalog."""

from backbench.domain.orders.intake_words import IntakeWords, catalog_words
from backbench.storage.engine.database import Read


async def get(db: Read) -> IntakeWords:
    """Read the words for the intake of an order, of each craft."""
    return catalog_words()
