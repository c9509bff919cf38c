// Sources: where the pictures of the pages come from: the stored PDF, or a preview of what it will be.

import { request } from "../../api/client.js";
import { component, div, p } from "../../components/tags.js";
import { sendWords } from "../../words/send.js";
import { settle } from "../../state/outbox.js";
import { documentSettings, workshop } from "../../state/workshops.js";
import { chosen } from "./choices.js";
import { pictures } from "./pictures.js";

/** @typedef {import("./sending.js").Sending} Sending */
/** @typedef {import("./sending.js").Package} Package */

const WIDTH = 1080;

/** @param {{ sending: Sending, made: Package | null }} props */
export const pagesOf = (props) => component(PagesOf, props);

/** @param {{ sending: Sending, made: Package | null }} props */
function PagesOf({ sending, made }) {
  const pdfExportId = made?.pdf?.id ?? made?.link?.pdfExportId;
  if (made && pdfExportId) return pictures({ source: stored(made.id, pdfExportId) });
  return div(
    { class: "send-preview" },
    pictures({ source: preview(sending) }),
    p({ class: "preview-mark" }, sendWords.value.preview),
  );
}

/** @param {string} id @param {string} pdfExportId @returns {import("./pictures.js").Source} */
function stored(id, pdfExportId) {
  return {
    id: pdfExportId,
    load: (page) =>
      request("GET /estimates/{estimateId}/pdf-exports/{pdfExportId}/pages/{pageNumber}", {
        estimateId: id,
        pdfExportId,
        pageNumber: page,
        width: WIDTH,
      }, { as: "blob" }),
  };
}

/** @param {Sending} sending @returns {import("./pictures.js").Source} */
function preview(sending) {
  const { locale, toggles } = chosen.value;
  const { name, titleFont, background, accentColor, logo } = workshop.value ?? {};
  const look = [
    sending.content.value,
    documentSettings.value,
    name,
    titleFont,
    background,
    accentColor,
    logo,
  ];
  return {
    id: JSON.stringify([sending.id, locale, toggles, look]),
    load: async (page) => {
      const id = await settle(sending.id);
      return await request("GET /estimates/{estimateId}/preview", {
        estimateId: id,
        page,
        locale,
        ...toggles,
        width: WIDTH,
      }, { as: "blob" });
    },
  };
}
