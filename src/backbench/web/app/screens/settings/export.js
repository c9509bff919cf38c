// Export: the whole account as a file, after what waits on this phone was sent.

import { problemNotice, settingsFrame } from "./kit.js";
import { call } from "../../api/client.js";
import { actionButton } from "../../components/action-button.js";
import { needsConnection, useCommand } from "../../components/command.js";
import { notice } from "../../components/notice.js";
import { component, p, section } from "../../components/tags.js";
import { size } from "../../domain/format.js";
import { connection } from "../../state/connection.js";
import { wake } from "../../state/outbox.js";
import { useState } from "../../vendor/hooks.js";
import { shopWords } from "../../words/shop.js";
import { words, wordsLanguage } from "../../words/words.js";

const FILES = /** @type {const} */ ({
  archive: {
    name: "backbench.zip",
    icon: "download",
    get: () => call("GET /me/data-archive", {}, { as: "blob" }),
  },
  json: { name: "backbench.json", icon: "file-text", get: dataAsFile },
});

export function screen() {
  const text = shopWords.value.exports;
  return settingsFrame(
    text,
    component(Waiting, {}),
    needsConnection(),
    component(Export, { kind: "archive" }),
    component(Export, { kind: "json" }),
  );
}

/** Whether the file will have all that was entered here. */
function Waiting() {
  const text = shopWords.value.exports;
  const unsent = connection.value.waiting + connection.value.refused;
  if (!unsent) return notice({ kind: "good", text: text.complete });
  return notice({
    kind: "warning",
    text: text.waiting(words.value.common.changes(unsent)),
    action: { label: text.sendFirst, icon: "send", onClick: () => void wake() },
  });
}

/** @param {{ kind: keyof typeof FILES }} props */
function Export({ kind }) {
  const { busy, problem, run } = useCommand();
  const [bytes, setBytes] = useState(0);
  const text = shopWords.value.exports;
  const file = FILES[kind];
  const make = () =>
    void run(async () => {
      setBytes(0);
      const blob = await file.get();
      handOver(blob, file.name);
      setBytes(blob.size);
    });
  return section(
    { class: "panel" },
    actionButton({
      label: busy ? text.working : text[kind],
      icon: file.icon,
      kind: kind === "archive" ? "main" : "plain",
      busy,
      disabled: !connection.value.online,
      onClick: make,
    }),
    p(
      { class: "quiet-text", role: "status" },
      bytes > 0 ? text.done(size(bytes, wordsLanguage.value)) : text.help[kind],
    ),
    problemNotice(problem),
  );
}

async function dataAsFile() {
  return new Blob([JSON.stringify(await call("GET /me/data-export"), null, 2)], { type: "application/json" });
}

const KEPT = 60_000;

/** @param {Blob} blob @param {string} name */
function handOver(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // Some browsers read it only after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), KEPT);
}
