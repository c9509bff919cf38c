// Customers: how they are found, and what waits for one that the server does not have yet.

import { same } from "./expect.js";
import { isAlike, isMeant, letterOf, sorted } from "../../../src/backbench/web/app/domain/customers.js";

/** @param {string} name @param {object} [more] */
const customer = (name, more = {}) => /** @type {any} */ ({
  id: name,
  name,
  kind: "person",
  phones: [],
  emails: [],
  notes: "",
  ...more,
});

Deno.test("a customer is found by words of the name, digits of a phone and an email", () => {
  const ewa = customer("Ewa Łęcka", {
    phones: [{ number: "600 100 200", e164: "+48600100200" }],
    emails: ["Ewa@example.com"],
  });
  for (const query of ["lecka", "ŁĘC", "ewa le", "600-100", "48600", "+48 600", "ewa@EX"]) {
    same(isMeant(ewa, query), true);
  }
  for (const query of ["nowak", "601", "ewa nowak"]) same(isMeant(ewa, query), false);
});

Deno.test("customers are sorted as in Polish, and stand under their letters", () => {
  const names = sorted(["Łucja", "Luiza", "Mama", "adam"].map((name) => customer(name)), "pl");
  same(names.map(({ name }) => name), ["adam", "Luiza", "Łucja", "Mama"]);
  same(["łucja", "9 Muz", " Ewa"].map(letterOf), ["Ł", "#", "E"]);
});

Deno.test("records with one phone, email or tax id are alike", () => {
  const one = customer("one", { emails: ["a@example.com"], taxId: "PL 526-000-12-46" });
  same(isAlike(one, customer("two", { emails: ["A@example.com"] })), true);
  same(isAlike(one, customer("two", { taxId: "5260001246" })), true);
  same(isAlike(one, customer("one")), false);
});
