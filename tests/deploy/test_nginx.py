"""The nginx file for one machine, run in front of a server: TLS, events at once, uploads, and what stays inside."""

import asyncio
import contextlib
import re
import shutil
import ssl
import subprocess
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.support.databases import new_file, running_app
from tests.support.server import free_port, running_server
from tests.support.uploads import BOUNDARY, form

NAME = "office.example.com"
FILE = Path(__file__).parents[2] / "deploy" / "proxy" / "nginx-one.conf"
PROGRAM = shutil.which("nginx") or shutil.which("/usr/sbin/nginx")
pytestmark = pytest.mark.skipif(PROGRAM is None, reason="no nginx on this machine")


@contextlib.contextmanager
def running_nginx(folder: Path, service: int) -> Iterator[tuple[int, int]]:
    """Its ports for http and https. The file is as it is shipped, but for ports, the certificate and its folders."""
    plain, secure = free_port(), free_port()
    certificate, key = folder / "office.pem", folder / "office.key"
    options = ["-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={NAME}"]
    options += ["-addext", f"subjectAltName=DNS:{NAME}", "-keyout", str(key), "-out", str(certificate)]
    subprocess.run(["openssl", "req", *options], check=True, capture_output=True)
    text = FILE.read_text("utf-8")
    text = text.replace("listen 80;", f"listen 127.0.0.1:{plain};").replace(
        "listen 443 ", f"listen 127.0.0.1:{secure} "
    )
    text = re.sub(r" *listen \[::\].*\n", "", text).replace("127.0.0.1:8000", f"127.0.0.1:{service}")
    text = re.sub(r"ssl_certificate .*;", f"ssl_certificate {certificate};", text)
    text = re.sub(r"ssl_certificate_key .*;", f"ssl_certificate_key {key};", text)
    paths = "".join(
        f"{kind}_temp_path {folder}/{kind};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    config = folder / "nginx.conf"
    config.write_text(f"daemon off;\npid {folder}/pid;\nevents {{}}\nhttp {{\naccess_log off;\n{paths}{text}\n}}\n")
    assert PROGRAM is not None
    command = [PROGRAM, "-e", "stderr", "-p", str(folder), "-c", str(config)]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as nginx:
        try:
            yield plain, secure
        finally:
            nginx.terminate()


async def answered(client: httpx.AsyncClient, path: str) -> httpx.Response:
    """The response, once nginx accepts connections."""
    async with asyncio.timeout(60):
        while True:
            with contextlib.suppress(httpx.ConnectError):
                return await client.get(path)
            await asyncio.sleep(0.02)


async def test_the_file_serves_everything_over_tls(tmp_path: Path) -> None:
    url = new_file(tmp_path)
    async with running_app(url) as app:
        anna = await app.owner("Anna")
        secret = (await anna.integrator("orders:read", "orders:write", "files:write")).bearer
    with (
        running_server(url, BACKBENCH_PUBLIC_URL=f"https://{NAME}", BACKBENCH_TRUSTED_PROXIES="127.0.0.1") as server,
        running_nginx(tmp_path, server.port) as (plain, secure),
    ):
        trusted = ssl.create_default_context(cafile=str(tmp_path / "office.pem"))
        headers = {"Host": NAME, "Authorization": f"Bearer {secret}"}
        named = {"sni_hostname": NAME}
        async with httpx.AsyncClient(headers=headers, verify=trusted, trust_env=False, timeout=60) as client:
            redirected = await answered(client, f"http://127.0.0.1:{plain}/api/docs?x=1")
            assert (redirected.status_code, redirected.headers["location"]) == (301, f"https://{NAME}/api/docs?x=1")
            base = f"https://127.0.0.1:{secure}"
            ready = await client.get(f"{base}/healthz", extensions=named)
            assert (ready.status_code, "strict-transport-security" in ready.headers) == (200, True)
            # Of the machine itself only, and the proxy says for whom it asks.
            assert (await client.get(f"{base}/metrics", extensions=named)).status_code == 404
            large = {"title": "Oak", "notes": "x" * 1_100_000}
            path = f"{base}/api/workshops/{anna.workshop}/orders"
            assert (await client.post(path, json=large, extensions=named)).status_code == 413
            events = f"{base}/api/workshops/{anna.workshop}/events"
            async with client.stream("GET", events, extensions=named) as stream:
                pieces = stream.aiter_text()
                assert "event: hello" in await anext(pieces)
                # The next piece arrives while the stream is open: nothing holds it back.
                made = await client.post(path, json={"title": "Oak"}, extensions=named)
                assert made.status_code == 201
                assert "order.created" in await asyncio.wait_for(anext(pieces), 60)
            body = form(("category", "pdf"), ("workshopId", anna.workshop), ("file", b"x" * 2_000_000))
            typed = {"Content-Type": f"multipart/form-data; boundary={BOUNDARY}"}
            uploaded = await client.post(f"{base}/api/files", content=body, headers=typed, extensions=named)
            # Past the proxy's limit for everything else; the service itself looks at what it is.
            assert uploaded.json()["status"] in (400, 415)
