// Locators: finds elements as a person does, by role and name, label or text, acts on them and says what they show.
// A locator is a list of steps; each begins at what the one before it has found.

import { click, fill, fire, focus, leave, press } from "./input.js";

/** @typedef {{ by: string, [name: string]: any }} Step */

const ROLES = /** @type {Record<string, string>} */ ({
  button: "button, input[type=button], input[type=submit], [role=button]",
  link: "a[href], [role=link]",
  heading: "h1, h2, h3, h4, h5, h6, [role=heading]",
  dialog: "dialog, [role=dialog]",
  switch: "[role=switch]",
  tab: "[role=tab]",
  textbox:
    "textarea, input:not([type]), input[type=text], input[type=email], input[type=tel], input[type=url], [role=textbox]",
  searchbox: "input[type=search], [role=searchbox]",
  main: "main, [role=main]",
  alert: "[role=alert]",
  radio: "input[type=radio], [role=radio]",
  checkbox: "input[type=checkbox]:not([role]), [role=checkbox]",
  navigation: "nav, [role=navigation]",
  img: "img, [role=img]",
  banner: "header, [role=banner]",
  table: "table, [role=table]",
  row: "tr, [role=row]",
  region: "section[aria-label], section[aria-labelledby], [role=region]",
  group: "fieldset, details, [role=group]",
});

/** @param {string} role */
function selectorOf(role) {
  const selector = ROLES[role];
  if (!selector) throw new Error(`no elements are known of the role ${role}`);
  return selector;
}

const blank = (/** @type {string} */ text) => text.replace(/[\s\u00a0\u200b]+/g, " ").trim();

/** @param {any} wanted a text, or `{source, flags}` @param {string} text @param {boolean} exact */
export function fits(wanted, text, exact) {
  if (wanted?.source !== undefined) return new RegExp(wanted.source, wanted.flags).test(text);
  const found = blank(text);
  return exact ? found === blank(wanted) : found.toLowerCase().includes(blank(wanted).toLowerCase());
}

/** @param {any} element */
export function isVisible(element) {
  if (!element.isConnected) return false;
  for (let one = element; one; one = one.parentElement) {
    if (one.matches("script, style, template, head, noscript, [hidden], [popover]:not(:popover-open)")) {
      return false;
    }
    if (one.style?.display === "none" || one.style?.visibility === "hidden") return false;
    if (one.localName === "dialog" && !one.open) return false;
    const { parentElement: parent } = one;
    const isFolded = parent?.localName === "details" && !parent.open;
    if (isFolded && !(one.localName === "summary" && one === parent.querySelector("summary"))) return false;
  }
  return true;
}

/** The text as a screen reader has it. @param {any} element */
function textOf(element) {
  let text = "";
  for (const child of element.childNodes) {
    if (child.nodeType === 3) text += child.data;
    else if (child.nodeType === 1 && !child.matches("[aria-hidden=true], [hidden]")) {
      const isBlock = child.matches("div, p, h1, h2, h3, h4, li, ul, ol, dt, dd, section, br, img");
      const own = child.getAttribute("aria-label") ?? (child.localName === "img" ? child.alt : textOf(child));
      text += isBlock ? ` ${own} ` : own;
    }
  }
  return text;
}

/** @param {any} element */
export function nameOf(element) {
  const { ownerDocument: document } = element;
  const by = element.getAttribute("aria-labelledby");
  if (by) {
    return blank(
      by.split(" ").map((/** @type {string} */ id) =>
        textOf(document.getElementById(id) ?? { childNodes: [] })
      ).join(" "),
    );
  }
  const label = element.getAttribute("aria-label");
  if (label) return blank(label);
  if (element.matches("input, select, textarea")) {
    const labels = [...labelsOf(element)].map(textOf).join(" ");
    return blank(labels || element.title || element.placeholder || "");
  }
  if (element.localName === "img") return blank(element.alt);
  if (element.localName === "fieldset") return blank(textOf(element.querySelector("legend") ?? element));
  return blank(textOf(element)) || blank(element.title ?? "");
}

/** @param {any} element */
function labelsOf(element) {
  const around = element.closest("label");
  const named = element.id ? [...element.ownerDocument.querySelectorAll(`label[for="${element.id}"]`)] : [];
  return around && !named.includes(around) ? [around, ...named] : named;
}

/** The shown element that is the smallest with the text. @param {any} root @param {any} wanted @param {boolean} exact */
function withText(root, wanted, exact) {
  const found = [];
  for (const each of root.querySelectorAll("*")) {
    if (each.matches("script, style, head, title, noscript, noscript *")) continue;
    if (!fits(wanted, each.textContent, exact)) continue;
    if ([...each.children].some((child) => fits(wanted, child.textContent, exact))) continue;
    found.push(each);
  }
  return found;
}

/** @param {string} selector */
const adapted = (selector) => selector.replaceAll(":modal", "[data-modal]");

/** @param {any} root @param {string} selector */
function select(root, selector) {
  if (selector === "xpath=..") return [root.parentElement].filter(Boolean);
  const text = /^(.*):has-text\("([^"]*)"\)$/.exec(selector);
  if (text) {
    return [...root.querySelectorAll(adapted(text[1] || "*"))].filter((each) =>
      fits(text[2], each.textContent, false)
    );
  }
  const visible = selector.endsWith(":visible");
  const plain = adapted(visible ? selector.slice(0, -":visible".length) : selector);
  const found = [...root.querySelectorAll(plain)];
  return visible ? found.filter(isVisible) : found;
}

/** @type {Record<string, (roots: any[], step: Step, browser: any) => any[]>} */
const STEPS = {
  css: (roots, { selector }) => distinct(roots.flatMap((root) => select(root, selector))),
  role: (roots, { role, name, exact = false, ...more }) =>
    distinct(roots.flatMap((root) => [...root.querySelectorAll(adapted(selectorOf(role)))]))
      .filter((each) => isVisible(each) && !each.closest("[aria-hidden=true], [inert]"))
      .filter((each) => !each.hasAttribute("role") || each.getAttribute("role") === role)
      .filter((each) => name === undefined || fits(name, nameOf(each), exact))
      .filter((each) => more.checked === undefined || isChecked(each) === more.checked)
      .filter((each) =>
        more.pressed === undefined || each.getAttribute("aria-pressed") === String(more.pressed)
      )
      .filter((each) => more.level === undefined || each.localName === `h${more.level}`),
  label: (roots, { text, exact }) =>
    distinct(
      roots.flatMap((
        root,
      ) => [...root.querySelectorAll("input, select, textarea, button, [aria-label], [aria-labelledby]")]),
    )
      .filter((each) =>
        fits(text, each.getAttribute("aria-label") ?? "", exact) && each.hasAttribute("aria-label") ||
        each.hasAttribute("aria-labelledby") && fits(text, nameOf(each), exact) ||
        labelsOf(each).some((one) => fits(text, one.textContent, exact))
      ),
  text: (roots, { text, exact }) => distinct(roots.flatMap((root) => withText(root, text, exact))),
  filter: (roots, { hasText, hasNotText, has, hasNot, visible }, browser) =>
    roots.filter((each) =>
      (hasText === undefined || fits(hasText, each.textContent, false)) &&
      (hasNotText === undefined || !fits(hasNotText, each.textContent, false)) &&
      (has === undefined || found([each], has, browser).length > 0) &&
      (hasNot === undefined || found([each], hasNot, browser).length === 0) &&
      (visible === undefined || isVisible(each) === visible)
    ),
  nth: (roots, { at }) => [roots.at(at)].filter(Boolean),
};

/** In the order of the document. @param {any[]} elements */
function distinct(elements) {
  return [...new Set(elements)];
}

/** @param {any[]} roots @param {Step[]} steps @param {any} browser @returns {any[]} */
function found(roots, steps, browser) {
  return steps.reduce((from, step) => {
    const next = STEPS[step.by];
    if (!next) throw new Error(`no locator by ${step.by}`);
    return next(from, step, browser);
  }, roots);
}

/** @param {any} browser @param {Step[]} locator */
export function matching(browser, locator) {
  const document = browser.page?.window.document;
  return document ? found([document], locator, browser) : [];
}

/** @param {any} element */
const isChecked = (element) => element.checked ?? element.getAttribute("aria-checked") === "true";
/** @param {any} element */
const isDisabled = (element) =>
  element.matches(":disabled") || element.closest("[aria-disabled=true]") !== null;

/** A press behind an open dialog meets nothing. @param {any} element */
function isCovered(element) {
  const dialog = [...element.ownerDocument.querySelectorAll("dialog[data-modal]")].at(-1);
  return dialog !== undefined && !dialog.contains(element);
}

/** Actions wait until there is one element, shown and enabled. @type {Record<string, (element: any, arg: any) => unknown>} */
const ACTIONS = {
  click: (element) => click(element),
  dblclick: (element) => {
    click(element);
    // As a finger that is faster than what the first press changes on the screen.
    if (element.isConnected) click(element);
  },
  fill: (element, text) => fill(element, text),
  focus: (element) => focus(element),
  blur: (element) => element.ownerDocument.activeElement === element && leave(element.ownerDocument),
  check: (element, wanted) => {
    if (isChecked(element) !== wanted) click(element);
  },
  press: (element, key) => (focus(element), press(element.ownerDocument.defaultView, key)),
  type: (element, text) => {
    focus(element);
    for (const key of text) press(element.ownerDocument.defaultView, key);
  },
  select: (element, value) => {
    focus(element);
    const option = [...element.options].find((one) =>
      one.value === value || blank(one.textContent) === value
    );
    if (!option) throw new Error(`no option ${value}`);
    element.value = option.value;
    fire(element, "input", "Event");
    fire(element, "change", "Event");
  },
  files: (element, files) => {
    const made = files.map((/** @type {any} */ { name, type, content }) =>
      new File([Uint8Array.from(atob(content), (c) => c.charCodeAt(0))], name, { type })
    );
    Object.defineProperty(element, "files", { value: made, configurable: true });
    fire(element, "input", "Event");
    fire(element, "change", "Event");
  },
  dispatch: (element, { type, init }) => void fire(element, type, init ? "MouseEvent" : "Event", init ?? {}),
};

/** What is read waits until there is an element. @type {Record<string, (element: any, arg: any) => unknown>} */
const READINGS = {
  value: (element) => element.value,
  shown: (element) => blank(textOf(element)),
  attribute: (element, name) => element.getAttribute(name),
  there: () => true,
};

/** @type {Record<string, (elements: any[], arg: any) => boolean>} */
const EXPECTATIONS = {
  visible: ([element]) => element !== undefined && isVisible(element),
  attached: ([element]) => element !== undefined,
  enabled: ([element]) => element !== undefined && !isDisabled(element),
  disabled: ([element]) => element !== undefined && isDisabled(element),
  checked: ([element], wanted) => element !== undefined && isChecked(element) === wanted,
  focused: ([element]) => element !== undefined && element.ownerDocument.activeElement === element,
  count: (elements, count) => elements.length === count,
  value: ([element], value) => element !== undefined && fits(value, element.value, true),
  attribute: ([element], [name, value]) =>
    element !== undefined && element.hasAttribute(name) &&
    (value === null || fits(value, element.getAttribute(name), true)),
  text: (elements, wanted) => textsFit(elements, wanted, true),
  contains: (elements, wanted) => textsFit(elements, wanted, false),
};

/** @param {any[]} elements @param {any} wanted @param {boolean} exact */
function textsFit(elements, wanted, exact) {
  if (!Array.isArray(wanted)) return elements.length > 0 && fits(wanted, elements[0].textContent, exact);
  return elements.length === wanted.length &&
    wanted.every((one, at) => fits(one, elements[at].textContent, exact));
}

const SEVERAL = new Set(["count", "text", "contains", "visible", "attached"]);

/** @param {any} browser @param {Step[]} locator @param {string} action @param {any} arg @param {number} timeout milliseconds */
export async function perform(browser, locator, action, arg, timeout) {
  if (action === "count" && arg?.expects === undefined) return matching(browser, locator).length;
  if (action === "isVisible") return matching(browser, locator).some(isVisible);
  const [kind = "", not] = action.split(" ");
  const until = Date.now() + timeout;
  let last = "nothing";
  do {
    const elements = matching(browser, locator);
    last = elements.length ? elements.map((each) => each.outerHTML.slice(0, 300)).join("\n") : "nothing";
    const is = arg?.expects !== undefined ? EXPECTATIONS[kind] : undefined;
    if (is) {
      if (elements.length > 1 && !SEVERAL.has(kind)) throw new Error(`several: ${last}`);
      if (is(elements, arg.expects) !== (not === "not")) return true;
    } else if (elements.length > 1) {
      throw new Error(`several: ${last}`);
    } else if (elements.length === 1) {
      const [element] = elements;
      const read = READINGS[kind];
      if (read) return read(element, arg);
      const act = ACTIONS[kind];
      if (!act) throw new Error(`no action ${kind}`);
      const isFile = kind === "files" || kind === "dispatch" || kind === "blur" || kind === "focus";
      if (isFile || isVisible(element) && !isDisabled(element) && !isCovered(element)) {
        act(element, arg);
        // What the screen does at once is done.
        await new Promise((settle) => setTimeout(settle));
        return true;
      }
    }
    await browser.changed();
  } while (Date.now() < until);
  throw new Error(`${action} ${JSON.stringify(arg)} of ${JSON.stringify(locator)}; there was ${last}`);
}
