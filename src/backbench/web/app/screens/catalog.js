// Catalog: crafts, the kinds of jobs of each, and their items: to make grids of, or to add to one.

import { actionButton } from "../components/action-button.js";
import { frame } from "../components/frame.js";
import { isOnline } from "../components/needs-connection.js";
import { component, div, p } from "../components/tags.js";
import { textField } from "../components/text-field.js";
import { catalogWords } from "../words/tiles.js";
import { words, wordsLanguage } from "../words/words.js";
import { catalog, loadCatalog } from "../state/catalog.js";
import { grids } from "../state/grids.js";
import { route } from "../state/router.js";
import { useEffect } from "../vendor/hooks.js";
import { useSignal } from "../vendor/signals.js";
import { ChosenBar } from "./catalog/chosen-bar.js";
import { chosen } from "./catalog/chosen.js";
import { Crafts } from "./catalog/crafts.js";
import { Found } from "./catalog/found.js";
import { Templates } from "./catalog/templates.js";

/** In the address: `craft`, and `grid`, to which what is chosen is added. */
export function screen() {
  useEffect(() => {
    void loadCatalog();
    return () => (chosen.value = []);
  }, []);
  const query = useSignal("");
  const { craft = "", grid: gridId = "" } = route.value.query;
  const grid = grids.value.find(({ id }) => id === gridId);
  const title = catalog.value?.domains.find(({ slug }) => slug === craft)?.label[wordsLanguage.value];
  return frame(
    {
      title: title ?? catalogWords.value.title,
      place: "tiles",
      back: craft ? `/catalog${grid ? `?grid=${grid.id}` : ""}` : "/tiles",
      ...(chosen.value.length ? { foot: component(ChosenBar, { grid }) } : {}),
    },
    grid && p({ class: "quiet-text" }, catalogWords.value.addingTo(grid.name)),
    catalog.value ? shown(craft, grid, query) : waiting(),
  );
}

/** @param {string} craft @param {Api.Grid | undefined} grid @param {import("../vendor/signals.js").Signal<string>} query */
function shown(craft, grid, query) {
  const field = textField({
    label: catalogWords.value.search,
    bare: true,
    placeholder: catalogWords.value.search,
    type: "search",
    autocomplete: "off",
    value: query.value,
    onInput: (value) => (query.value = value),
  });
  if (query.value.trim()) {
    return div({ class: "stack" }, field, component(Found, { query: query.value, grid }));
  }
  if (craft) return component(Templates, { craft, grid });
  return div({ class: "stack" }, field, component(Crafts, { link: (slug) => craftPath(slug, grid) }));
}

/** @param {string} slug @param {Api.Grid | undefined} grid */
const craftPath = (slug, grid) => `/catalog?craft=${slug}${grid ? `&grid=${grid.id}` : ""}`;

function waiting() {
  if (isOnline()) return p({ class: "quiet-text late" }, words.value.common.loading);
  return div(
    { class: "stack" },
    p({}, catalogWords.value.unavailable),
    actionButton({
      label: words.value.common.buttons.retry,
      icon: "refresh-cw",
      onClick: () => void loadCatalog(),
    }),
  );
}
