// Picture of a tile: an emoji, found by words or in its group, or a photo.

import { actionButton } from "../../components/action-button.js";
import { emojiPicker } from "../../components/emoji-picker.js";
import { isOnline, needsConnection } from "../../components/needs-connection.js";
import { notice } from "../../components/notice.js";
import { photoButton } from "../../components/photo-button.js";
import { component, div, p } from "../../components/tags.js";
import { isProblem } from "../../api/problems.js";
import { explained } from "../../words/problems.js";
import { words } from "../../words/words.js";
import { tileWords } from "../../words/tiles.js";
import { emoji, loadCatalog } from "../../state/catalog.js";
import { useEffect, useState } from "../../vendor/hooks.js";
import { emojiFor, groups } from "./emoji-search.js";
import { uploadIcon } from "./photo.js";

/** @typedef {import("./tile-form.js").Draft} Draft */
/** @typedef {{ tile: Draft, onChange: (fields: Partial<Draft>) => void, onDone: () => void }} PictureChoice */

/** @param {PictureChoice} props */
export const pictureChoice = (props) => component(Choice, props);

/** @param {PictureChoice} props */
function Choice({ tile, onChange, onDone }) {
  const text = tileWords.value;
  useEffect(() => void loadCatalog(), []);
  const choose = (/** @type {string} */ chosen) => {
    onChange({ emoji: chosen, iconFileId: null });
    onDone();
  };
  return div(
    { class: "stack" },
    component(Photo, { tile, onChange, onDone }),
    emoji.value
      ? emojiPicker({
        label: text.pictures,
        search: text.searchPicture,
        none: text.noPicture,
        value: tile.iconFileId ? "" : tile.emoji,
        groups: groups(),
        find: emojiFor,
        onChange: choose,
      })
      : p({ class: "quiet-text late" }, isOnline() ? words.value.common.loading : needsConnection()),
  );
}

/** @param {PictureChoice} props */
function Photo({ tile, onChange, onDone }) {
  const text = tileWords.value;
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState("");
  const take = async (/** @type {File} */ file) => {
    setBusy(true);
    setProblem("");
    try {
      onChange({ iconFileId: await uploadIcon(file) });
      onDone();
    } catch (error) {
      setProblem(isProblem(error) ? explained(error, words.value.common) : text.photoUnreadable);
    }
    setBusy(false);
  };
  return div(
    { class: "stack" },
    div(
      { class: "row halves" },
      photoButton({ label: text.photo, onPhoto: (file) => void take(file), busy, disabled: !isOnline() }),
      tile.iconFileId &&
        actionButton({ label: text.removePhoto, icon: "x", onClick: () => onChange({ iconFileId: null }) }),
    ),
    needsConnection(),
    problem && notice({ kind: "alarm", text: problem }),
  );
}
