// People of earlier orders, as an intake offers them.

import { peopleLike } from "../../../src/backbench/web/app/domain/customers.js";
import { same } from "./expect.js";

/** @param {string} name @param {...string} numbers @returns {any} */
const customer = (name, ...numbers) => ({ name, phones: numbers.map((number) => ({ number })) });
const liam = { name: "Liam Byrne", phone: "085 123 4567" };

Deno.test("a person of an earlier order is offered with the phone, once", () => {
  const uses = [liam, { name: "Liam Byrne", phone: "085-1234567" }, { name: "Liam Byrne", phone: "" }];
  same(peopleLike("lia", uses, []), [liam]);
  // The whole name is typed: the phone is still missing.
  same(peopleLike("Liam Byrne", uses, []), [liam]);
});

Deno.test("two phones are two people, the latest first", () => {
  const other = { name: "Liam Byrne", phone: "087 000 0000" };
  same(peopleLike("byrne", [other, liam], []), [other, liam]);
});

Deno.test("a customer is not offered twice", () => {
  same(
    peopleLike("lia", [liam, { name: "Liam Byrne", phone: "" }], [customer("Liam Byrne", "0851234567")]),
    [],
  );
  // Of the same name with another phone it may be somebody else.
  same(peopleLike("lia", [liam], [customer("Liam Byrne", "01 555")]), [liam]);
});

Deno.test("a name without a phone is offered until it is typed", () => {
  const uses = [{ name: "Zofia Łęcka", phone: "" }, { name: "", phone: "1" }];
  same(peopleLike("lecka", uses, []), [{ name: "Zofia Łęcka", phone: "" }]);
  same(peopleLike("Zofia Łęcka", uses, []), []);
  same(peopleLike(" ", uses, []), []);
});
