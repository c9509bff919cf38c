// Preview of the latest estimate, drawn by the server when somebody asks for it.

import { address } from "../../../api/client.js";
import { previewEstimate } from "../../../api/estimates.js";
import { actionButton } from "../../../components/action-button.js";
import { choice } from "../../../components/choice.js";
import { needsConnection } from "../../../components/needs-connection.js";
import { pages } from "../../../components/pages.js";
import { h2, p, section } from "../../../components/tags.js";
import { words, wordsLanguage } from "../../../i18n/index.js";
import { shopWords } from "../../../i18n/shop.js";
import { isSaved } from "../../../state/shared-record.js";
import { loadSummaries, summaries } from "../../../state/summaries.js";
import { useEffect, useState } from "../../../vendor/hooks.js";
import { problemNotice } from "../common/problem-notice.js";
import { useAction } from "../common/use-action.js";

/** @typedef {import("../documents.js").SettingsRecord} SettingsRecord */
/** @typedef {{ locale: "en" | "pl", number: number, of: unknown }} Drawn */

const WIDTH = 800;
const LANGUAGES = /** @type {const} */ (["en", "pl"]);

/** @param {{ record: SettingsRecord }} props */
export function Preview({ record }) {
  const [drawn, setDrawn] = useState(/** @type {Drawn | null} */ (null));
  const { busy, problem, run } = useAction();
  useEffect(() => void loadSummaries({}), []);
  const estimate = summaries.value.find(({ estimateId }) => !estimateId.startsWith("local-"));
  const text = shopWords.value.documents;
  if (!estimate) return p({ class: "quiet-text" }, text.noEstimate);
  // The answer is asked for first, so that a failure is said in words. The picture then comes from the cache.
  const draw = (/** @type {"en" | "pl"} */ locale) => void run(async () => {
    await previewEstimate(estimate.estimateId, { locale, width: WIDTH });
    setDrawn({ locale, number: (drawn?.number ?? 0) + 1, of: record.known.value });
  });
  const isStale = drawn !== null && drawn.of !== record.known.value;
  return section(
    { class: "stack" },
    h2({}, text.previewOf(estimate.name)),
    drawn && language(drawn.locale, draw),
    drawn && picture(estimate, drawn),
    isStale && p({ class: "quiet-text", role: "status" }, text.previewStale),
    needsConnection(),
    problemNotice(problem, problem?.status === 500 ? text.previewFailed : undefined),
    actionButton({
      label: drawn ? text.previewAgain : text.preview,
      icon: "eye",
      kind: "main",
      busy,
      disabled: !isSaved(record),
      onClick: () => draw(drawn?.locale ?? wordsLanguage.value),
    }),
  );
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

/** @param {{ estimateId: string, name: string }} estimate @param {Drawn} drawn */
function picture({ estimateId, name }, { locale, number }) {
  // The fragment makes the browser ask for a new picture, and the server's tag spares it what has not changed.
  const src = `${address(`/estimates/${estimateId}/preview`, { locale, width: WIDTH })}#${number}`;
  return pages({ images: [{ src, alt: shopWords.value.documents.previewOf(name) }] });
}
