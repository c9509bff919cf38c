"""Actions that make their own transactions, with a part of their work outside: files, PDFs, other services.

An action that changes something calls `complete` in the last of its transactions, which adds the audit entry and stores
the response.
"""

from functools import partial
from typing import Any

from msgspec import structs

from backbench.domain.operations.idempotency import IdempotentRequest
from backbench.domain.values import times
from backbench.domain.values.errors import Conflict
from backbench.domain.workshops.audit import Audited
from backbench.http.endpoints.runs import Run
from backbench.http.endpoints.writes import Writes
from backbench.http.responses import Response
from backbench.http.writes import claims
from backbench.storage.engine.database import Write
from backbench.storage.operations import idempotency


class OwnTransactions(Writes):
    async def _act(self, run: Run, idempotent: IdempotentRequest | None) -> Response:
        await self._preconditions.require(run)
        if "authenticate" in self._arguments.names:
            run.values["authenticate"] = partial(self._credentials.caller, run.request)
        if "complete" not in self._arguments.names:
            return self._results.response(await self._action(**run.values), run.request)
        if idempotent is None:
            return await self._call_completing(run, None)
        return await self._claim(run, idempotent)

    async def _claim(self, run: Run, idempotent: IdempotentRequest) -> Response:
        """The Idempotency-Key is claimed before, and the claim renewed until the action has ended. It is released if
        the action raises; after a crash it expires."""
        claim = structs.replace(idempotent, ends_at=claims.leased_until(run.now))
        if not await self._credentials.transaction(run, lambda db: idempotency.claim(db, claim, run.now)):
            async with self._db.read() as db:
                stored = await self._replays.find(db, run, claim)
            return self._replays.response(await self._replays.compared(run, claim, stored), run.request)
        try:
            async with claims.renewed(self._db, claim):
                return await self._call_completing(run, idempotent)
        except BaseException:
            await self._db.write(lambda db: idempotency.release(db, claim))
            raise

    async def _call_completing(self, run: Run, idempotent: IdempotentRequest | None) -> Response:
        async def complete(db: Write, audited: Audited[Any]) -> None:
            now = times.now()
            if run.is_slow:
                await self._credentials.check_again(db, run, now)
            response = self._results.response(audited, run.request)
            await self._entries.add(db, run, audited, len(response.body), now)
            if idempotent is None:
                return
            digest = run.request.digest
            sent = idempotent.fingerprint if digest is None else digest()
            stored = self._replays.stored(sent, response)
            ends_at = times.later(now, self._replays.seconds)
            if not await idempotency.save_response(db, idempotent, stored, ends_at):
                raise Conflict("in_progress", "This request took too long, and a repeated request has taken over")

        result = await self._action(**{**run.values, "complete": complete})
        return self._results.response(result, run.request)
