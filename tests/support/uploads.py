"""File uploads: multipart forms as a browser sends them."""

from typing import Any

import httpx

from tests.people import Person
from tests.support import image_files

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


async def post_form(person: Person, body: bytes, **headers: str) -> httpx.Response:
    all_headers = {"content_type": f"multipart/form-data; boundary={BOUNDARY}", **headers}
    return await person.send("POST", "/files", body, all_headers)


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


async def used(person: Person) -> int:
    """The bytes of the storage quota in use by the workshop of the person."""
    response = await person.get(f"/workshops/{person.workshop}/entitlements")
    used_bytes: int = response.json()["fileStorage"]["usedBytes"]
    return used_bytes
