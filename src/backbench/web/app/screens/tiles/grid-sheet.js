// Sheet of a grid: its name, the size of its tiles, its place among the grids.

import { actionButton } from "../../components/action-button.js";
import { choice } from "../../components/choice.js";
import { conflictChoice } from "../../components/conflict-choice.js";
import { isOnline, needsConnection } from "../../components/needs-connection.js";
import { notice } from "../../components/notice.js";
import { sheet } from "../../components/sheet.js";
import { component, div, h3 } from "../../components/tags.js";
import { textField } from "../../components/text-field.js";
import { isProblem } from "../../api/problems.js";
import { explained } from "../../words/problems.js";
import { words } from "../../words/words.js";
import { tileWords } from "../../words/tiles.js";
import { deleteGrid, editGrid, grids, reorderGrids } from "../../state/grids.js";
import { lastGrid } from "../../state/preferences.js";
import { offerDrop } from "../../state/undo.js";
import { useState } from "../../vendor/hooks.js";

const SIZES = /** @type {const} */ (["small", "medium", "large"]);

/** @param {{ grid: Api.Grid, onClose: () => void }} props */
export function GridSheet({ grid, onClose }) {
  const text = tileWords.value;
  return sheet(
    {
      title: grid.name,
      onClose,
      foot: actionButton({ label: words.value.common.buttons.done, kind: "main", onClick: onClose }),
    },
    component(Name, { grid }),
    choice({
      label: text.size,
      value: grid.iconSize,
      options: SIZES.map((value) => ({ value, label: text.sizes[value] })),
      onChange: (iconSize) => void editGrid(grid.id, { iconSize }),
    }),
    grids.value.length > 1 && component(Place, { grid }),
    actionButton({
      label: text.deleteGrid,
      icon: "trash-2",
      kind: "quiet",
      onClick: () => remove(grid, onClose),
    }),
  );
}

/** @param {{ grid: Api.Grid }} props */
function Name({ grid }) {
  const text = tileWords.value;
  const [isEmpty, setEmpty] = useState(false);
  const save = (/** @type {string} */ name) => {
    // A grid without a name is refused: the last one stays until there is another.
    if (name.trim()) editGrid(grid.id, { name });
    setEmpty(!name.trim());
  };
  return div(
    { class: "stack" },
    textField({
      label: text.name,
      value: grid.name,
      maxLength: 250,
      autocomplete: "off",
      onCommit: save,
      ...(isEmpty ? { problem: text.nameMissing } : {}),
    }),
    conflictChoice({ objectId: grid.id, field: "name" }),
  );
}

/** The order of the grids is the server's alone. @param {{ grid: Api.Grid }} props */
function Place({ grid }) {
  const text = tileWords.value;
  const [problem, setProblem] = useState("");
  const ids = grids.value.map(({ id }) => id);
  const at = ids.indexOf(grid.id);
  /** @param {string} label @param {string} icon @param {number} to */
  const step = (label, icon, to) =>
    actionButton({
      label,
      icon,
      disabled: to < 0 || to >= ids.length || !isOnline(),
      onClick: () => void move(grid.id, ids, to).then(setProblem),
    });
  return div(
    { class: "stack" },
    h3({ class: "label" }, `${text.place}: ${text.position(at + 1, ids.length)}`),
    div(
      { class: "row halves" },
      step(text.earlier, "arrow-left", at - 1),
      step(text.later, "arrow-right", at + 1),
    ),
    needsConnection(),
    problem && notice({ kind: "alarm", text: problem }),
  );
}

/** Why it was refused, or "". @param {string} id @param {string[]} ids @param {number} to */
async function move(id, ids, to) {
  const others = ids.filter((other) => other !== id);
  try {
    await reorderGrids([...others.slice(0, to), id, ...others.slice(to)]);
    return "";
  } catch (error) {
    if (!isProblem(error)) throw error;
    return explained(error, words.value.common);
  }
}

/** @param {Api.Grid} grid @param {() => void} onClose */
function remove(grid, onClose) {
  offerDrop(tileWords.value.deleted(grid.name), deleteGrid(grid.id), () => {
    lastGrid.value = grid.id;
  });
  onClose();
}
