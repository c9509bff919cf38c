"""Icons of the web app as PNG, drawn from icon.svg by Chromium: `python -m tools.app_icons` after a change of it."""

from pathlib import Path

from playwright.sync_api import Page, sync_playwright
from tests.web.browsers import chromium

WEB = Path(__file__).parents[1] / "src" / "backbench" / "web"
GROUND = "#9a3412"


def main() -> None:
    drawing = (WEB / "icon.svg").read_text("utf-8")
    (WEB / "icons").mkdir(exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        page = browser.new_page()
        # iOS rounds the corners itself; a maskable icon may be cut to a circle of 80 % of its width.
        _draw(page, drawing.replace(' rx="7"', ""), 180, 1, "180")
        _draw(page, drawing, 192, 1, "192")
        _draw(page, drawing, 512, 1, "512")
        _draw(page, drawing.replace(' rx="7"', ""), 512, 0.76, "maskable-512")
        browser.close()


def _draw(page: Page, drawing: str, size: int, share: float, name: str) -> None:
    page.set_viewport_size({"width": size, "height": size})
    ground = GROUND if share < 1 else "transparent"
    sized = drawing.replace("<svg ", f'<svg width="{size * share}" height="{size * share}" ')
    page.set_content(f'<body style="margin:0;background:{ground};display:grid;place-items:center;height:100vh">{sized}')
    page.screenshot(path=WEB / "icons" / f"{name}.png", omit_background=True)


if __name__ == "__main__":
    main()
