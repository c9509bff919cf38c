"""Being written: the curated set."""


def is_curated(emoji: str) -> bool:
    return emoji in {"🪚", "🔨", "🛠️", "🏺"}
