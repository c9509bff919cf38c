"""File uploads: multipart forms as a browser sends them."""

from typing import Any

import httpx

from tests.people import Person
from tests.support import image_files
from tests.support.photos import photo_files

BOUNDARY = "----boundary-7f3a"


def form(*parts: tuple[str, str | bytes | tuple[str, bytes]]) -> bytes:
    """A multipart body; fields are text, files are bytes or (name, bytes)."""
    body = b""
    for name, value in parts:
        disposition = f'form-data; name="{name}"'
        if isinstance(value, tuple):
            disposition += f'; filename="{value[0]}"'
            value = value[1]
        content = value.encode() if isinstance(value, str) else value
        body += f"--{BOUNDARY}\r\nContent-Disposition: {disposition}\r\n\r\n".encode() + content + b"\r\n"
    return body + f"--{BOUNDARY}--\r\n".encode()


FORM_TYPE = f"multipart/form-data; boundary={BOUNDARY}"


def sample_form(path: str, person: Person) -> bytes:
    """A valid form for the operation with this path, to the workshop of the person."""
    if path == "/files":
        fields = (("category", "grid_tile_icon"), ("workshopId", person.workshop))
        return form(*fields, ("file", ("saw.png", image_files.png())))
    if path.endswith("/imports"):
        return form(("kind", "customers"), ("file", ("customers.csv", b"Name,Phone\nEwa,600 100 201\n")))
    return form(("kind", "before"), ("file", ("photo.jpg", photo_files.jpeg())))


async def post_form(person: Person, body: bytes, **headers: str) -> httpx.Response:
    return await person.send("POST", "/files", body, {"content_type": FORM_TYPE, **headers})


async def upload(
    person: Person, content: bytes, name: str = "icon.png", *, category: str = "grid_tile_icon", **fields: str
) -> httpx.Response:
    """Uploads to the workshop of the person unless `fields` name another target."""
    target = fields or {"workshopId": person.workshop}
    return await post_form(person, form(("category", category), *target.items(), ("file", (name, content))))


async def icon(person: Person, content: bytes | None = None) -> dict[str, Any]:
    """Uploads an icon to the workshop of the person. Returns its record."""
    response = await upload(person, content or image_files.png())
    assert response.status_code == 201, response.text
    record: dict[str, Any] = response.json()
    return record


async def post_photo(
    person: Person, order_id: str, content: bytes | None, name: str = "photo.jpg", **fields: str
) -> httpx.Response:
    """Uploads a photo of an order; of kind `before` unless `fields` say another. None: a form without a file."""
    parts = () if content is None else (("file", (name, content)),)
    body = form(*{"kind": "before", **fields}.items(), *parts)
    return await person.send("POST", f"/orders/{order_id}/photos", body, {"content_type": FORM_TYPE})


async def photo(person: Person, order_id: str, content: bytes | None = None, **fields: str) -> dict[str, Any]:
    """Uploads a photo of an order. Returns its record."""
    response = await post_photo(person, order_id, content or photo_files.jpeg(), **fields)
    assert response.status_code == 201, response.text
    record: dict[str, Any] = response.json()
    return record


async def post_import(
    person: Person, content: bytes, kind: str = "customers", name: str = "list.csv"
) -> httpx.Response:
    """Uploads a file to import into the workshop of the person."""
    body = form(("kind", kind), ("file", (name, content)))
    return await person.send("POST", f"/workshops/{person.workshop}/imports", body, {"content_type": FORM_TYPE})


async def proposal(person: Person, text: str, kind: str = "customers", name: str = "list.csv") -> dict[str, Any]:
    """Uploads a CSV file to import. Returns the proposal."""
    response = await post_import(person, text.encode(), kind, name)
    assert response.status_code == 201, response.text
    record: dict[str, Any] = response.json()
    return record


async def used(person: Person) -> int:
    """The bytes of the storage quota in use by the workshop of the person."""
    response = await person.get(f"/workshops/{person.workshop}/entitlements")
    used_bytes: int = response.json()["fileStorage"]["usedBytes"]
    return used_bytes
