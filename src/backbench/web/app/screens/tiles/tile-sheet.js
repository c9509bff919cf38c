// Sheet of a tile: its price first, then all the rest. Every change is made at once.

import { call } from "../../api/client.js";
import { command } from "../../state/commands.js";
import { conflictChoice, hasUnreadable, useUnreadable } from "../../components/bound-fields.js";
import { isProblem } from "../../api/problems.js";
import { notYet, useAnswer } from "../../components/answer.js";
import { actionButton } from "../../components/action-button.js";
import { colourField } from "../../components/colour-field.js";
import { emojiFor, emojiPicker, groups, pictureFor } from "./emoji.js";
import { keypad } from "../../components/keypad.js";
import { isOnline, needsConnection } from "../../components/command.js";
import { notice } from "../../components/notice.js";
import { photoButton } from "../../components/photo-button.js";
import { kindOf } from "../../components/prices.js";
import { selectField } from "../../components/controls.js";
import { sheet } from "../../components/sheet.js";
import { component, div, h3, img, p, span } from "../../components/tags.js";
import { textField } from "../../components/text-field.js";
import { paintTile } from "../../components/tile.js";
import { BOUNDS, percent, shown, times, typed } from "../../domain/numbers.js";
import { minorDigits } from "../../domain/currencies.js";
import { UNITS } from "../../domain/units.js";
import { emoji, loadEmoji, readCatalog } from "../../state/catalog.js";
import { addTile, deleteTile, editTile, moveTile } from "../../state/grids.js";
import { isTaxed } from "../../state/prices.js";
import { offerDrop } from "../../state/undo.js";
import { currency, tilePrices, workshopId } from "../../state/workshops.js";
import { useEffect, useLayoutEffect, useRef, useState } from "../../vendor/hooks.js";
import { explained, fieldExplained } from "../../words/problems.js";
import { tileWords } from "../../words/tiles.js";
import { words, wordsLanguage } from "../../words/words.js";

/** @typedef {Parameters<typeof editTile>[2]} Fields */

/** @param {{ grid: Api.Grid, tileId: string, onClose: () => void }} props */
export function TileSheet({ grid, tileId, onClose }) {
  const [picks, setPicks] = useState(false);
  const found = grid.buttons.find(({ id }) => id === tileId);
  const text = tileWords.value;
  if (!found) return sheet({ title: text.title, onClose }, p({}, text.tileGone));
  const change = (/** @type {Fields} */ fields) => void editTile(grid.id, tileId, fields);
  if (picks) return picturesOf(found, change, () => setPicks(false));
  return sheet(
    { title: found.label, onClose, foot: done(onClose) },
    tileForm({ tile: found, onChange: change, onPicture: () => setPicks(true) }),
    ...["unitPrice", "label", "unit"].map((field) =>
      conflictChoice({ objectId: grid.id, field, part: tileId })
    ),
    place(grid, found),
    actionButton({
      label: text.deleteTile,
      icon: "trash-2",
      kind: "quiet",
      onClick: () => remove(grid, found, onClose),
    }),
  );
}

/** A new tile is on the grid once it has a name. @param {{ grid: Api.Grid, onClose: () => void }} props */
export function NewTile({ grid, onClose }) {
  const [picks, setPicks] = useState(false);
  const [draft, setDraft] = useState(
    /** @type {Draft} */ ({ emoji: "", label: "", unit: "piece", unitPrice: 0 }),
  );
  useEffect(() => void loadEmoji(), []);
  const text = tileWords.value;
  const shown = { ...draft, emoji: draft.emoji || pictureFor(draft.label) };
  const change = (/** @type {object} */ fields) => setDraft((now) => ({ ...now, ...fields }));
  const add = () => {
    addTile(grid.id, withoutNulls({ ...shown, label: draft.label.trim() }));
    onClose();
  };
  if (picks) return picturesOf(shown, change, () => setPicks(false));
  const foot = actionButton({
    label: text.putOnGrid,
    kind: "main",
    disabled: draft.label.trim() === "",
    onClick: () => hasUnreadable() || add(),
  });
  return sheet(
    { title: text.newTile, onClose, foot },
    tileForm({ tile: shown, onChange: change, onPicture: () => setPicks(true), isNew: true }),
  );
}

/** @template {object} T @param {T} record @returns {any} */
const withoutNulls = (record) =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null));

/** @param {Draft} tile @param {(fields: any) => void} change @param {() => void} onClose */
function picturesOf(tile, change, onClose) {
  return sheet(
    { title: tileWords.value.choosePicture, onClose, foot: done(onClose) },
    pictureChoice({ tile, onChange: change, onDone: onClose }),
  );
}

/** @param {() => void} onClick */
const done = (onClick) =>
  actionButton({
    label: words.value.common.buttons.done,
    kind: "main",
    onClick: () => hasUnreadable() || onClick(),
  });

/** Buttons beside dragging. @param {Api.Grid} grid @param {Api.GridButton} tile */
function place(grid, tile) {
  const text = tileWords.value;
  const at = grid.buttons.indexOf(tile);
  const count = grid.buttons.length;
  /** @param {string} label @param {string} icon @param {number} to */
  const step = (label, icon, to) =>
    actionButton({
      label,
      icon,
      disabled: to < 0 || to >= count,
      onClick: () => void moveTile(grid.id, tile.id, to),
    });
  return div(
    { class: "stack" },
    h3({ class: "label" }, `${text.place}: ${text.position(at + 1, count)}`),
    div(
      { class: "row halves" },
      step(text.earlier, "arrow-left", at - 1),
      step(text.later, "arrow-right", at + 1),
    ),
  );
}

/** @param {Api.Grid} grid @param {Api.GridButton} tile @param {() => void} onClose */
function remove(grid, tile, onClose) {
  offerDrop(tileWords.value.deleted(tile.label), deleteTile(grid.id, tile.id));
  onClose();
}

// Picture of a tile: an emoji, found by words or in its group, or a photo.

/** @typedef {{ tile: Draft, onChange: (fields: Partial<Draft>) => void, onDone: () => void }} PictureChoice */

/** @param {PictureChoice} props */
const pictureChoice = (props) => component(Choice, props);

/** @param {PictureChoice} props */
function Choice({ tile, onChange, onDone }) {
  const text = tileWords.value;
  const answered = useAnswer(readCatalog);
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
      : notYet(answered),
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
      setProblem(isProblem(error) ? explained(error) : text.photoUnreadable);
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

const SIDE = 256;

/** Returns the id of the stored file. Throws Problem, or another error if the picture cannot be read. @param {File} file */
async function uploadIcon(file) {
  const form = new FormData();
  form.set("category", "grid_tile_icon");
  form.set("workshopId", workshopId.value);
  const icon = await scaled(file);
  form.set("file", icon, icon.type === "image/webp" ? "tile.webp" : "tile.png");
  const intent = ["icon", workshopId.value, file.name, file.size, file.lastModified];
  return (await command(intent, (key) => call("POST /files", {}, { form, key }))).id;
}

/** @param {Blob} file @returns {Promise<Blob>} WebP, or PNG where the browser cannot write it */
async function scaled(file) {
  const image = await createImageBitmap(file);
  const side = Math.min(image.width, image.height);
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = SIDE;
  const context = canvas.getContext("2d");
  if (!context) throw new TypeError("No canvas");
  context.imageSmoothingQuality = "high";
  const [left, top] = [(image.width - side) / 2, (image.height - side) / 2];
  context.drawImage(image, left, top, side, side, 0, 0, SIDE, SIDE);
  image.close();
  return await new Promise((resolve, reject) =>
    canvas.toBlob((blob) => blob ? resolve(blob) : reject(new TypeError("No picture")), "image/webp", 0.85)
  );
}

// Form of a tile: the price by the keypad, the unit, the name, the picture and the colour.

/** @typedef {import("../../domain/units.js").Unit} Unit */
/** @typedef {{ emoji: string, label: string, unit: Unit, unitPrice: number, backgroundColor?: string | null, iconFileId?: string | null }} Draft */
/** @typedef {{ tile: Draft, onChange: (fields: Partial<Draft>) => void, onPicture: () => void, isNew?: boolean }} TileForm */

/** @param {TileForm} props */
const tileForm = (props) => component(Form, props);

/** @param {TileForm} props */
function Form({ tile, onChange, onPicture, isNew = false }) {
  const price = component(Price, { tile, onChange, isFocused: !isNew });
  const name = component(Name, { tile, onChange, isNew });
  return div(
    { class: "stack tile-form" },
    ...(isNew ? [name, price] : [price, name]),
    selectField({
      label: tileWords.value.counted,
      value: tile.unit,
      options: UNITS.map((value) => ({ value, label: words.value.common.units[value].long })),
      onChange: (unit) => onChange({ unit: /** @type {Unit} */ (unit) }),
    }),
    div(
      { class: "tile-look" },
      component(Swatch, { tile }),
      actionButton({ label: tileWords.value.choosePicture, icon: "smile", onClick: onPicture }),
    ),
    colourField({
      label: tileWords.value.colour,
      value: tile.backgroundColor ?? null,
      swatches: swatches(),
      none: tileWords.value.noColour,
      onChange: (backgroundColor) => onChange({ backgroundColor }),
    }),
  );
}

/** @param {{ tile: Draft, onChange: TileForm["onChange"], isNew: boolean }} props */
function Name({ tile, onChange, isNew }) {
  const text = tileWords.value;
  const [isEmpty, setEmpty] = useState(false);
  const save = (/** @type {string} */ value) => {
    // A tile without a name is refused: the last one stays until there is another.
    if (value.trim() || isNew) onChange({ label: value });
    setEmpty(!value.trim() && !isNew);
  };
  return textField({
    label: text.label,
    ...(isNew ? { help: text.labelHelp, onInput: save } : { onCommit: save }),
    ...(isEmpty ? { problem: text.labelMissing } : {}),
    value: tile.label,
    maxLength: 250,
    autofocus: isNew,
    autocomplete: "off",
  });
}

/** The first key replaces the price, as in an estimate. @param {{ tile: Draft, onChange: TileForm["onChange"], isFocused: boolean }} props */
function Price({ tile, onChange, isFocused }) {
  const language = wordsLanguage.value;
  // null: nothing was typed since the price was set.
  const [text, setText] = useState(/** @type {string | null} */ (null));
  const [wrong, setWrong] = useState("");
  const mark = useUnreadable();
  const box = useRef(/** @type {HTMLDivElement | null} */ (null));
  useLayoutEffect(() => {
    if (isFocused) box.current?.querySelector("input")?.select();
  }, []);
  const take = (
    /** @type {string | null} */ next,
    /** @type {ReturnType<typeof typed>} */ { value, problem },
  ) => {
    setText(next);
    mark(problem !== null);
    setWrong(problem ? fieldExplained({ pointer: "", code: problem }) : "");
    if (value !== null) onChange({ unitPrice: Number(value) });
  };
  const price = tile.unitPrice ? shown(tile.unitPrice, language) : "";
  const fields = {
    text: text ?? price,
    isFresh: text === null,
    problem: wrong,
    onText: (/** @type {string} */ next) => take(next, typed(next || "0", undefined, language)),
  };
  const compute = (/** @type {string} */ value) => take(null, { value, problem: null });
  return div({ class: "stack", ref: box }, pricesAre(), pad(tile, fields, compute));
}

/** Whether prices are with tax, where there is one. */
function pricesAre() {
  return isTaxed.value && p({ class: "field-help" }, tileWords.value.pricesAre(kindOf(tilePrices.value)));
}

/** @param {Draft} tile @param {Pick<Parameters<typeof keypad>[0], "text" | "isFresh" | "problem" | "onText">} fields @param {(price: string) => void} compute */
function pad(tile, fields, compute) {
  const { price, tenMore, tenLess } = tileWords.value;
  const { unitPrice } = tile;
  const by = (/** @type {number} */ change) =>
    compute(percent(unitPrice, change, minorDigits(currency.value)));
  return keypad({
    label: price,
    ...fields,
    bounds: BOUNDS.unitPrice,
    unit: `${currency.value} / ${words.value.common.units[tile.unit].short}`,
    extra: [
      { label: "+10%", spoken: tenMore, onTap: () => by(10) },
      { label: "−10%", spoken: tenLess, onTap: () => by(-10) },
      {
        label: "×2",
        spoken: words.value.common.numbers.twice,
        onTap: () => compute(times(unitPrice, 2, BOUNDS.unitPrice)),
      },
      { label: "C", spoken: words.value.common.buttons.delete, onTap: () => fields.onText("") },
    ],
  });
}

/** @typedef {keyof typeof tileWords.value.colours} ColourName */

/** Ink or paper has a contrast of 7 and more on each. @type {Record<ColourName, string>} */
const COLOURS = {
  linen: "#EFE6D6",
  sand: "#F0D9A8",
  rose: "#F3D9D2",
  sage: "#CFDAC4",
  sky: "#CFE0EE",
  ochre: "#E0A93B",
  brick: "#7E3420",
  forest: "#24452F",
  navy: "#2B3A67",
  plum: "#4A2545",
  slate: "#3A3F45",
};

const swatches = () =>
  Object.entries(COLOURS).map(([name, value]) => ({
    value,
    label: tileWords.value.colours[/** @type {ColourName} */ (name)],
  }));

/** @param {{ tile: { emoji: string, backgroundColor?: string | null, iconFileId?: string | null } }} props */
function Swatch({ tile }) {
  return span(
    {
      class: "tile-swatch",
      "aria-hidden": "true",
      ref: (element) => paintTile(element, tile.backgroundColor),
    },
    tile.iconFileId ? img({ src: `/api/files/${tile.iconFileId}`, alt: "" }) : tile.emoji,
  );
}
