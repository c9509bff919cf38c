// Links to other programs: what those read from an address is what was meant.

import { mailTo } from "../../../src/backbench/web/app/domain/customers.js";
import { smsLink, whatsAppLink } from "../../../src/backbench/web/app/domain/phones.js";
import { same } from "./expect.js";

// Types of these pages are checked by nothing.
const of = (/** @type {string} */ name) =>
  import(String(new URL(`../../../src/backbench/web/e/${name}`, import.meta.url)));
const page = { ...await of("elements.js"), ...await of("comments.js") };
const EMAILS = [
  "jan@example.com",
  "ewa+work@example.com",
  "x?bcc=a%40b.pl&@x.pl",
  "x#@x.pl",
  "x,y@x.pl",
  "łęcka@müller.example",
];
const TEXTS = [
  "",
  "a+b & c#d?e=f",
  "Zażółć 100 % «ä»",
  "Dear Ewa,\nyour chairs:\r\nhttps://x.example/e/#bbl_1\n\nJan 🪑",
];

/** What a mail program reads, by RFC 6068: a plus sign is one, and lines end with CR LF. @param {string} address */
function mailOf(address) {
  const [, to = "", query = ""] = /^mailto:([^?#]*)\??([^#]*)$/.exec(address) ?? [];
  const fields = query.split("&").filter(Boolean).map((field) => field.split("=").map(decodeURIComponent));
  return { to: decodeURIComponent(to), ...Object.fromEntries(fields) };
}

Deno.test("a link to write to an address adds nobody and nothing", () => {
  for (const email of EMAILS) {
    for (const link of [mailTo(email), page.mailTo(email)]) same(mailOf(link), { to: email });
    same(mailTo(email).includes("%40example.com"), false);
  }
});

Deno.test("a link to send an email has its subject and its lines", () => {
  for (const email of ["", ...EMAILS]) {
    for (const body of TEXTS) {
      const found = mailOf(mailTo(email, { subject: body, body }));
      const subject = body.replace(/\s+/g, " ");
      same(found, { to: email, subject, body: body.replace(/\r?\n/g, "\r\n") });
    }
  }
});

Deno.test("a text message and WhatsApp have the number and the text", () => {
  for (const body of TEXTS) {
    for (const phone of ["+48 601 000 403", "0048 (0) 601 000 403", "+48601000403 / 602 000 403"]) {
      const sms = new URL(smsLink(phone, body));
      same([sms.pathname.replace(/^00/, "+"), sms.searchParams.get("body"), sms.hash], [
        "+48601000403",
        body,
        "",
      ]);
      const { origin, pathname, searchParams, hash } = new URL(whatsAppLink(phone, "PL", body) ?? "");
      same(
        [origin, pathname, searchParams.get("text"), hash],
        ["https://wa.me", "/48601000403", body, ""],
      );
    }
  }
});

Deno.test("pages of clients call the number that the app calls, or none", () => {
  const phones = JSON.parse(
    Deno.readTextFileSync(new URL("../../values/phone_numbers.json", import.meta.url)),
  );
  for (const [text, , , link] of phones) {
    // A number that a spreadsheet made, or of four digits, is no way in which a workshop writes its own.
    if (!/\.0$|^12 34$/.test(text)) same([text, page.callLink(text) || link], [text, link]);
  }
  same(page.callLink("+48 (0) 22 555 01 01"), "tel:+48225550101");
  same(page.callLink("+48601000403 / 602 000 403"), false);
});
