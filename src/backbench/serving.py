"""Runs the application on its server, until a signal."""

from granian import Granian
from granian.constants import Interfaces, Loops


def run(host: str, port: int, workers: int) -> None:
    """Returns when a signal has come and the requests under way are answered."""
    Granian(
        "backbench.app:served",
        factory=True,
        address=host,
        port=port,
        interface=Interfaces.ASGI,
        workers=workers,
        loop=Loops.uvloop,
        websockets=False,
        respawn_failed_workers=True,
        log_enabled=False,
    ).serve()
