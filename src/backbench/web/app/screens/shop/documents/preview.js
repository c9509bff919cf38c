// Preview of the latest estimate, drawn by the server when somebody asks for it.

import { previewEstimate } from "../../../api/estimates.js";
import { actionButton } from "../../../components/action-button.js";
import { choice } from "../../../components/choice.js";
import { needsConnection } from "../../../components/needs-connection.js";
import { h2, p, section } from "../../../components/tags.js";
import { newId } from "../../../domain/ids.js";
import { words, wordsLanguage } from "../../../i18n/index.js";
import { shopWords } from "../../../i18n/shop.js";
import { connection } from "../../../state/connection.js";
import { isSaved } from "../../../state/shared-record.js";
import { loadSummaries, summaries } from "../../../state/summaries.js";
import { useEffect, useState } from "../../../vendor/hooks.js";
import { pictures } from "../../send/pictures.js";

/** @typedef {import("../documents.js").SettingsRecord} SettingsRecord */
/** `of` are the settings that the picture shows. @typedef {{ id: string, locale: "en" | "pl", of: unknown }} Drawn */

const WIDTH = 1080;
const LANGUAGES = /** @type {const} */ (["en", "pl"]);

/** @param {{ record: SettingsRecord }} props */
export function Preview({ record }) {
  const [drawn, setDrawn] = useState(/** @type {Drawn | null} */ (null));
  useEffect(() => void loadSummaries({}), []);
  const estimate = summaries.value.find(({ estimateId }) => !estimateId.startsWith("local-"));
  const text = shopWords.value.documents;
  if (!estimate) return p({ class: "quiet-text" }, text.noEstimate);
  const draw = (/** @type {"en" | "pl"} */ locale) =>
    setDrawn({ id: newId(), locale, of: record.known.value });
  const isStale = drawn !== null && drawn.of !== record.known.value;
  return section(
    { class: "stack" },
    h2({}, text.previewOf(estimate.name)),
    drawn && language(drawn.locale, draw),
    drawn && pictures({ source: sourceOf(estimate.estimateId, drawn), late: isStale }),
    isStale && p({ class: "quiet-text", role: "status" }, text.previewStale),
    needsConnection(),
    actionButton({
      label: drawn ? text.previewAgain : text.preview,
      icon: "eye",
      kind: "main",
      disabled: !isSaved(record) || !connection.value.online,
      onClick: () => draw(drawn?.locale ?? wordsLanguage.value),
    }),
  );
}

/** @param {string} estimateId @param {Drawn} drawn */
function sourceOf(estimateId, { id, locale }) {
  return {
    id,
    load: (/** @type {number} */ page) => previewEstimate(estimateId, { locale, page, width: WIDTH }),
  };
}

/** @param {"en" | "pl"} value @param {(locale: "en" | "pl") => void} onChange */
function language(value, onChange) {
  const { languages } = words.value.common;
  return choice({
    label: shopWords.value.overview.language,
    bare: true,
    value,
    options: LANGUAGES.map((each) => ({ value: each, label: languages[each] })),
    onChange,
  });
}
