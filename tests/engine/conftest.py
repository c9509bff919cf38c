"""A PostgreSQL server for the tests that break it."""

from collections.abc import Iterator

import pytest

from tests.support.cluster.postgres_cluster import Cluster, cluster


@pytest.fixture(scope="session")
def breakable() -> Iterator[Cluster]:
    with cluster() as running:
        yield running
