// Start: the first run. The craft, the kind of job, and the tiles for the first estimate are there.

import { isProblem } from "../api/problems.js";
import { actionButton } from "../components/action-button.js";
import { notYet, useAnswer } from "../components/answer.js";
import { frame } from "../components/frame.js";
import { isOnline, needsConnection } from "../components/command.js";
import { notice } from "../components/notice.js";
import { b, button, component, div, form, icon, p, span } from "../components/tags.js";
import { textField } from "../components/text-field.js";
import { catalog, readCatalog } from "../state/catalog.js";
import { grids } from "../state/grids.js";
import { firstRunLeft, lastGrid } from "../state/preferences.js";
import { go, route } from "../state/router.js";
import { session } from "../state/session.js";
import { createWorkshop, updateWorkshop } from "../state/edits.js";
import { isOwner, left, workshop, workshopId } from "../state/workshops.js";
import { useState } from "../vendor/hooks.js";
import { explained } from "../words/problems.js";
import { startWords } from "../words/start.js";
import { words, wordsLanguage } from "../words/words.js";
import { Crafts, gridOf, itemsOf, templatesOf } from "./catalog/choosing.js";
import { SignOut } from "./settings/sign-out.js";
import { MOST_GRIDS } from "./tiles/new-grid.js";

/** In the address: `craft`. */
export function screen() {
  const answered = useAnswer(readCatalog);
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
  return frame({ title: text.whatDoYouDo, alone: true }, component(ChooseCraft, { answered }));
}

/** @param {{ answered: Parameters<typeof notYet>[0] }} props */
function ChooseCraft({ answered }) {
  const text = startWords.value;
  const leave = () => {
    leaveFirstRun();
    go("/", { replace: true });
  };
  return div(
    { class: "stack" },
    component(NameOnSign, {}),
    p({}, text.craftHelp),
    catalog.value
      ? component(Crafts, { link: (slug) => `/start?craft=${slug}` })
      : notYet(answered, text.needsCatalog),
    actionButton({ label: text.later, kind: "quiet", onClick: leave }),
  );
}

function NameOnSign() {
  const name = workshop.value?.name ?? "";
  // Once asked it stays, so that it can be typed to its end.
  const [isAsked] = useState(isOwner.value && name === session.value.me?.name);
  const text = startWords.value;
  if (!isAsked) return null;
  const save = (/** @type {string} */ value) => value.trim() && updateWorkshop({ name: value.trim() });
  return div(
    { class: "stack" },
    textField({
      label: text.yourSign,
      help: text.yourSignHelp,
      value: name,
      maxLength: 250,
      autocomplete: "organization",
      onCommit: save,
    }),
  );
}

/** @param {{ craft: string }} props */
function Jobs({ craft }) {
  const templates = templatesOf(craft);
  return div(
    { class: "stack" },
    ...templates.map((template) =>
      component(Job, {
        key: template.slug,
        name: template.name[wordsLanguage.value],
        templates: [template],
      })
    ),
    templates.length > 1 && component(Job, { name: startWords.value.allOf, templates }),
  );
}

/** @param {{ name: string, templates: Api.GridTemplate[] }} props */
function Job({ name, templates }) {
  const items = templates.flatMap(itemsOf);
  const pictures = [...new Set(items.map(({ emoji }) => emoji))].slice(0, 7).join(" ");
  return button(
    { class: "panel job", type: "button", onClick: () => begin(templates) },
    b({}, name),
    span({ class: "template-pictures", "aria-hidden": "true" }, pictures),
    span({ class: "quiet-text" }, words.value.common.tiles(items.length)),
    icon("chevron-right"),
  );
}

/** The first one is on top in the builder. @param {Api.GridTemplate[]} templates */
function begin(templates) {
  const room = MOST_GRIDS - grids.value.length;
  const made = templates.slice(0, room).toReversed().map((template) =>
    gridOf(template.name[wordsLanguage.value], itemsOf(template))
  );
  const first = made.at(-1);
  if (first) lastGrid.value = first;
  go("/estimates/new");
}

function NoWorkshop() {
  const text = startWords.value;
  const [problem, setProblem] = useState("");
  const refused = (/** @type {unknown} */ error) => {
    if (!isProblem(error)) throw error;
    setProblem(explained(error));
  };
  return div(
    { class: "stack" },
    left.value && notice({ kind: "warning", text: text.left(left.value) }),
    p({}, text.noWorkshopHelp),
    component(NewWorkshop, { refused }),
    problem && notice({ kind: "alarm", text: problem }),
    component(SignOut, {}),
  );
}

/** @param {{ refused: (error: unknown) => void }} props */
function NewWorkshop({ refused }) {
  const text = startWords.value;
  const [name, setName] = useState("");
  const [busy, setBusy] = useState(false);
  const isReady = name.trim() !== "" && isOnline();
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    if (!isReady || busy) return;
    setBusy(true);
    createWorkshop({ name: name.trim() }).catch(refused).finally(() => setBusy(false));
  };
  return form(
    { class: "panel", onSubmit: submit },
    textField({ label: text.workshopName, value: name, maxLength: 250, onInput: setName }),
    needsConnection(),
    actionButton({ label: text.makeWorkshop, kind: "main", type: "submit", busy, disabled: !isReady }),
  );
}

/** Somebody looks around first: the workshop is not asked for its craft again. */
function leaveFirstRun() {
  const others = firstRunLeft.value.filter((id) => id !== workshopId.value);
  firstRunLeft.value = [...others, workshopId.value].slice(-20);
}
