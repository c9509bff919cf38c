"""A PostgreSQL for the tests that break one."""

from collections.abc import Iterator

import pytest

from tests.storage.engine.clusters import Cluster, cluster


@pytest.fixture(scope="session")
def breakable() -> Iterator[Cluster]:
    with cluster() as running:
        yield running
