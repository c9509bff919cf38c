// Phones as links: the same numbers as on the server, and none rather than another one.

import {
  dialled,
  e164Of,
  smsLink,
  telLink,
  whatsAppLink,
} from "../../../src/backbench/web/app/domain/phones.js";
import { same } from "./expect.js";

/** @param {string} name @returns {any} */
const read = (name) => JSON.parse(Deno.readTextFileSync(new URL(`../../values/${name}`, import.meta.url)));

Deno.test("numbers as people write them are dialled and read as on the server", () => {
  for (const [text, country, e164, link] of read("phone_numbers.json")) {
    same([text, telLink(text)], [text, link]);
    same([text, e164Of(text, country ?? undefined)], [text, e164]);
  }
});

Deno.test("numbers of every country are those of the server, or none", () => {
  const all = Object.entries(
    /** @type {Record<string, [string, string | null][]>} */ (read("example_phones.json")),
  );
  let count = 0;
  let none = 0;
  for (const [country, numbers] of all) {
    for (const [text, e164] of numbers) {
      const found = e164Of(text, country);
      count++;
      if (found === null) none++;
      else same([country, text, found], [country, text, e164]);
    }
  }
  same(none / count < 0.1, true);
});

Deno.test("a message goes to the first number, and WhatsApp to one with its country", () => {
  same(smsLink("601 000 341, 602 000 341", "a b"), "sms:601000341?&body=a%20b");
  same(smsLink("", "a b"), "sms:?&body=a%20b");
  same(whatsAppLink("601 000 403", "PL", "a b"), "https://wa.me/48601000403?text=a%20b");
  same(whatsAppLink("601 000 403", undefined, "a"), null);
  same(whatsAppLink("", undefined, "a"), "https://wa.me/?text=a");
  same(dialled("nobody"), { digits: "", extension: "" });
});
