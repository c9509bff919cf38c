// Preview of the latest estimate, drawn by the server when somebody asks for it.

import { request } from "../../../api/client.js";
import { actionButton } from "../../../components/action-button.js";
import { languageChoice } from "../../../components/language-choice.js";
import { needsConnection } from "../../../components/needs-connection.js";
import { sheet } from "../../../components/sheet.js";
import { div, p } from "../../../components/tags.js";
import { newId } from "../../../domain/ids.js";
import { wordsLanguage } from "../../../words/words.js";
import { shopWords } from "../../../words/shop.js";
import { connection } from "../../../state/connection.js";
import { savingOf } from "../../../state/edited.js";
import { loadSummaries, summaries } from "../../../state/summaries.js";
import { useEffect, useState } from "../../../vendor/hooks.js";
import { pictures } from "../../send/pictures.js";

/** @typedef {import("../documents.js").SettingsRecord} SettingsRecord */
/** @typedef {"en" | "pl"} Language */
/** @typedef {{ id: string, locale: Language }} Drawn */

const WIDTH = 1080;

/** The button that opens it. @param {{ record: SettingsRecord }} props */
export function Preview({ record }) {
  const [drawn, setDrawn] = useState(/** @type {Drawn | null} */ (null));
  useEffect(() => void loadSummaries({}), []);
  const estimate = summaries.value.find(({ estimateId }) => !estimateId.startsWith("local-"));
  const text = shopWords.value.documents;
  if (!estimate) return p({ class: "quiet-text" }, text.noEstimate);
  const draw = (/** @type {Language} */ locale) => setDrawn({ id: newId(), locale });
  return div(
    { class: "stack" },
    needsConnection(),
    actionButton({
      label: text.preview,
      icon: "eye",
      kind: "main",
      wide: true,
      disabled: savingOf(record.kind, record.id) !== "saved" || !connection.value.online,
      onClick: () => draw(wordsLanguage.value),
    }),
    drawn && sheet(
      { title: text.previewOf(estimate.name), onClose: () => setDrawn(null) },
      languageChoice({
        label: shopWords.value.overview.language,
        bare: true,
        value: drawn.locale,
        onChange: draw,
      }),
      pictures({ source: sourceOf(estimate.estimateId, drawn) }),
    ),
  );
}

/** @param {string} estimateId @param {Drawn} drawn */
function sourceOf(estimateId, { id, locale }) {
  return {
    id,
    load: (/** @type {number} */ page) =>
      request("GET /estimates/{estimateId}/preview", { estimateId, locale, page, width: WIDTH }, {
        as: "blob",
      }),
  };
}
