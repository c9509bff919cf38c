// Chosen file: what is in it, and the file itself, which the server reads into a proposal.

import { call } from "../../../../api/client.js";
import { choice } from "../../../../components/choice.js";
import { useCommand } from "../../../../components/command.js";
import { isOnline, needsConnection } from "../../../../components/needs-connection.js";
import { div, icon, input, label as labelTag, p, span } from "../../../../components/tags.js";
import { connectionsWords } from "../../../../words/connections.js";
import { command } from "../../../../state/commands.js";
import { workshopId } from "../../../../state/workshops.js";
import { useState } from "../../../../vendor/hooks.js";
import { problemNotice } from "../../common/problem-notice.js";

/** @typedef {Api.Import["kind"]} Kind */

const KINDS = /** @type {const} */ (["customers", "orders", "tiles"]);
const TYPES = ".csv,.tsv,.txt,.xlsx,.vcf,text/csv,text/vcard";

/** @param {{ onProposed: (proposed: Api.Import) => void }} props */
export function ChosenFile({ onProposed }) {
  const [kind, setKind] = useState(/** @type {Kind} */ ("customers"));
  const { busy, problem, run } = useCommand();
  const text = connectionsWords.value.imports;
  const send = (/** @type {File} */ file) => {
    const intent = ["import", workshopId.value, kind, file.name, file.size, file.lastModified];
    const form = new FormData();
    form.append("kind", kind);
    form.append("file", file, file.name);
    const create = (/** @type {string} */ key) =>
      call("POST /workshops/{workshopId}/imports", { workshopId: workshopId.value }, { form, key });
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

/** Why the file cannot be read. @param {import("../../../../api/problems.js").Problem | null} problem */
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
