import { equal } from "node:assert/strict";
import { component, div, icon, input } from "../../../src/backbench/web/app/components/tags.js";

/** @typedef {import("../../../src/backbench/web/app/components/tags.js").ComponentChildren} ComponentChildren */

/** @param {{ order: { id: string }, children?: ComponentChildren }} props */
const Ticket = ({ order, children }) => div({ class: "ticket" }, order.id, children);

Deno.test("a tag function makes an element with properties and children", () => {
  const element = div({ class: "ticket", "data-id": "1" }, "Oak bench");
  equal(element.type, "div");
  equal(element.props.class, "ticket");
  equal(element.props.children, "Oak bench");
});

Deno.test("a component gets its children beside its properties", () => {
  const element = component(Ticket, { order: { id: "1" }, key: "1" }, "Oak bench");
  equal(element.type, Ticket);
  equal(element.props.order.id, "1");
  equal(element.props.children, "Oak bench");
});

Deno.test("an icon is hidden from screen readers unless it has a label", () => {
  equal(icon("check").props["aria-hidden"], "true");
  equal(icon("check", { label: "Done" }).props["aria-label"], "Done");
});

/** Never called: `deno check` fails when one of these mistakes is no longer an error. */
export const mistakes = () => [
  // @ts-expect-error: no such attribute
  div({ "aria-lable": "Order" }),
  // @ts-expect-error: no such property
  div({ clas: "ticket" }),
  // @ts-expect-error: a handler is a function
  div({ onClick: 3 }),
  // @ts-expect-error: no such type of field
  input({ type: 3 }),
  // @ts-expect-error: not one of the values
  div({ draggable: "never" }),
  // @ts-expect-error: a property is missing
  component(Ticket, {}),
  // @ts-expect-error: a field of another type
  component(Ticket, { order: { id: 3 } }),
  // @ts-expect-error: no such property of the component
  component(Ticket, { order: { id: "1" }, ordre: 1 }),
];
