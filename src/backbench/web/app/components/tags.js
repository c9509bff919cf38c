import { h } from "../vendor/preact.js";
import { signal } from "../vendor/signals.js";

/** @typedef {import("../vendor/preact.js").ComponentChildren} ComponentChildren */
/** @typedef {import("../vendor/preact.js").JSX.IntrinsicElements} Elements */
/** @typedef {import("../vendor/preact.js").VNode<any>} Element */
/** @typedef {{ [name: `data-${string}`]: string | number | boolean | undefined }} DataAttributes */
/** @typedef {import("../vendor/preact.js").Attributes} Attributes */

/**
 * The properties of a component; its children are arguments of `component`.
 * @template P
 * @typedef {Attributes & ("children" extends keyof P ? Omit<P, "children"> & { children?: P["children"] } : P)} PropertiesOf
 */

/**
 * A function that makes elements: `div({ class: "ticket" }, "text", isOpen && span({}, "open"))`.
 * @template {keyof Elements} T
 * @param {T} name
 * @returns {(props: Elements[T] & DataAttributes, ...children: ComponentChildren[]) => Element}
 */
const tag = (name) => (props, ...children) => h(/** @type {any} */ (name), props, ...children);

export const a = tag("a");
export const article = tag("article");
export const aside = tag("aside");
export const b = tag("b");
export const br = tag("br");
export const button = tag("button");
export const canvas = tag("canvas");
export const code = tag("code");
export const datalist = tag("datalist");
export const dd = tag("dd");
export const del = tag("del");
export const details = tag("details");
export const dialog = tag("dialog");
export const div = tag("div");
export const dl = tag("dl");
export const dt = tag("dt");
export const fieldset = tag("fieldset");
export const footer = tag("footer");
export const form = tag("form");
export const h1 = tag("h1");
export const h2 = tag("h2");
export const h3 = tag("h3");
export const header = tag("header");
export const img = tag("img");
export const input = tag("input");
export const kbd = tag("kbd");
export const label = tag("label");
export const legend = tag("legend");
export const li = tag("li");
export const main = tag("main");
export const nav = tag("nav");
export const ol = tag("ol");
export const option = tag("option");
export const output = tag("output");
export const p = tag("p");
export const path = tag("path");
export const progress = tag("progress");
export const section = tag("section");
export const select = tag("select");
export const small = tag("small");
export const span = tag("span");
export const strong = tag("strong");
export const summary = tag("summary");
export const textarea = tag("textarea");
export const time = tag("time");
export const ul = tag("ul");
export const video = tag("video");

export const svg = tag("svg");
const use = tag("use");

/**
 * An element of a component: `component(Ticket, { order })`.
 * @template P
 * @param {(props: P) => ComponentChildren} type
 * @param {PropertiesOf<NoInfer<P>>} props
 * @param {...ComponentChildren} children
 * @returns {Element}
 */
export const component = (type, props, ...children) =>
  h(/** @type {any} */ (type), /** @type {any} */ (props), ...children);

const SPRITE = new URL("../icons.svg", import.meta.url).pathname;

/**
 * A glyph of icons.svg. Without a label it is decoration, hidden from screen readers.
 * @param {string} name
 * @param {{ label?: string, class?: string }} [options]
 */
export const icon = (name, { label, class: extra } = {}) =>
  svg(
    {
      class: extra ? `icon ${extra}` : "icon",
      ...(label ? { role: "img", "aria-label": label } : { "aria-hidden": "true" }),
    },
    use({ href: `${SPRITE}#${name}` }),
  );

const wide = globalThis.matchMedia?.("(min-width: 900px)");

/** Whether the screen is a desk's. */
export const isDesk = signal(wide?.matches ?? false);
wide?.addEventListener("change", () => (isDesk.value = wide.matches));

export const caption = tag("caption");
export const table = tag("table");
export const tbody = tag("tbody");
export const td = tag("td");
export const th = tag("th");
export const thead = tag("thead");
export const tr = tag("tr");
