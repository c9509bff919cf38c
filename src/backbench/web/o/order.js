// How the order stands: its stages with the present one large, the day, what was brought, and the agreed price.

import { callLink, el, later } from "/e/elements.js";
import { day, money, time } from "/e/figures.js";
import { request } from "/e/requests.js";

// The stages of the line. Waiting is a pause of the work, shown in its place.
const LINE = ["received", "in_progress", "ready", "collected"];

export function orderParts({ order, texts, locale }) {
  return el("article", { "aria-labelledby": "title" }, head(order, texts), stages(order, texts, locale), facts(order, texts, locale));
}

function head(order, texts) {
  return [
    el("p", { class: "kind" }, el("b", {}, `${texts.order} ${order.number}`)),
    el("h1", { id: "title", class: `title-${order.workshop.titleFont}` }, order.title),
  ];
}

function stages(order, texts, locale) {
  const shown = order.stage === "waiting" ? LINE.with(1, "waiting") : LINE;
  const present = shown.indexOf(order.stage);
  return el(
    "ol",
    { class: "stages" },
    shown.map((stage, at) => {
      const isPresent = at === present;
      return el(
        "li",
        { class: [at < present && "past", isPresent && `present ${stage}`].filter(Boolean).join(" ") || null, "aria-current": isPresent ? "step" : null },
        el("span", { class: "dot", "aria-hidden": "true" }, at < present ? "✓" : ""),
        el("span", {}, el("b", {}, texts.stages[stage]), isPresent && el("span", { class: "second" }, texts.since(time(order.since, locale)))),
      );
    }),
  );
}

function facts(order, texts, locale) {
  const { item = {}, estimate } = order;
  const due = order.dueOn && [day(order.dueOn, locale), order.dueTime].filter(Boolean).join(", ");
  const isOpen = order.stage !== "ready" && order.stage !== "collected";
  const pairs = [
    [texts.due, isOpen && due, true],
    [texts.item, item.description, true],
    [texts.pieces, item.pieces > 1 && String(item.pieces)],
    [texts.price(estimate?.number), estimate && `${money(String(estimate.total), estimate.currency, locale)}\n${texts.states[estimate.state] ?? ""}`.trim()],
  ];
  return [
    order.stage === "ready" && el("p", { class: "strong" }, texts.readyText(order.workshop.name)),
    el(
      "dl",
      { class: "facts" },
      pairs.filter(([, text]) => text).map(([label, text, isWide]) =>
        el("div", { class: isWide ? "wide" : null }, el("dt", {}, label), el("dd", {}, text)),
      ),
    ),
    order.payment && later("./payment.js", ({ payment }) => payment(order.payment, locale, "", () => request("/payment-code"))),
  ];
}

/** Where the workshop is, when it is open and how to call it. */
export function contact({ order, texts }) {
  const { phone, address, openingHours, name } = order.workshop;
  if (!phone && !address && !openingHours) return null;
  const call = callLink(phone ?? "");
  return el(
    "section",
    { class: "ticket talk", "aria-labelledby": "contact-title" },
    el("h2", { id: "contact-title" }, name),
    call && el("div", { class: "buttons contact" }, el("a", { href: call }, `${texts.call} `, el("span", { class: "whole" }, phone))),
    phone && !call && el("p", {}, phone),
    openingHours && el("div", {}, el("p", { class: "second" }, texts.hours), el("p", { class: "text" }, openingHours)),
    address && el("p", { class: "text" }, address),
  );
}
