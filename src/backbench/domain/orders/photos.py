"""Photos of an order: what a member took of the thing, some of which the customer may see; which uploads are photos."""

from typing import Annotated, Any, Final, Literal

from msgspec import UNSET, Meta, Struct, UnsetType, structs

from backbench.domain.estimating import images
from backbench.domain.estimating.estimates import Identifier
from backbench.domain.orders.client_orders import ClientPhoto
from backbench.domain.values.errors import Conflict, FieldError, TooLarge, UnsupportedMedia, ValidationError
from backbench.domain.values.scalars import NO_CONTROL, NOT_BLANK, NOT_REVERSED, ONE_LINE
from backbench.domain.values.times import Instant

PhotoKind = Literal["before", "during", "after", "detail"]
Caption = Annotated[str, Meta(max_length=250, pattern=NO_CONTROL, extra=ONE_LINE), NOT_BLANK, NOT_REVERSED]
MAX_PHOTOS = 40
MAX_UPLOAD_BYTES: Final = 10 * 1024 * 1024
MAX_PIXELS: Final = 50_000_000
# The most pixels a side of what is stored.
IMAGE_SIDE: Final = 2048
THUMB_SIDE: Final = 320
# The brands of HEIF files, of which HEIC is what phones of Apple make.
_HEIF_BRANDS = frozenset({b"heic", b"heix", b"hevc", b"hevx", b"heim", b"heis", b"mif1", b"msf1"})


class Photo(Struct, frozen=True, rename="camel", kw_only=True):
    """`width`, `height` and `size_bytes` are those of the stored image."""

    id: str
    order_id: str
    kind: PhotoKind
    shared: bool
    taken_at: Instant
    width: int
    height: int
    size_bytes: int
    created_at: Instant
    created_by_uid: str
    caption: str | UnsetType = UNSET


class PhotosList(Struct, frozen=True):
    photos: list[Photo]


class NewPhoto(Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """The fields of an upload beside the file. An empty caption is none."""

    kind: PhotoKind
    caption: Caption | UnsetType = UNSET
    taken_at: Annotated[str, Meta(max_length=40, extra_json_schema={"format": "date-time"})] | UnsetType = UNSET
    shared: bool = False


class PhotoEdit(Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """An absent member is unchanged. null or an empty text clears the caption."""

    kind: PhotoKind | UnsetType = UNSET
    caption: Caption | UnsetType | None = UNSET
    shared: bool | UnsetType = UNSET


class PhotosOrder(Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """The ids of all photos of the order. The first is the cover."""

    photo_ids: Annotated[list[Identifier], Meta(max_length=MAX_PHOTOS)]


class StoredPhoto(Struct, frozen=True):
    """The stored record. Its blob has the image in its first `size_bytes`, and the thumbnail after them."""

    id: str
    workshop_id: str
    order_id: str
    position: int
    kind: PhotoKind
    caption: str | UnsetType
    shared: bool
    taken_at: Instant
    width: int
    height: int
    size_bytes: int
    thumb_bytes: int
    created_at: Instant
    created_by_uid: str

    def to_response(self) -> Photo:
        return Photo(**{name: getattr(self, name) for name in Photo.__struct_fields__})

    def to_client(self) -> ClientPhoto:
        return ClientPhoto(self.id, self.kind, self.taken_at, self.caption)

    def edited(self, edit: PhotoEdit) -> "StoredPhoto":
        sent: dict[str, Any] = {name: value for name, value in structs.asdict(edit).items() if value is not UNSET}
        if "caption" in sent:
            sent["caption"] = sent["caption"] or UNSET
        return structs.replace(self, **sent)

    @property
    def file_name(self) -> str:
        return f"{self.taken_at[:10]}-{self.kind}.jpg"


def require_same(photos: list[StoredPhoto], order: PhotosOrder) -> None:
    """Raises ValidationError unless the order names each of the photos once."""
    if sorted(order.photo_ids) != sorted(photo.id for photo in photos):
        raise ValidationError(
            FieldError("/photoIds", "unknown", "Expected the ids of all photos of the order, each once")
        )


def require_less_than_most(number: int) -> None:
    """Raises Conflict `plan_limit` where the order has as many photos as it can."""
    if number >= MAX_PHOTOS:
        detail = f"An order can have at most {MAX_PHOTOS} photos"
        raise Conflict("plan_limit", detail, limit=MAX_PHOTOS, current=number)


class ScaledPhoto(Struct, frozen=True):
    """The two JPEG images that are stored of a photo. Width and height are those of `image`, in pixels."""

    width: int
    height: int
    image: bytes
    thumb: bytes


def require_photo(content: bytes) -> None:
    """Judges an upload by its beginning, before anything is decoded.

    Raises UnsupportedMedia for another type, TooLarge for too many pixels, ValidationError without a readable header.
    """
    if content[4:8] == b"ftyp" and content[8:12] in _HEIF_BRANDS:
        raise UnsupportedMedia("This is a HEIC photo. Send it as JPEG: phones do where the page asks for JPEG")
    is_webp = content[:4] == b"RIFF" and content[8:12] == b"WEBP"
    if not (is_webp or content.startswith((images.PNG_SIGNATURE, images.JPEG_SIGNATURE))):
        raise UnsupportedMedia("The content is not a JPEG, PNG or WebP image")
    size = images.claimed_size(content)
    if size is None:
        raise damaged("The photo has no size")
    if size.width * size.height > MAX_PIXELS:
        raise TooLarge(MAX_PIXELS, "A photo may have at most 50 megapixels")


def damaged(detail: str) -> ValidationError:
    return ValidationError(FieldError("/file", "damaged", detail))
