"""CSRF tokens: computed once for a session, and valid for it alone."""

import pytest

from backbench.accounts.sessions import csrf_token, digest
from backbench.http.authentication import CsrfTokens
from backbench.http.requests import Request
from backbench.values.errors import Forbidden


def require(tokens: CsrfTokens, secret: str, sent: str) -> None:
    async def receive() -> dict[str, object]:
        return {}

    request = Request({"method": "POST", "headers": [(b"x-csrf-token", sent.encode())]}, receive)
    tokens.require(request, secret, digest(secret))


def test_a_session_accepts_its_own_csrf_token_again_and_no_other() -> None:
    tokens = CsrfTokens()
    for _ in range(2):
        for secret, other in (("anna", "marek"), ("marek", "anna")):
            require(tokens, secret, csrf_token(secret))
            for wrong in (csrf_token(other), csrf_token(secret)[:-1], "", secret):
                with pytest.raises(Forbidden):
                    require(tokens, secret, wrong)


def test_the_number_of_csrf_tokens_in_memory_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(CsrfTokens, "MOST", 3)
    tokens = CsrfTokens()
    for number in range(10):
        require(tokens, f"secret {number}", csrf_token(f"secret {number}"))
        assert len(tokens) <= 3
