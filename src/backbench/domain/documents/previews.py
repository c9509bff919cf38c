"""Previews of an estimate: what a request asks for."""

from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType, structs

from backbench.domain.billing.plans import Plan
from backbench.domain.documents.documents import PdfExportOptions
from backbench.domain.values.enums import DocumentLocale

# In pixels: from a small phone to a tablet with a dense screen.
ImageWidth = Annotated[int, Meta(ge=320, le=1600)]
DEFAULT_WIDTH = 1080


class PageImageQuery(Struct, frozen=True):
    """Query of an image of a page."""

    width: ImageWidth = DEFAULT_WIDTH


class PreviewQuery(Struct, frozen=True, rename="camel"):
    """Query of a preview: a page, the caller's language unless another is named, and the toggles of PDF exports."""

    page: Annotated[int, Meta(ge=1, le=9999)] = 1
    locale: DocumentLocale | UnsetType = UNSET
    breakdown: bool = True
    show_markup: bool = False
    show_discount: bool = False
    show_recipient: bool = True
    show_brand_mark: bool = True
    width: ImageWidth = DEFAULT_WIDTH

    def options(self, plan: Plan) -> PdfExportOptions:
        """The requested options, as far as the plan allows them."""
        requested = PdfExportOptions(
            breakdown=self.breakdown,
            show_markup=self.show_markup,
            show_discount=self.show_discount,
            show_recipient=self.show_recipient,
            show_brand_mark=self.show_brand_mark,
        )
        return allowed_options(requested, plan)


def allowed_options(requested: PdfExportOptions, plan: Plan) -> PdfExportOptions:
    """The brand mark is always on in plans that may not hide it."""
    return requested if plan.may_hide_brand_mark else structs.replace(requested, show_brand_mark=True)
