"""Deliveries to other services: the loop of a job that reads the logs of workshops, and sends what is due.

Every worker of every node runs one. What is to be sent is a row that was stored with the place in the log, so that a
crash loses nothing; a row belongs to the worker that claimed it until its lease ends. A receiver may get a message
twice.
"""

import asyncio
from abc import ABC, abstractmethod
from collections import Counter, deque
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Generic, Protocol, TypeVar

from backbench.integrations.public_addresses import RequestFailed
from backbench.jobs.repeated import Repeated
from backbench.logs import log

Message = TypeVar("Message")


_POLL_SECONDS = 0.5
_ERROR_PAUSE_SECONDS = 5.0
# Requests at once; of one receiver there is one. Services whose last response was slow, or did not come, take at most a
# half: each request may take as long as one can.
_AT_ONCE = 32
_OF_OWNER = 4
_SLOW_SECONDS = 3.0
# Longer than a request can take.
LEASE_SECONDS = 60.0


class Requests(Protocol):
    def post(self, url: str, content: bytes, headers: Mapping[str, str]) -> int: ...


class Deliveries(ABC, Generic[Message]):
    """Runs from `start` to `stop`. `name` is its name in the log.

    `at_once`: requests to one service, so that a slow one leaves threads to the others.
    """

    def __init__(self, name: str, requests: Requests, at_once: int = _AT_ONCE) -> None:
        self._name = name
        self._at_once = at_once
        self._requests = requests
        self._repeated = Repeated(
            name, self._read_and_send, _POLL_SECONDS, error_pause=_ERROR_PAUSE_SECONDS, begins_at_once=True
        )
        # By receiver.
        self._running: dict[str, asyncio.Task[None]] = {}
        # How many of them, by service.
        self._busy: Counter[str] = Counter()
        # How many, by owner.
        self._of_owner: Counter[str] = Counter()
        self._silent: set[str] = set()
        # As they were read, which takes longer than sending one. Claiming finds those that changed since.
        self._due: deque[Message] = deque()
        self._threads = ThreadPoolExecutor(_AT_ONCE, thread_name_prefix=name)

    @abstractmethod
    async def read_logs(self) -> None:
        """Stores the messages of what has happened since."""

    @abstractmethod
    async def list_due(self) -> Sequence[Message]:
        """What is to be sent now, of each receiver the first at least."""

    @abstractmethod
    async def send(self, message: Message) -> None:
        """Sends it, unless another worker does, and stores how that ended."""

    @abstractmethod
    def receiver_of(self, message: Message) -> str:
        """The id of the receiver, who gets one message at a time."""

    def service_of(self, message: Message) -> str:
        """What the receiver shares with others, of which `at_once` are served at a time."""
        return self.receiver_of(message)

    def owner_of(self, _message: Message) -> str:
        """Who causes it, of whom `_OF_OWNER` are sent at a time, however many receivers there are. "": not limited."""
        return ""

    def start(self) -> None:
        self._repeated.start()

    async def stop(self) -> None:
        """What is being sent is sent again after its lease, unless its end is stored within this call."""
        if not await self._repeated.stop():
            return
        if self._running:
            await asyncio.wait(self._running.values(), timeout=1)
        for sending in list(self._running.values()):
            sending.cancel()
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def _read_and_send(self) -> None:
        await self.read_logs()
        await self.send_due()

    async def send_due(self) -> None:
        """Begins to send what is due, one message to each receiver."""
        if not self._due:
            self._due.extend(await self.list_due())
        while self._due and len(self._running) < _AT_ONCE:
            message = self._due.popleft()
            receiver, service, owner = self.receiver_of(message), self.service_of(message), self.owner_of(message)
            if receiver not in self._running and self._may_begin(service) and self._of_owner[owner] < _OF_OWNER:
                sending = asyncio.create_task(self.send(message))
                self._running[receiver] = sending
                self._busy[service] += 1
                self._of_owner[owner] += bool(owner)
                sending.add_done_callback(partial(self._end, receiver, service, owner))

    def _may_begin(self, service: str) -> bool:
        if self._busy[service] >= self._at_once:
            return False
        return service not in self._silent or sum(self._busy[each] for each in self._silent) < _AT_ONCE // 2

    def _end(self, receiver: str, service: str, owner: str, sending: asyncio.Task[None]) -> None:
        del self._running[receiver]
        # Without those that are at 0.
        self._busy -= Counter((service,))
        self._of_owner -= Counter((owner,))
        if not sending.cancelled() and (error := sending.exception()) is not None:
            log.error(f"{self._name} failed", receiver=receiver, exc_info=error)
        # The next message to the same receiver may be due already.
        self._repeated.wake()

    async def post(self, message: Message, url: str, content: bytes, headers: Mapping[str, str]) -> int:
        """The status of the response. Raises RequestFailed."""
        service, loop = self.service_of(message), asyncio.get_running_loop()
        since = loop.time()
        try:
            status = await loop.run_in_executor(self._threads, self._requests.post, url, content, headers)
        except RequestFailed:
            self._silent.add(service)
            raise
        if loop.time() - since > _SLOW_SECONDS:
            self._silent.add(service)
        else:
            self._silent.discard(service)
        return status
