"""The connections that a pool under test opens."""

import pytest

from tests.engine.pool.users import Server


@pytest.fixture
async def server() -> Server:
    return Server()
