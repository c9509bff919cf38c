// Start: the first run. The craft, the kind of job, and the tiles for the first estimate are there.

import { actionButton } from "../components/action-button.js";
import { frame } from "../components/frame.js";
import { isOnline, needsConnection } from "../components/needs-connection.js";
import { component, div, p } from "../components/tags.js";
import { words, wordsLanguage } from "../words/words.js";
import { startWords } from "../words/start.js";
import { catalog, loadCatalog } from "../state/catalog.js";
import { leaveFirstRun } from "../state/first-run.js";
import { go, route } from "../state/router.js";
import { workshop } from "../state/workshops.js";
import { useEffect } from "../vendor/hooks.js";
import { Crafts } from "./catalog/crafts.js";
import { Jobs } from "./start/jobs.js";
import { NoWorkshop } from "./start/no-workshop.js";
import { NameOnSign } from "./start/name-on-sign.js";

/** In the address: `craft`. */
export function screen() {
  useEffect(() => void loadCatalog(), []);
  const text = startWords.value;
  if (!workshop.value) return frame({ title: text.noWorkshop, alone: true }, component(NoWorkshop, {}));
  const { craft } = route.value.query;
  const found = catalog.value?.domains.find(({ slug }) => slug === craft);
  if (found) {
    return frame(
      { title: text.whichJob, alone: true, back: "/start" },
      p({ class: "quiet-text" }, found.label[wordsLanguage.value], ". ", text.jobHelp),
      component(Jobs, { craft: found.slug }),
    );
  }
  return frame({ title: text.whatDoYouDo, alone: true }, component(ChooseCraft, {}));
}

function ChooseCraft() {
  const text = startWords.value;
  const leave = () => {
    leaveFirstRun();
    go("/", { replace: true });
  };
  return div(
    { class: "stack" },
    component(NameOnSign, {}),
    p({}, text.craftHelp),
    catalog.value ? component(Crafts, { link: (slug) => `/start?craft=${slug}` }) : waiting(),
    actionButton({ label: text.later, kind: "quiet", onClick: leave }),
  );
}

function waiting() {
  if (isOnline()) return p({ class: "quiet-text late" }, words.value.common.loading);
  return div({ class: "stack" }, needsConnection(), p({}, startWords.value.needsCatalog));
}
