// Elements of tables, apart from those that the first screen needs.

import { tag } from "./tags.js";

export const caption = tag("caption");
export const table = tag("table");
export const tbody = tag("tbody");
export const td = tag("td");
export const th = tag("th");
export const thead = tag("thead");
export const tr = tag("tr");
