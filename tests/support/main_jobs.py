"""The main jobs of a workshop, done over HTTP on an installation: sign-in, order, estimate, PDF with a page, file."""

import httpx

from tests.people import PASSWORD
from tests.support.image_files import png


def do_main_jobs(url: str, email: str, password: str = PASSWORD) -> str:
    """Signs in and does each job. Returns the id of the order. What an installation may lack, these jobs use."""
    with httpx.Client(base_url=f"{url}/api", timeout=60, trust_env=False) as client:
        # Hashes with argon2.
        _done(client.post("/authenticate", json={"email": email, "password": password}))
        client.headers["x-csrf-token"] = client.cookies["csrf-token"]
        workshop = _done(client.get("/workshops")).json()["workshops"][0]["id"]
        order = _done(client.post(f"/workshops/{workshop}/orders", json={"title": "Oak bench"})).json()
        _done(client.patch(f"/orders/{order['id']}/status", json={"status": "in_progress"}))
        line = {"label": "Oak top", "unit": "sqm", "unitPrice": 420.5, "quantity": 2.25}
        estimate = _done(
            client.post(f"/workshops/{workshop}/estimates", json={"name": "Bench", "lineItems": [line]})
        ).json()
        _done(client.post(f"/estimates/{estimate['id']}/confirm", json={}))
        exports = f"/estimates/{estimate['id']}/pdf-exports"
        # Typst makes the PDF, PDFium the page.
        export = _done(client.post(exports, json={"locale": "pl", "preliminary": False})).json()
        assert _done(client.get(f"{exports}/{export['id']}")).content.startswith(b"%PDF-")
        assert _done(client.get(f"{exports}/{export['id']}/pages/1")).content.startswith(b"\x89PNG")
        picture = png(8, 8)
        upload = _done(
            client.post(
                "/files",
                data={"category": "grid_tile_icon", "workshopId": workshop},
                files={"file": ("bench.png", picture, "image/png")},
            )
        ).json()
        assert _done(client.get(f"/files/{upload['id']}")).content == picture
        return str(order["id"])


def _done(response: httpx.Response) -> httpx.Response:
    assert response.is_success, f"{response.request.method} {response.request.url}: {response.text}"
    return response
