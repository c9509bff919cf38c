"""Photo scaler: sends uploaded photos to a process that decodes them and writes them anew."""

from backbench.integrations.photos.protocol import ScaledPhoto, damaged, decode_reply
from backbench.integrations.processes.pool import LimitExceeded, Limits, PoolUnavailable, ProcessPool, WorkFailed
from backbench.values.errors import Unavailable

_MODULE = "backbench.integrations.photos.scale_process"
_RETRY_AFTER_SECONDS = 10
# One process: a photo takes half a second of a core. With 50 megapixels a JPEG takes 220 MB, a PNG 300 MB, and a WebP,
# of which its decoder keeps several copies, 800 MB.
LIMITS = Limits(processes=1, cpu_seconds=5, reusable_bytes=160 << 20)


class PhotoScaler:
    """Belongs to one event loop. The process starts with the first photo, and ends when there are none."""

    def __init__(self, limits: Limits = LIMITS) -> None:
        self._processes = ProcessPool(_MODULE, limits, "photo")

    async def scale(self, content: bytes) -> ScaledPhoto:
        """The photo as it is stored. Raises ValidationError for a damaged one, Unavailable."""
        try:
            return decode_reply(await self._processes.send(content))
        except LimitExceeded:
            raise damaged("Decoding the photo exceeds the limit of memory or processor time") from None
        except WorkFailed as error:
            raise damaged(str(error)) from None
        except PoolUnavailable as error:
            raise Unavailable("unavailable", str(error), _RETRY_AFTER_SECONDS) from None

    async def close(self) -> None:
        await self._processes.close()
