"""A replicated PostgreSQL for the short tests, started once."""

from collections.abc import Iterator

import pytest

from tests.support.cluster.replication import ReplicatedDatabase, replicated_database


@pytest.fixture(scope="session")
def replicated() -> Iterator[ReplicatedDatabase]:
    with replicated_database() as running:
        yield running
