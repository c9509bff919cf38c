"""PostgreSQL clusters, nodes and load, and the checks of what they leave behind."""

from pkgutil import iter_modules

import pytest

# Their checks are the assertions of the tests that call them: they are explained, and the guard counts them.
pytest.register_assert_rewrite(*[f"{__name__}.{module.name}" for module in iter_modules(__path__)])
