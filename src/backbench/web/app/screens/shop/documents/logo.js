// Logo of documents: the workshop's own picture, or the emoji of its sign, or none.

import { call } from "../../../api/client.js";
import { address } from "../../../api/early.js";
import { actionButton } from "../../../components/action-button.js";
import { notice } from "../../../components/notice.js";
import { photoButton } from "../../../components/photo-button.js";
import { component, div, img, p, span } from "../../../components/tags.js";
import { toggle } from "../../../components/toggle.js";
import { words } from "../../../words/words.js";
import { shopWords } from "../../../words/shop.js";
import { smallPicture } from "../../../local/small-picture.js";
import { command } from "../../../state/commands.js";
import { connection } from "../../../state/connection.js";
import { workshop, workshopId } from "../../../state/workshops.js";
import { problemNotice } from "../common/problem-notice.js";
import { problemAt, recordConflict } from "../../../components/record-fields.js";
import { useState } from "../../../vendor/hooks.js";
import { useCommand } from "../../../components/command.js";

/** @typedef {import("../documents.js").SettingsRecord} SettingsRecord */

/** @param {{ record: SettingsRecord }} props */
export function LogoFields({ record }) {
  const text = shopWords.value.documents;
  const isShown = record.value.value?.showLogo ?? true;
  return [
    toggle({
      label: text.showLogo,
      help: text.logoHelp,
      value: isShown,
      onChange: (showLogo) => record.save({ showLogo }),
    }),
    recordConflict({ record, name: "showLogo" }),
    isShown && component(OwnLogo, { record }),
  ];
}

/** @param {{ record: SettingsRecord }} props */
function OwnLogo({ record }) {
  const { busy, problem, run } = useCommand();
  const [isUnreadable, setIsUnreadable] = useState(false);
  const text = shopWords.value.documents;
  const fileId = record.value.value?.logoFileId;
  const upload = async (/** @type {File} */ file) => {
    const small = await smallPicture(file).catch(() => null);
    setIsUnreadable(small === null);
    if (small) await run(() => uploadLogo(record, small, file.name));
  };
  const remove = () => record.save({ logoFileId: undefined });
  const refused = problemAt(record, "logoFileId");
  return [
    div(
      { class: "row" },
      picture(fileId),
      photoButton({
        label: text.uploadLogo,
        onPhoto: (file) => void upload(file),
        busy,
        disabled: !connection.value.online,
      }),
      fileId && actionButton({ label: text.removeLogo, kind: "quiet", onClick: remove }),
    ),
    refused && p({ class: "field-problem", role: "alert" }, refused),
    isUnreadable && notice({ kind: "alarm", text: words.value.common.errors.unsupported_media_type }),
    problemNotice(problem),
  ];
}

/** @param {string | undefined} fileId */
function picture(fileId) {
  return fileId
    ? img({ class: "thing-picture", src: address(`/files/${fileId}`), alt: shopWords.value.documents.logo })
    : span({ class: "logo-now", "aria-hidden": "true" }, workshop.value?.logo);
}

/** @param {SettingsRecord} record @param {Blob} logo @param {string} name */
async function uploadLogo(record, logo, name) {
  const form = new FormData();
  form.set("category", "grid_tile_icon");
  form.set("workshopId", workshopId.value);
  form.set("file", logo, name || "logo");
  const intent = ["logo", workshopId.value, name, logo.size];
  const { id } = await command(intent, (key) => call("POST /files", {}, { form, key }));
  record.save({ logoFileId: id, showLogo: true });
}
