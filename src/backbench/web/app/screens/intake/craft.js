// Craft of an intake: the one that was chosen, else the one whose templates the workshop's tiles came from.

import { catalog } from "../../state/catalog.js";
import { grids } from "../../state/grids.js";
import { intakeCraft } from "../../state/preferences.js";
import { computed } from "../../vendor/signals.js";

const ANY = "any-workshop";

export const craft = computed(() => intakeCraft.value || ofGrids() || ANY);

function ofGrids() {
  const names = new Set(grids.value.map(({ name }) => name));
  const template = catalog.value?.templates.find(({ name }) => names.has(name.en) || names.has(name.pl));
  return template?.domainSlug;
}

/** @param {string} slug */
export function chooseCraft(slug) {
  intakeCraft.value = slug;
}
