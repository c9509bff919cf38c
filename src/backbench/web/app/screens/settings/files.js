// Files: PDFs and pictures of the workshop, with their sizes.

import { notYet, useAnswer } from "../../components/answer.js";
import { rowOf, rowsOf, settingsFrame, useConfirmed } from "./kit.js";
import { entitlements, inWorkshop, loadSettings, workshopId } from "../../state/workshops.js";
import { call } from "../../api/client.js";
import { address } from "../../api/early.js";
import { actionButton } from "../../components/action-button.js";
import { emptyState } from "../../components/notice.js";
import { component, icon, img, p } from "../../components/tags.js";
import { shortDate, size } from "../../domain/format.js";
import { words, wordsLanguage } from "../../words/words.js";
import { shopWords } from "../../words/shop.js";
import { besideApp, offers } from "../../local/system.js";
import { grids } from "../../state/grids.js";

/** @typedef {import("../../api/problems.js").Problem} Problem */

export function screen() {
  const answered = useAnswer(
    () => call("GET /workshops/{workshopId}/files", inWorkshop()),
    workshopId.value,
  );
  const text = shopWords.value.files;
  const files = answered.data?.files ?? [];
  return settingsFrame(
    { title: text.title },
    usage(),
    notYet(answered),
    answered.data && files.length === 0 && emptyState({ text: text.empty, picture: "🗂️" }),
    rowsOf(files.map((file) => component(FileRow, { file, key: file.id }))),
  );
}

function usage() {
  const { usedBytes, limitBytes } = entitlements.value?.fileStorage ?? {};
  if (usedBytes === undefined || limitBytes === undefined) return null;
  const { plan, files } = shopWords.value;
  const language = wordsLanguage.value;
  return p(
    { class: "row" },
    `${plan.storage}: `,
    plan.used(size(usedBytes, language), size(limitBytes, language)),
    offers("plans") && actionButton({ label: files.toPlan, kind: "quiet", href: "/shop/plan" }),
  );
}

/** @param {{ file: Api.FileRecord, key?: string }} props */
function FileRow({ file }) {
  const text = shopWords.value.files;
  const name = file.name ?? text.kinds[file.category];
  const language = wordsLanguage.value;
  const detail = `${text.kinds[file.category]} · ${size(file.sizeBytes, language)} · ${
    shortDate(file.createdAt, language)
  }`;
  const { isDone, button } = useConfirmed({
    label: words.value.common.buttons.delete,
    about: name,
    icon: "trash-2",
    iconOnly: true,
    work: () => call("DELETE /files/{fileId}", { fileId: file.id }).then(loadSettings),
    explain: usedBy,
  });
  if (isDone) return null;
  const link = { href: address(`/files/${file.id}`), ...besideApp() };
  return rowOf({ picture: picture(file) }, { name, link }, [detail], button);
}

/** @param {Api.FileRecord} file */
const picture = ({ id, category }) =>
  category === "grid_tile_icon"
    ? img({ class: "thing-picture", src: address(`/files/${id}`), alt: "", loading: "lazy" })
    : icon("file-text");

/** The names of the grids that show the picture. @param {Problem | null} problem */
function usedBy(problem) {
  const ids = /** @type {string[]} */ (problem?.data.gridIds ?? []);
  const names = grids.value.filter(({ id }) => ids.includes(id)).map(({ name }) => name);
  return names.length ? shopWords.value.files.usedBy(names.join(", ")) : undefined;
}
