"""Comments on an estimate: the client's through a link, and the answers of members. Every link to it shows them."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from backbench.domain.sharing.signers import SignerName
from backbench.domain.values.scalars import LINE_FEEDS, LINES, NOT_BLANK
from backbench.domain.values.times import Instant

CommentAuthor = Literal["client", "workshop"]
CommentText = Annotated[str, Meta(min_length=1, max_length=2000, pattern=LINE_FEEDS, extra=LINES), NOT_BLANK]
MAX_COMMENTS = 50


class Comment(Struct, frozen=True, rename="camel"):
    id: str
    created_at: Instant
    author: CommentAuthor
    name: str
    text: str


class NewComment(Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    name: SignerName
    text: CommentText


class NewAnswer(Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    text: CommentText


class EstimateComment(Struct, frozen=True, rename="camel"):
    """A comment as members see it."""

    id: str
    created_at: Instant
    link_id: str
    author: CommentAuthor
    name: str
    text: str
    author_uid: str | UnsetType = UNSET


class CommentsList(Struct, frozen=True):
    comments: list[EstimateComment]
