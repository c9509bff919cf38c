// Elements of the page, made by script: no markup is ever parsed, so text stays text.

/** An element. A listener has a name such as `onclick`; children that are empty are left out. */
export function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child || child === 0));
  return element;
}

const failures = {};

/** A module of this folder. Firefox and Safari remember that an address failed: the next time it has another one. */
export const loadModule = (name) =>
  import(name + (failures[name] ?? "")).catch((error) => {
    failures[name] = `?${Date.now()}`;
    throw error;
  });

/** A part whose module is loaded when it is shown; nothing where that fails. */
export function later(name, part) {
  const place = el("div");
  loadModule(name).then((module) => place.replaceWith(part(module)), () => place.remove());
  return place;
}

/** A field with its label, hint and error. `control` is the input or text area. */
export function field(control, { label, hint, optional, error }) {
  const id = control.id;
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ");
  if (described) control.setAttribute("aria-describedby", described);
  if (error) control.setAttribute("aria-invalid", "true");
  return el(
    "div",
    { class: "field" },
    el("label", { for: id }, label, optional && el("span", { class: "second" }, ` (${optional})`)),
    hint && el("p", { class: "hint", id: `${id}-hint` }, hint),
    control,
    error && el("p", { class: "error", id: `${id}-error` }, error),
  );
}

const PHONE = /^(?!(\D*\d){7,}.*\/(\D*\d){7})\+?[\d ()/.–-]{5,30}$/;

/** The link that calls one number. In "+48 (0) 22" the zero is dialled within the country alone; in Italy always. */
export function callLink(phone) {
  const number = /^\+(?!39)/.test(phone) ? phone.replace(/\(\s*0\s*\)/, "") : phone;
  return PHONE.test(phone) && `tel:${number.replace(/[^\d+]/g, "")}`;
}
