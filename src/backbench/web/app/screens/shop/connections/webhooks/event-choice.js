// Event choice: every change, or some kinds of them.

import { choice } from "../../../../components/choice.js";
import { details, div, icon, summary } from "../../../../components/tags.js";
import { toggle } from "../../../../components/toggle.js";
import { connectionsWords } from "../../../../words/connections.js";
import { shopWords } from "../../../../words/shop.js";

/** @typedef {keyof (typeof connectionsWords)["value"]["webhooks"]["groups"]} Group */

/** What an event is about, by the first part of its name. @type {Readonly<Record<Group, readonly string[]>>} */
const ABOUT = {
  orders: ["order", "photo"],
  money: ["payment"],
  estimates: ["estimate", "decision", "pdf", "handoff"],
  customers: ["customer"],
  tiles: ["grid", "file"],
  workshop: ["workshop", "plan", "invitation", "member", "inbox", "webhook"],
};

/** @param {{ events: string[], onChange: (events: string[]) => void }} props */
export function eventChoice({ events, onChange }) {
  const text = connectionsWords.value.webhooks;
  const isAll = events.includes("*");
  const groups = /** @type {Group[]} */ (Object.keys(ABOUT));
  return div(
    { class: "stack" },
    choice({
      label: text.which,
      value: isAll ? "all" : "chosen",
      options: [{ value: "all", label: text.all }, { value: "chosen", label: text.chosen }],
      onChange: (which) => onChange(which === "all" ? ["*"] : []),
    }),
    !isAll && div({ class: "folds" }, ...groups.map((group) => kinds(group, events, onChange))),
  );
}

/** @param {Group} group @param {string[]} events @param {(events: string[]) => void} onChange */
function kinds(group, events, onChange) {
  const text = connectionsWords.value.webhooks;
  const { actions } = shopWords.value.activity;
  const found = Object.entries(actions).filter(([name]) => ABOUT[group].includes(name.split(".")[0] ?? ""));
  const count = found.filter(([name]) => events.includes(name)).length;
  return details(
    { key: group },
    summary({}, icon("chevron-down"), count ? `${text.groups[group]} · ${count}` : text.groups[group]),
    ...found.map(([name, label]) =>
      toggle({
        label,
        value: events.includes(name),
        onChange: (on) => onChange(on ? [...events, name] : events.filter((each) => each !== name)),
      })
    ),
  );
}
