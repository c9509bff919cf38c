// Import: a file is chosen, its columns are named, and its rows become customers, orders or tiles; or go again.

import { command, once } from "../../state/commands.js";
import { inWorkshop, workshopId } from "../../state/workshops.js";
import { notYet, useAnswer } from "../../components/answer.js";
import { connectionFrame, problemNotice } from "./kit.js";
import { call } from "../../api/client.js";
import { actionButton } from "../../components/action-button.js";
import { choice, fold, selectField } from "../../components/controls.js";
import { isOnline, needsConnection, useCommand } from "../../components/command.js";
import { notice } from "../../components/notice.js";
import {
  b,
  component,
  div,
  h2,
  icon,
  input,
  label as labelTag,
  li,
  p,
  span,
  ul,
} from "../../components/tags.js";
import { date, quantity } from "../../domain/format.js";
import { useRef, useState } from "../../vendor/hooks.js";
import { connectionsWords } from "../../words/connections.js";
import { wordsLanguage } from "../../words/words.js";
import { alike, errors, fieldName, leftOut } from "./import-rows.js";

export function screen() {
  const [proposed, setProposed] = useState(/** @type {Api.Import | null} */ (null));
  const answered = useAnswer(
    () => call("GET /workshops/{workshopId}/imports", inWorkshop()),
    workshopId.value,
  );
  const [result, setResult] = useState(/** @type {Api.ImportResult | null} */ (null));
  const propose = (/** @type {Api.Import | null} */ found) => {
    setProposed(found);
    setResult(null);
  };
  const finish = async (/** @type {Api.ImportResult} */ found) => {
    await answered.reload();
    setProposed(null);
    setResult(found);
  };
  return connectionFrame(
    "imports",
    proposed
      ? component(Proposal, {
        key: proposed.id,
        proposed,
        onChange: propose,
        onDone: finish,
        onClose: () => propose(null),
      })
      : toChoose(result, propose),
    notYet(answered),
    !proposed && listed(answered.data?.imports ?? [], () => void answered.reload()),
  );
}

/** @param {Api.ImportResult | null} result of the last one @param {(found: Api.Import) => void} onProposed */
function toChoose(result, onProposed) {
  const text = connectionsWords.value.imports;
  return [
    result &&
    notice({
      kind: "good",
      text: `${text.done}: ${text.result(result.created, result.updated, result.skipped)}`,
    }),
    result && leftOut(result.notes),
    result && alike(result.duplicates),
    p({ class: "quiet-text" }, text.intro),
    component(ChosenFile, { onProposed }),
  ];
}

/** The earlier ones. @param {Api.ImportSummary[]} imports @param {() => void} onUndone */
function listed(imports, onUndone) {
  const done = imports.filter(({ state }) => state !== "proposed");
  return done.length > 0 && [
    h2({}, connectionsWords.value.imports.earlier),
    div(
      { class: "things" },
      ...done.map((each) => component(DoneImport, { done: each, key: each.id, onUndone })),
    ),
  ];
}

// Done import: what came of a file, and its undoing with what stays.

const MOST_KEPT = 50;

/** @param {{ done: Api.ImportSummary, onUndone: () => void }} props */
function DoneImport({ done, onUndone }) {
  const [undone, setUndone] = useState(/** @type {Api.UndoneImport | null} */ (null));
  const { busy, problem, run } = useCommand();
  const text = connectionsWords.value.imports;
  const undo = () =>
    void run(async () => {
      setUndone(
        await once("POST /imports/{importId}/undo", { importId: done.id }),
      );
      onUndone();
    });
  return div(
    { class: "thing" },
    icon(done.state === "undone" ? "undo-2" : "circle-check"),
    div(
      {},
      b({}, done.fileName || text.kinds[done.kind]),
      p({ class: "quiet-text" }, facts(done)),
      done.undoUntil &&
        actionButton({ label: text.undo, about: done.fileName, icon: "undo-2", busy, onClick: undo }),
    ),
    undone && notice({ kind: "good", text: text.removed(undone.removed), detail: kept(undone) }),
    importProblem(problem),
  );
}

/** @param {Api.ImportSummary} done */
function facts({ kind, result, state, runAt, undoUntil }) {
  const text = connectionsWords.value.imports;
  const day = (/** @type {string} */ instant) => date(instant, wordsLanguage.value);
  return [
    text.kinds[kind],
    state === "undone" ? text.undone : runAt && `${text.done} ${day(runAt)}`,
    result && text.result(result.created, result.updated, result.skipped),
    undoUntil && text.undoUntil(day(undoUntil)),
  ].filter(Boolean).join(" · ");
}

/** @param {Api.UndoneImport} undone */
function kept({ kept: found }) {
  const text = connectionsWords.value.imports;
  if (found.length === 0) return null;
  const lines = found.slice(0, MOST_KEPT).map(({ name, reason }) => `${name}: ${text.reasons[reason]}`);
  const more = found.length - lines.length;
  return div(
    {},
    p({}, text.kept),
    ul({}, ...lines.map((line) => li({}, line)), more > 0 && li({}, text.more(more))),
  );
}

// Chosen file: what is in it, and the file itself, which the server reads into a proposal.

/** @typedef {Api.Import["kind"]} Kind */

const KINDS = /** @type {const} */ (["customers", "orders", "tiles"]);
const TYPES = ".csv,.tsv,.txt,.xlsx,.vcf,text/csv,text/vcard";

/** @param {{ onProposed: (proposed: Api.Import) => void }} props */
function ChosenFile({ onProposed }) {
  const [kind, setKind] = useState(/** @type {Kind} */ ("customers"));
  const { busy, problem, run } = useCommand();
  const text = connectionsWords.value.imports;
  const send = (/** @type {File} */ file) => {
    const intent = ["import", workshopId.value, kind, file.name, file.size, file.lastModified];
    const form = new FormData();
    form.append("kind", kind);
    form.append("file", file, file.name);
    const create = (/** @type {string} */ key) =>
      call("POST /workshops/{workshopId}/imports", inWorkshop(), { form, key });
    void run(async () => onProposed(await command(intent, create)));
  };
  return div(
    { class: "stack" },
    choice({
      label: text.what,
      value: kind,
      options: KINDS.map((value) => ({ value, label: text.kinds[value] })),
      onChange: setKind,
    }),
    needsConnection(),
    fileButton(text.choose, busy, send),
    p({ class: "quiet-text" }, text.limits),
    problemNotice(problem, atFile(problem)),
  );
}

/** Why the file cannot be read. @param {import("../../api/problems.js").Problem | null} problem */
function atFile(problem) {
  const { files } = connectionsWords.value.imports;
  const { code = "", pointer = "" } = problem?.errors.find((each) => each.pointer.startsWith("/file")) ?? {};
  if (problem?.status === 413) return files.too_large;
  if (code === "open_quote") return files.open_quote(pointer.split("/").at(-1) ?? "");
  return code in files ? files[/** @type {Exclude<keyof typeof files, "open_quote">} */ (code)] : undefined;
}

/** @param {string} label @param {boolean} busy @param {(file: File) => void} onFile */
function fileButton(label, busy, onFile) {
  return labelTag(
    { class: "button main photo", "aria-busy": busy ? "true" : undefined },
    icon("upload"),
    span({}, label),
    input({
      type: "file",
      accept: TYPES,
      class: "spoken",
      disabled: busy || !isOnline(),
      onChange: (event) => {
        const file = event.currentTarget.files?.[0];
        // The same file can be chosen again.
        event.currentTarget.value = "";
        if (file) onFile(file);
      },
    }),
  );
}

// Proposal: what each column of the file is taken for, with cells of it, and which rows will be left out.

/** @typedef {keyof (typeof connectionsWords)["value"]["imports"]["fields"]} Field */
/** @typedef {keyof (typeof connectionsWords)["value"]["imports"]["programs"]} Program */

const MOST_CELLS = 3;

/** @param {{ proposed: Api.Import, onChange: (proposed: Api.Import) => void, onDone: (result: Api.ImportResult) => Promise<void>, onClose: () => void }} props */
function Proposal({ proposed, onChange, onDone, onClose }) {
  const importing = useCommand();
  const { problem, busy, doing, run } = importing;
  const text = connectionsWords.value.imports;
  const save = useEdits(proposed, onChange, importing);
  const choose = (/** @type {number} */ column, /** @type {string} */ field) =>
    save((found) => ({ mapping: changed(found, column, field) }));
  const answer = (/** @type {string} */ id, /** @type {string} */ value) =>
    save(() => ({ answers: { [id]: value } }));
  const start = () =>
    void run(
      async () => onDone(await once("POST /imports/{importId}/run", { importId: proposed.id })),
      "run",
    );
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

/** @typedef {(found: Api.Import) => Api.ImportEdit} Edit of the proposal as the edits before it left it */

/**
 * Sends one edit after the other: a large file takes seconds to be read again, and the next choice is made meanwhile.
 * @param {Api.Import} proposed @param {(proposed: Api.Import) => void} onChange @param {ReturnType<typeof useCommand>} importing
 */
function useEdits(proposed, onChange, { doing, run }) {
  const waiting = useRef(/** @type {Edit[]} */ ([])).current;
  const send = async () => {
    let found = proposed;
    try {
      for (let edit = waiting.shift(); edit; edit = waiting.shift()) {
        const body = edit(found);
        onChange(found = await call("PATCH /imports/{importId}", { importId: proposed.id }, { body }));
      }
    } finally {
      waiting.length = 0;
    }
  };
  return (/** @type {Edit} */ edit) => {
    if (doing === "run") return;
    waiting.push(edit);
    void run(send, "map");
  };
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
    fold(text, fields(empty)),
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

/** @typedef {Api.Import["questions"][number]} Question */
/** @typedef {keyof (typeof connectionsWords)["value"]["imports"]["questions"]} QuestionKind */

/** @param {Api.Import} proposed @param {(id: string, value: string) => void} onAnswer */
function questions({ questions: found, columns }, onAnswer) {
  return found.map((question) => {
    const kind = /** @type {QuestionKind} */ (question.id.split(":")[0]);
    const heading = question.column === undefined ? "" : `${columns[question.column]}: `;
    return div(
      { class: "stack", key: question.id },
      choice({
        label: heading + connectionsWords.value.imports.questions[kind].text,
        value: question.answer ?? question.proposed,
        options: question.options.map((option) => ({
          value: option.value,
          label: answer(kind, option),
        })),
        onChange: (value) => onAnswer(question.id, value),
      }),
      ...question.options.map((option) =>
        p({ class: "quiet-text" }, `${answer(kind, option)}: ${samples(option)}`)
      ),
    );
  });
}

/** @param {QuestionKind} kind @param {Question["options"][number]} option */
function answer(kind, { value, text }) {
  const { answers } =
    /** @type {{ answers?: Record<string, string> }} */ (connectionsWords.value.imports.questions[kind]);
  return answers?.[value] ?? text;
}

/** @param {Question["options"][number]} option */
function samples(option) {
  return option.samples.map(({ cell, value }) => `${cell} → ${read(value)}`).join(" · ");
}

/** A value as JSON has it, in the language of the app; a cell as it is. @param {string} value */
function read(value) {
  if (/^-?\d+(\.\d+)?$/.test(value)) return quantity(value, wordsLanguage.value);
  return /^\d{4}-\d{2}-\d{2}$/.test(value) ? date(value, wordsLanguage.value) : value;
}

/** @param {import("../../api/problems.js").Problem | null} problem */
function importProblem(problem) {
  const { problems } = connectionsWords.value.imports;
  const code = problem?.code ?? "";
  const { limit } = /** @type {{ limit?: unknown }} */ (problem?.data ?? {});
  // The most grids of a workshop; other limits have the usual sentence.
  if (code === "plan_limit" && limit === 10) return problemNotice(problem, problems.grids);
  return problemNotice(
    problem,
    code in problems ? problems[/** @type {keyof typeof problems} */ (code)] : undefined,
  );
}
