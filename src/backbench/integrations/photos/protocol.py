"""Protocol of the scale process: a request is a photo as it was uploaded, a reply the two images that are stored."""

import struct
from typing import Final

from msgspec import Struct

from backbench.values.errors import FieldError, ValidationError


class ScaledPhoto(Struct, frozen=True):
    """The two JPEG images that are stored of a photo. Width and height are those of `image`, in pixels."""

    width: int
    height: int
    image: bytes
    thumb: bytes


def damaged(detail: str) -> ValidationError:
    return ValidationError(FieldError("/file", "damaged", detail))


# Width, height, and the bytes of the image. The thumbnail is the rest.
_HEADER = struct.Struct(">III")


def encode_reply(photo: ScaledPhoto) -> bytes:
    return _HEADER.pack(photo.width, photo.height, len(photo.image)) + photo.image + photo.thumb


def decode_reply(body: bytes) -> ScaledPhoto:
    width, height, length = _HEADER.unpack_from(body)
    end = _HEADER.size + length
    return ScaledPhoto(width, height, body[_HEADER.size : end], body[end:])


MAX_PIXELS: Final = 50_000_000
# The most pixels a side of what is stored.
IMAGE_SIDE: Final = 2048
THUMB_SIDE: Final = 320
