// Messages: what an email says of a message that was written with the address of its link.

import { withoutAddress } from "../../../src/backbench/web/app/domain/messages.js";
import { same } from "./expect.js";

const ADDRESS = "https://office.example.com/e/#bbl_1";

Deno.test("the sentence that introduces the address goes with it, and nothing else", () => {
  const text = `Hello,\n\nhere is our estimate.\nYou can accept it on this page:\n${ADDRESS}\n\nYours\nAnna`;
  same(withoutAddress(text, ADDRESS), "Hello,\n\nhere is our estimate.\n\nYours\nAnna");
});

Deno.test("a line that says more than the address keeps what it says", () => {
  const text = `Please look at ${ADDRESS} by Friday, it is urgent.`;
  same(withoutAddress(text, ADDRESS), "Please look at by Friday, it is urgent.");
});

Deno.test("a message without the address stays as it is", () => {
  same(withoutAddress("Hello:\nAnna ", undefined), "Hello:\nAnna");
  same(withoutAddress("Hello:\n\nAnna", ADDRESS), "Hello:\n\nAnna");
});
