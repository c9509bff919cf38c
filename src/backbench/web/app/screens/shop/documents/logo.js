// Logo of documents: the workshop's own picture, or the emoji of its sign, or none.

import { address } from "../../../api/client.js";
import { uploadFile } from "../../../api/files.js";
import { actionButton } from "../../../components/action-button.js";
import { notice } from "../../../components/notice.js";
import { photoButton } from "../../../components/photo-button.js";
import { div, img, p, span } from "../../../components/tags.js";
import { toggle } from "../../../components/toggle.js";
import { newId } from "../../../domain/ids.js";
import { words } from "../../../i18n/index.js";
import { shopWords } from "../../../i18n/shop.js";
import { smallPicture } from "../../../local/small-picture.js";
import { connection } from "../../../state/connection.js";
import { save } from "../../../state/shared-record.js";
import { workshop, workshopId } from "../../../state/workshops.js";
import { problemNotice } from "../common/problem-notice.js";
import { problemAt, recordConflict } from "../common/record-fields.js";
import { useState } from "../../../vendor/hooks.js";
import { useAttempt } from "../../../components/attempt.js";

/** @typedef {import("../documents.js").SettingsRecord} SettingsRecord */

/** @param {{ record: SettingsRecord }} props */
export function LogoFields({ record }) {
  const text = shopWords.value.documents;
  const { busy, problem, run } = useAttempt();
  const [isUnreadable, setIsUnreadable] = useState(false);
  const settings = record.value.value;
  const upload = async (/** @type {File} */ file) => {
    const picture = await smallPicture(file).catch(() => null);
    setIsUnreadable(picture === null);
    if (picture) await run(() => uploadLogo(record, picture, file.name));
  };
  const refused = problemAt(record, "logoFileId");
  return [
    toggle({
      label: text.showLogo,
      help: text.logoHelp,
      value: settings?.showLogo ?? true,
      onChange: (showLogo) => void save(record, { showLogo }),
    }),
    settings?.showLogo !== false && div(
      { class: "row" },
      picture(settings?.logoFileId),
      photoButton({
        label: text.uploadLogo,
        onPhoto: (file) => void upload(file),
        busy,
        disabled: !connection.value.online,
      }),
      settings?.logoFileId && actionButton({
        label: text.removeLogo,
        kind: "quiet",
        onClick: () => void save(record, { logoFileId: undefined }),
      }),
    ),
    refused && p({ class: "field-problem", role: "alert" }, refused),
    isUnreadable && notice({ kind: "alarm", text: words.value.common.errors.unsupported_media_type }),
    problemNotice(problem),
    recordConflict({ record, name: "showLogo" }),
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
  const { id } = await uploadFile(form, { key: newId() });
  await save(record, { logoFileId: id, showLogo: true });
}
