"""Demo workshop of `serve --demo`: creates it at the first start, and prints credentials and lines to paste."""

import shlex
from typing import Any

from msgspec import structs

from backbench.app import services_of
from backbench.commands.database import with_database
from backbench.demo.setup import Demo, open_demo
from backbench.engine.database import Database
from backbench.imports.process import new_pool as new_import_processes
from backbench.integrations.blobs import open_blobs
from backbench.integrations.passwords import Passwords
from backbench.integrations.pdf.renderer import PdfRenderer
from backbench.integrations.photos.scaler import PhotoScaler
from backbench.settings import Settings
from backbench.values import times
from backbench.values.ids import new_id


def set_up(url: str, configured: Settings) -> tuple[dict[str, Any], str]:
    """Returns the JSON object of `--json` and the text."""

    async def opened(db: Database) -> Demo:
        passwords, renderer, blobs = Passwords(), PdfRenderer(), open_blobs(configured.files_url)
        photo_scaler, import_processes = PhotoScaler(), new_import_processes()
        try:
            services = structs.replace(
                services_of(configured, passwords, blobs, renderer, photo_scaler, import_processes, None),
                public_url=url,
            )
            return await open_demo(db, services, times.now(), new_id)
        finally:
            await renderer.close()
            await photo_scaler.close()
            await import_processes.close()
            await blobs.close()
            passwords.close()

    demo = with_database(opened, configured=configured, migrate=False)
    api = f"{url}/api"
    shape = {
        "email": demo.email,
        "password": demo.password,
        "apiKey": demo.api_key,
        "workshopId": demo.workshop_id,
        "polishEmail": demo.polish_email,
    }
    return shape, _words(url, demo, api)


def _words(url: str, demo: Demo, api: str) -> str:
    return f"""\
Open {url} and sign in; the password and the key change at every start:

  {demo.email}  (in Polish: {demo.polish_email})
  {demo.password}

For the examples of the API ({api}/docs), paste into another terminal:

  {_export_line(demo, api)}
"""


def _export_line(demo: Demo, api: str) -> str:
    """The variables that the examples of the documentation use."""
    variables = {
        "API": api,
        "WORKSHOP": demo.workshop_id,
        "KEY": demo.api_key,
        "EMAIL": demo.email,
        "PASSWORD": demo.password,
    }
    return " ".join(["export", *(f"{name}={shlex.quote(value)}" for name, value in variables.items())])
