"""Figures of a test run, printed at its end: rounds, losses and times, which the guide reports."""

figures: list[str] = []


def report(text: str) -> None:
    figures.append(text)
