"""Gallery of the web app's components, for looking at them: `python -m tests.web.gallery.serve 8060`."""

import sys
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

GALLERY = Path(__file__).parent
WEB = GALLERY.parents[2] / "src" / "backbench" / "web"


class GalleryFiles(SimpleHTTPRequestHandler):
    def translate_path(self, path: str) -> str:
        plain = path.partition("?")[0].lstrip("/") or "index.html"
        folder = WEB if plain.startswith("app/") else GALLERY
        return str(folder / plain)

    def log_request(self, *_: object, **__: object) -> None:
        pass


if __name__ == "__main__":
    ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), GalleryFiles).serve_forever()
