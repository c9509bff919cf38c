"""How a browser sends a file."""

from typing import Any

import httpx

from tests.people import Person
from tests.support import pictures

BOUNDARY = "----boundary-7f3a"


def form(*parts: tuple[str, str | bytes | tuple[str, bytes]]) -> bytes:
    """A multipart body: fields are text, files are bytes or (name, bytes)."""
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
    sent = {"content_type": f"multipart/form-data; boundary={BOUNDARY}", **headers}
    return await person.send("POST", "/files", body, sent)


async def upload(
    person: Person, content: bytes, name: str = "icon.png", *, category: str = "grid_tile_icon", **fields: str
) -> httpx.Response:
    """Into the person's workshop, unless the fields say otherwise."""
    where = fields or {"workshopId": person.workshop}
    return await post_form(person, form(("category", category), *where.items(), ("file", (name, content))))


async def icon(person: Person, content: bytes | None = None) -> dict[str, Any]:
    """An icon in the person's workshop."""
    answer = await upload(person, content or pictures.png())
    assert answer.status_code == 201, answer.text
    record: dict[str, Any] = answer.json()
    return record


async def used(person: Person) -> int:
    """How many bytes of the person's workshop are taken."""
    answer = await person.get(f"/workshops/{person.workshop}/entitlements")
    taken: int = answer.json()["fileStorage"]["usedBytes"]
    return taken
