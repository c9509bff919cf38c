// Proposal: what each column of the file is taken for, with cells of it, and which rows will be left out.

import { call } from "../../../../api/client.js";
import { actionButton } from "../../../../components/action-button.js";
import { useCommand } from "../../../../components/command.js";
import { needsConnection } from "../../../../components/needs-connection.js";
import { selectField } from "../../../../components/select-field.js";
import { details, div, h2, icon, p, span, summary } from "../../../../components/tags.js";
import { connectionsWords } from "../../../../words/connections.js";
import { command } from "../../../../state/commands.js";
import { importProblem } from "./problem.js";
import { questions } from "./questions.js";
import { alike, errors, fieldName, leftOut } from "./rows-left.js";

/** @typedef {keyof (typeof connectionsWords)["value"]["imports"]["fields"]} Field */
/** @typedef {keyof (typeof connectionsWords)["value"]["imports"]["programs"]} Program */

const MOST_CELLS = 3;

/** @param {{ proposed: Api.Import, onChange: (proposed: Api.Import) => void, onDone: (result: Api.ImportResult) => Promise<void>, onClose: () => void }} props */
export function Proposal({ proposed, onChange, onDone, onClose }) {
  const { problem, busy, doing, run } = useCommand();
  const text = connectionsWords.value.imports;
  const save = (/** @type {Api.ImportEdit} */ body) =>
    void run(
      async () => onChange(await call("PATCH /imports/{importId}", { importId: proposed.id }, { body })),
      "map",
    );
  const choose = (/** @type {number} */ column, /** @type {string} */ field) =>
    save({ mapping: changed(proposed, column, field) });
  const answer = (/** @type {string} */ id, /** @type {string} */ value) =>
    save({ answers: { [id]: value } });
  const start = () =>
    void run(async () => {
      await onDone(
        await command(
          ["run import", proposed.id],
          (key) => call("POST /imports/{importId}/run", { importId: proposed.id }, { key }),
        ),
      );
    }, "run");
  return div(
    { class: "stack" },
    h2({}, `${proposed.fileName} · ${text.rows(proposed.rows)}`),
    recognized(proposed),
    ...questions(proposed, answer),
    p({}, text.mapping),
    ...columnFields(proposed, choose),
    p({ class: "quiet-text" }, text.mappingHelp),
    errors(proposed),
    leftOut(proposed.notes),
    alike(proposed.duplicates),
    needsConnection(),
    doing === "run" && p({ class: "quiet-text", role: "status" }, text.running),
    importProblem(problem),
    buttons(proposed, busy, start, onClose),
  );
}

/** The program that wrote the file. @param {Api.Import} proposed */
function recognized({ program }) {
  const text = connectionsWords.value.imports;
  const name = text.programs[/** @type {Program} */ (program ?? "")];
  return name && p({ class: "quiet-text" }, text.program(name));
}

/** @param {Api.Import} proposed @param {boolean} busy @param {() => void} onStart @param {() => void} onClose */
function buttons({ rows, rowsWithErrors }, busy, onStart, onClose) {
  const text = connectionsWords.value.imports;
  const good = rows - rowsWithErrors;
  return div(
    { class: "row" },
    actionButton({
      label: text.run(good),
      kind: "main",
      icon: "check",
      busy,
      disabled: good === 0,
      onClick: onStart,
    }),
    actionButton({ label: text.another, kind: "quiet", onClick: onClose }),
  );
}

/** Of each column; those that are empty and taken for nothing stand apart. @param {Api.Import} proposed @param {(column: number, field: string) => void} choose */
function columnFields(proposed, choose) {
  const { columns, mapping, sample } = proposed;
  const isUsed = (/** @type {number} */ at) =>
    Object.values(mapping).includes(at) || sample.some((row) => row[at]);
  const all = columns.map((_, at) => at);
  const fields = (/** @type {number[]} */ some) =>
    div({ class: "stack" }, ...some.map((at) => columnField(proposed, at, choose)));
  const empty = all.filter((at) => !isUsed(at));
  const text = connectionsWords.value.imports.emptyColumns(empty.length);
  return [
    fields(all.filter(isUsed)),
    empty.length > 0 &&
    details({ class: "more" }, summary({}, span({}, text), icon("chevron-down")), fields(empty)),
  ];
}

/** @param {Api.Import} proposed @param {number} at @param {(column: number, field: string) => void} choose */
function columnField({ columns, mapping, sample }, at, choose) {
  const text = connectionsWords.value.imports;
  const fields = /** @type {Field[]} */ (Object.keys(mapping));
  const cells = sample.map((row) => row[at]).filter(Boolean).slice(0, MOST_CELLS);
  return selectField({
    label: columns[at] ?? "",
    value: fields.find((field) => mapping[field] === at) ?? "",
    options: [
      { value: "", label: text.ignored },
      ...fields.map((value) => ({ value, label: fieldName(value) })),
    ],
    ...(cells.length > 0 ? { help: cells.join(" · ") } : {}),
    onChange: (field) => choose(at, field),
  });
}

/** The fields that change where a column becomes another one. @param {Api.Import} proposed @param {number} column @param {string} field */
function changed({ mapping }, column, field) {
  const before = Object.keys(mapping).filter((name) => mapping[name] === column);
  return { ...Object.fromEntries(before.map((name) => [name, null])), ...(field && { [field]: column }) };
}
