"""Credentials of a request that may write: checked before its body is read, and again after a slow one."""

from backbench.domain.accounts.sessions import Caller
from backbench.domain.values.times import Instant
from backbench.http.authentication import Authenticator
from backbench.http.endpoints.runs import Run
from backbench.http.operations import Operation
from backbench.http.requests import Request
from backbench.storage.accounts.credentials import Alone
from backbench.storage.engine.database import Database, Read, Result, Work, Write


class Credentials:
    def __init__(self, operation: Operation, db: Database, authenticator: Authenticator) -> None:
        self._db = db
        self._authenticator = authenticator
        self._access = operation.access
        self._is_safe = operation.is_safe

    async def caller(self, request: Request, now: Instant) -> Caller | None:
        if not self._access.needs_session:
            if not self._is_safe:
                # Signing in ends one session and starts another: no other site may cause that.
                self._authenticator.require_same_origin(request)
            return None
        async with self._db.read() as db:
            return await self._authenticator.caller(Alone(db), request, self._access, now)

    async def check_again(self, db: Read, run: Run, now: Instant) -> None:
        """Checks the credentials again, in a transaction. Raises Unauthenticated, Forbidden."""
        if run.caller is not None:
            run.caller = await self._authenticator.caller(Alone(db), run.request, self._access, now)
            if "caller" in run.values:
                run.values["caller"] = run.caller

    async def transaction(self, run: Run, work: Work[Result]) -> Result:
        """Runs `work` in a transaction, with the credentials checked again in it after a slow body and in a retry.

        An account that was deleted after the first check makes the first try fail, at a reference to the account.
        """

        async def checked(db: Write) -> Result:
            if run.must_check:
                await self.check_again(db, run, run.now)
            run.must_check = True
            return await work(db)

        result = await self._db.write(checked)
        run.must_check = False
        return result
