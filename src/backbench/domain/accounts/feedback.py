"""Feedback: messages from users to the host of the service."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from backbench.domain.values.enums import UserLocale
from backbench.domain.values.scalars import NO_CONTROL, ONE_LINE, Email, Name
from backbench.domain.values.times import Instant

FeedbackKind = Literal["feedback", "support"]


class NewFeedback(Struct, frozen=True, forbid_unknown_fields=True):
    kind: FeedbackKind
    title: Name
    message: Annotated[str, Meta(min_length=1, max_length=5000)]
    # The page of the web app from which the feedback was sent.
    path: Annotated[str, Meta(max_length=1000, pattern=NO_CONTROL, extra=ONE_LINE)] | UnsetType = UNSET


class AccountDataExportFeedback(Struct, frozen=True, rename="camel"):
    id: str
    kind: FeedbackKind
    title: str
    message: str
    email: Email
    locale: UserLocale
    created_at: Instant
    path: str | UnsetType = UNSET
    user_agent: str | UnsetType = UNSET
