"""Feedback: what users tell the people who run the service."""

from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from backbench.domain.operations.exports import FeedbackKind
from backbench.domain.values.scalars import NO_CONTROL, Name


class NewFeedback(Struct, frozen=True, forbid_unknown_fields=True):
    kind: FeedbackKind
    title: Name
    message: Annotated[str, Meta(min_length=1, max_length=5000)]
    # Where in the web app they were.
    path: Annotated[str, Meta(max_length=1000, pattern=NO_CONTROL)] | UnsetType = UNSET
