"""Pictures of the demo, drawn when they are needed: furniture in flat colours, as the photos of its orders."""

import io
from typing import Any, Literal

from msgspec import Struct

Picture = Literal["worn-armchair", "armchair", "headboard", "cabinet"]
Colour = tuple[int, int, int]
_SIZE = (800, 600)
_FLOOR_AT = 430
# Drawn at twice the size and scaled down: edges are smooth.
_TIMES = 2


class _Place(Struct, frozen=True):
    wall: Colour
    floor: Colour


class _Shape(Struct, frozen=True):
    """A rectangle with round corners; coordinates of the picture: left, top, right, bottom."""

    box: tuple[int, int, int, int]
    colour: Colour
    radius: int = 0


_WORKSHOP, _BENCH = _Place((222, 214, 200), (170, 142, 112)), _Place((205, 211, 206), (140, 120, 98))
_OAK, _DARK_OAK, _ASH, _STEEL = (190, 146, 92), (150, 108, 62), (222, 196, 158), (128, 132, 136)
_WINE, _RED, _BLUE, _FADED = (122, 44, 58), (146, 60, 74), (92, 104, 122), (134, 142, 152)
_GREEN, _DEEP_GREEN = (66, 112, 84), (46, 86, 62)
_SHADOW: Colour = (120, 104, 86)


def _armchair(cover: Colour, seat: Colour) -> list[_Shape]:
    return [
        _Shape((190, 520, 620, 548), _SHADOW, 14),
        *(_Shape((left, 470, left + 26, 540), _DARK_OAK, 6) for left in (230, 550)),
        _Shape((240, 110, 566, 400), cover, 60),
        _Shape((276, 150, 530, 380), seat, 44),
        _Shape((180, 270, 290, 490), cover, 48),
        _Shape((516, 270, 626, 490), cover, 48),
        _Shape((262, 350, 544, 440), seat, 30),
        _Shape((250, 430, 556, 490), cover, 16),
        *(_Shape((left, 230, left + 14, 244), cover, 7) for left in (330, 396, 462)),
    ]


_PICTURES: dict[Picture, tuple[_Place, list[_Shape]]] = {
    "worn-armchair": (
        _WORKSHOP,
        [*_armchair(_BLUE, _FADED), _Shape((420, 372, 500, 398), _ASH, 12), _Shape((336, 386, 372, 402), _ASH, 8)],
    ),
    "armchair": (_WORKSHOP, _armchair(_WINE, _RED)),
    "headboard": (
        _WORKSHOP,
        [
            _Shape((90, 150, 710, 470), _DEEP_GREEN, 26),
            *(
                _Shape((left, top, left + 92, top + 84), _GREEN, 18)
                for left in range(114, 640, 97)
                for top in range(176, 420, 92)
            ),
        ],
    ),
    "cabinet": (
        _BENCH,
        [
            _Shape((170, 90, 630, 540), _DARK_OAK, 8),
            *(_Shape((left, 108, left + 212, 522), _OAK, 6) for left in (184, 404)),
            *(_Shape((left, 136, left + 164, 494), _ASH, 4) for left in (208, 428)),
            *(_Shape((left, 300, left + 10, 350), _STEEL, 5) for left in (384, 406)),
        ],
    ),
}


def drawn(picture: Picture) -> bytes:
    """The picture as PNG."""
    # Of the server's processes only the one that makes the demo draws.
    from PIL import Image, ImageDraw

    place, shapes = _PICTURES[picture]
    width, height = (side * _TIMES for side in _SIZE)
    image = Image.new("RGB", (width, height), place.wall)
    draw: Any = ImageDraw.Draw(image)
    draw.rectangle((0, _FLOOR_AT * _TIMES, width, height), fill=place.floor)
    for shape in shapes:
        draw.rounded_rectangle([side * _TIMES for side in shape.box], shape.radius * _TIMES, fill=shape.colour)
    file = io.BytesIO()
    image.resize(_SIZE, Image.Resampling.LANCZOS).save(file, "PNG")
    return file.getvalue()
