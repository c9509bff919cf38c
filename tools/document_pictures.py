"""`python -m tools.document_pictures FOLDER`: renders estimates of every kind as PNG into a folder, to be looked at."""

import sys
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

from msgspec.structs import replace
from tests.integrations.pdf.sample_documents import Item, estimate, item
from tools.golden_documents import (
    CHAIRS,
    EVERYTHING,
    FONTS,
    GLAZURA,
    HARROW,
    KITCHEN,
    STOLARNIA,
    bathroom,
    certificate,
    exempt,
    furniture,
)
from tools.golden_pages import Picture, monogram, pages, pictures_of

from backbench.documents.documents import ClientRecipient, EstimateDocument, Letterhead
from backbench.documents.figures import Rates
from backbench.integrations.pdf.render_process import new_compiler, render_certificate
from backbench.values.enums import DocumentLocale
from backbench.values.taxes import Tax

ZERO = Decimal(0)
LONG = ClientRecipient("Przedsiębiorstwo Usługowo-Handlowe Kowalska-Wiśniewska i Synowie sp. z o.o. sp. k.")
TERMS = (
    "1. Zmiany zakresu uzgadniamy pisemnie albo e-mailem.\n"
    "2. Gwarancja wynosi 24 miesiące od odbioru i obejmuje okucia, prowadnice oraz powłokę blatu.\n"
    "3. Wykonawca zapewnia narzędzia, materiał pomocniczy, wniesienie i posprzątanie po pracach.\n"
    "– przerwy w dostawie prądu wydłużają termin o czas ich trwania\n"
    "§ 4. W sprawach nieuregulowanych stosuje się Kodeks cywilny."
)
SCRIPTS = [
    item("Ławka dębowa, 1½ m", "piece", "900", "1"),
    item("Стіл із дуба для Олени", "piece", "1200", "1"),
    item("Τραπέζι από δρυ, μήκος 2 m", "piece", "1200", "1"),
    item("שולחן אלון 2 מ׳", "piece", "1200", "1"),
    item("طاولة من خشب البلوط ٢ م", "piece", "1200", "1"),
    item("橡木桌 2 m 日本語 한국어", "piece", "1200", "1"),
    item("Gauč s úložným prostorom, ťažký stôl", "piece", "1200", "1"),
    item("Donau­dampfschifffahrtsgesellschaftskapitänsmütze", "piece", "1200", "1"),
    item("Emoji 🪑🪵 and ✓ → ½ ㎡", "piece", "1200", "1"),
]


def wordmark() -> bytes:
    """A logo eight times as wide as high."""
    png = new_compiler().compile(
        input=b"#set page(width: 160mm, height: 16mm, margin: 0pt)\n"
        b'#align(center + horizon, text(font: "Bodoni Moda", weight: 500, size: 24pt, "HARROW & THREAD LONDON"))',
        format="png",
        ppi=200,
    )
    assert isinstance(png, bytes)
    return png


def documents() -> Iterator[tuple[str, EstimateDocument]]:
    yield from kinds("pl", STOLARNIA, KITCHEN, "PLN", "Zabudowa kuchni")
    yield from kinds("en", HARROW, CHAIRS, "GBP", "Pair of wingback chairs")
    yield "pl-sections-earnest-gross", furniture()
    yield "en-reverse-charge-firm", exempt()
    yield "pl-every-fact", replace(bathroom(), letterhead=replace(GLAZURA, logo_image=monogram()))
    yield "pl-terms", replace(bathroom(), terms=TERMS, letterhead=STOLARNIA)
    yield (
        "en-wide-logo",
        estimate(CHAIRS, letterhead=replace(HARROW, logo_image=wordmark()), name="Chairs", currency="GBP"),
    )
    yield (
        "pl-long-names",
        estimate(
            KITCHEN,
            locale="pl",
            letterhead=replace(
                STOLARNIA,
                name="Zakład Stolarsko-Tapicerski Wiśniewska-Lewandowska i Wspólnicy spółka jawna w Nowym Sączu",
            ),
            name="Kompleksowa przebudowa parteru domu jednorodzinnego wraz z zabudową kuchni, wiatrołapu i schodów",
            number="WYC/2026/11/KRAKÓW/000123-B",
            recipient=replace(LONG, email="zamowienia.publiczne@przedsiebiorstwo-wielobranzowe.example"),
        ),
    )
    yield (
        "en-scripts",
        estimate(SCRIPTS, letterhead=replace(HARROW, title_font="sans"), name="Стіл Ґудзь-Єфименко", currency="EUR"),
    )
    for font, accent in FONTS:
        yield (
            f"pl-font-{font}",
            estimate(
                KITCHEN[:3],
                locale="pl",
                letterhead=replace(STOLARNIA, title_font=font, accent_color=accent),
                name="Żółć i łąka: 12 krzeseł",
            ),
        )


def kinds(
    locale: DocumentLocale, letterhead: Letterhead, lines: list[Item], currency: str, name: str
) -> Iterator[tuple[str, EstimateDocument]]:
    reduced = {lines[0].id: Tax(Decimal(8))}
    rates = {
        "net": Rates(ZERO, ZERO, Decimal(23), deposit=Decimal(30)),
        "gross": Rates(ZERO, ZERO, Decimal(23), deposit=Decimal(30), prices="gross"),
        "two-rates": Rates(Decimal(10), Decimal(5), Decimal(23), line_taxes=reduced),
        "two-rates-gross": Rates(ZERO, ZERO, Decimal(23), line_taxes=reduced, prices="gross"),
        "exempt": Rates(ZERO, ZERO, tax_kind="exempt"),
        "outside-and-rate": Rates(ZERO, ZERO, Decimal(23), line_taxes={lines[0].id: Tax("outside")}),
    }
    for kind, each in rates.items():
        yield (
            f"{locale}-{kind}",
            estimate(
                lines,
                locale=locale,
                letterhead=letterhead,
                currency=currency,
                name=name,
                rates=each,
                options=EVERYTHING,
            ),
        )
    gratis = [each._replace(unit_price=ZERO) for each in lines]
    yield (
        f"{locale}-gratis",
        estimate(gratis, locale=locale, letterhead=letterhead, currency=currency, name=name, rates=rates["net"]),
    )
    for breakdown in ("unpriced", "none"):
        document = estimate(
            lines, locale=locale, letterhead=letterhead, currency=currency, name=name, rates=rates["net"]
        )
        yield f"{locale}-{breakdown}", replace(document, breakdown=breakdown)
    coded = estimate(lines, locale=locale, letterhead=letterhead, currency="KWD", name=name, rates=rates["two-rates"])
    yield f"{locale}-coded-currency", coded


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, document in documents():
        write(folder, name, pages(document))
    write(folder, "certificate", pictures_of(render_certificate(new_compiler(), certificate())))


def write(folder: Path, name: str, found: list[Picture]) -> None:
    for number, picture in enumerate(found, 1):
        (folder / f"{name}-{number}.png").write_bytes(picture.with_border().png())


if __name__ == "__main__":
    main(Path(sys.argv[1]))
