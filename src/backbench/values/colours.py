"""Colours of a workshop, darkened until they can be read on white."""

from typing import NamedTuple

DEFAULT_ACCENT = "#3A3733"
# WCAG 2: small text needs a contrast of 4.5 : 1 with its background. A rule is decoration and needs less.
TEXT_CONTRAST = 4.5
RULE_CONTRAST = 1.8
TINT_SHARE = 0.12
DARKER = 0.96
_Channels = tuple[float, float, float]


class Palette(NamedTuple):
    """#rrggbb each: `accent` for rules, `text` for text in the accent's hue, `tint` for the background of the logo."""

    accent: str
    text: str
    tint: str


def palette(accent_color: str | None) -> Palette:
    chosen = _channels(accent_color or DEFAULT_ACCENT)
    accent = _darkened(chosen, RULE_CONTRAST)
    tint = (
        1 - TINT_SHARE * (1 - accent[0]),
        1 - TINT_SHARE * (1 - accent[1]),
        1 - TINT_SHARE * (1 - accent[2]),
    )
    return Palette(_hex(accent), _hex(_darkened(chosen, TEXT_CONTRAST)), _hex(tint))


def contrast_with_white(color: str) -> float:
    """From 1 (white) to 21 (black)."""
    return _contrast(_channels(color))


def _darkened(channels: _Channels, contrast: float) -> _Channels:
    """The same hue, darkened until its contrast with white is at least `contrast`."""
    while _contrast(channels) < contrast:
        red, green, blue = channels
        channels = (red * DARKER, green * DARKER, blue * DARKER)
    return channels


def _contrast(channels: _Channels) -> float:
    red, green, blue = (_linear(channel) for channel in channels)
    return 1.05 / (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05)


def _linear(channel: float) -> float:
    return channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4


def _channels(color: str) -> _Channels:
    red, green, blue = bytes.fromhex(color.removeprefix("#"))
    return red / 255, green / 255, blue / 255


def _hex(channels: _Channels) -> str:
    # Rounded down, so that the contrast is never lower than required.
    return "#" + "".join(f"{int(channel * 255):02x}" for channel in channels)
