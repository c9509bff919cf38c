// Emails are offered and said to be sent in the words of `words/mail.js` alone, which only screens show that ask the server
// whether it sends any.

import { holds, same } from "./expect.js";

const APP = "src/backbench/web/app";
const PAGES = ["src/backbench/web/mail-links.js", "src/backbench/web/o/texts.js"];
// What says that this service sends an email, sent one, or that one holds a link.
const CLAIM =
  /on its way|check your (inbox|mail|spam)|spam folder|e-?mailed|(in|from) (that|their|this|the|your) email|the email (says|has|with)|email the link|send (me )?(the|a) (link|email)(?! again)|send it again|sent again|(the|an|your) invitation sent|invitation sent|send invitation|we(’|')ve sent|by email\.|goes? to your address|w drodze|wysłaliśmy|wysyłamy|wysłano (zaproszenie|jeszcze raz|na)|zajrzyj do poczty|spam|[wz] (tym |tamtego )?e-mail(a|u)\b|e-mailem\.|wyślij (mi )?(link|e-mail|zaproszenie|jeszcze raz)(?! jeszcze)|pójdzie link|piszemy o tym/i;
// Of the client's page, shown where the server says that the client gets a receipt, and why an email was refused.
const KNOWN = [/nextReceipt:/];

/** @param {string} folder @returns {Generator<string>} */
function* modules(folder) {
  for (const entry of Deno.readDirSync(folder)) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory) yield* modules(path);
    else if (path.endsWith(".js")) yield path;
  }
}

/** The lines of a module that are no comments. @param {string} path */
const linesOf = (path) =>
  Deno.readTextFileSync(path).split("\n").map((line, index) => ({ line, at: `${path}:${index + 1}` })).filter(
    ({ line }) => !/^\s*(\/\/|\/?\*)/.test(line),
  );

Deno.test("nothing but the words of emails says that one is sent", () => {
  const texts = [...modules(`${APP}/words`), ...modules("src/backbench/web/e"), ...PAGES].filter((path) =>
    !path.endsWith("words/mail.js")
  );
  holds(texts.length > 30, "the folders of the words");
  const claims = texts.flatMap(linesOf).filter(({ line }) =>
    CLAIM.test(line) && !KNOWN.some((known) => known.test(line))
  );
  same(claims.map(({ line, at }) => `${at} ${line.trim()}`), []);
});

Deno.test("the words of emails are recognized", () => {
  const lines = linesOf(`${APP}/words/mail.js`).map(({ line }) => line.split('", "'));
  for (const index of [0, 1]) {
    const claims = lines.filter((texts) => CLAIM.test(texts[index] ?? ""));
    holds(claims.length >= 10, `${index}: ${claims.length}`);
  }
});

Deno.test("a module with the words of emails asks whether the server sends any", () => {
  const using = [...modules(`${APP}/screens`), ...modules(`${APP}/components`)].filter((path) =>
    Deno.readTextFileSync(path).includes("words/mail.js")
  );
  holds(using.length >= 5, `${using}`);
  for (const path of using) {
    // After the form, which `sign-up.js` offers.
    if (path.endsWith("sign-up/sent.js")) continue;
    holds(/offers\("(mail|sign-up)"\)/.test(Deno.readTextFileSync(path)), path);
  }
});
