// Bar below the catalog: adds the items that were ticked to a grid.

import { actionButton } from "../../components/action-button.js";
import { notice } from "../../components/notice.js";
import { sheet } from "../../components/sheet.js";
import { div } from "../../components/tags.js";
import { catalogWords, tileWords } from "../../words/tiles.js";
import { words } from "../../words/words.js";
import { grids } from "../../state/grids.js";
import { useState } from "../../vendor/hooks.js";
import { hasRoom, MOST_GRIDS } from "../tiles/new-grid.js";
import { addItems, chosen, gridOf } from "./chosen.js";
import { refusal, toGrid } from "./templates.js";

/** @param {{ grid: Api.Grid | undefined }} props the grid to which they go, if that is known */
export function ChosenBar({ grid }) {
  const [asks, setAsks] = useState(false);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState("");
  const add = async (/** @type {Api.Grid} */ target) => {
    setBusy(true);
    setAsks(false);
    const failed = await addItems(target, chosen.value).then(() => "", refusal);
    setBusy(false);
    setProblem(failed);
    if (!failed) toGrid(target.id);
  };
  return div(
    { class: "stack" },
    problem && notice({ kind: "alarm", text: problem }),
    actionButton({
      label: catalogWords.value.addChosen(words.value.common.tiles(chosen.value.length)),
      kind: "main",
      wide: true,
      busy,
      onClick: () => grid ? void add(grid) : setAsks(true),
    }),
    asks && whichGrid((target) => void add(target), () => setAsks(false)),
  );
}

/** @param {(grid: Api.Grid) => void} onChoose @param {() => void} onClose */
function whichGrid(onChoose, onClose) {
  const text = catalogWords.value;
  return sheet(
    { title: text.whichGrid, onClose },
    ...grids.value.map((grid) =>
      actionButton({ label: grid.name, icon: "layout-grid", wide: true, onClick: () => onChoose(grid) })
    ),
    hasRoom()
      ? actionButton({
        label: text.onNewGrid,
        icon: "plus",
        wide: true,
        onClick: () => toGrid(gridOf(text.newGridName, chosen.value)),
      })
      : notice({ kind: "warning", text: tileWords.value.gridLimit(MOST_GRIDS) }),
  );
}
