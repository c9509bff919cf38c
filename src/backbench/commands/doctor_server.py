"""Check of `backbench doctor --quick`: asks the running server of these settings whether it is ready."""

import http.client
from urllib.parse import urlsplit

from backbench.hosting.doctor import Finding
from backbench.settings import Settings, local_url
from backbench.values.os_errors import reason_of

# Shorter than what a supervisor waits for a health check.
_SECONDS = 3.0
_DO = "Read its log. A `serve --host` or `--port` must be the one of the settings for this check."


def server(settings: Settings) -> Finding:
    """Requests `/readyz`, which succeeds while the database can be used."""
    url = local_url(settings.host, settings.port)
    parts = urlsplit(url)
    connection = http.client.HTTPConnection(parts.hostname or "", parts.port or 80, timeout=_SECONDS)
    try:
        connection.request("GET", "/readyz")
        response = connection.getresponse()
        says = response.read(200).decode("utf-8", "replace").strip()
    except OSError as error:
        return Finding("server", "wrong", f"{url} does not respond: {reason_of(error)}", _DO)
    except http.client.HTTPException as error:
        return Finding("server", "wrong", f"{url} is not Backbench: {type(error).__name__}", _DO)
    finally:
        connection.close()
    if response.status == 200 and says == "ready":
        return Finding("server", "ok", f"{url} is ready")
    return Finding("server", "wrong", f"{url} is not ready: status {response.status}, {says}", _DO)
