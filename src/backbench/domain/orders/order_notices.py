"""Notices: that a customer has been informed about an order, recorded by a member. Recording one sends nothing."""

from typing import Literal

from msgspec import Struct

from backbench.domain.values.times import Instant

NoticeKind = Literal["received", "waiting", "delayed", "ready", "reminder"]
NoticeChannel = Literal["message-copied", "message-shared", "email-opened", "called"]


class NewNotice(Struct, frozen=True, forbid_unknown_fields=True):
    kind: NoticeKind
    channel: NoticeChannel


class Notice(Struct, frozen=True, rename="camel"):
    id: str
    kind: NoticeKind
    channel: NoticeChannel
    at: Instant
    by_uid: str


class NoticesList(Struct, frozen=True):
    notices: list[Notice]
