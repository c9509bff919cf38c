// deno-fmt-ignore-file: a word is one line, in English and Polish.

import { pairs } from "./words.js";

/** Words that offer an email or say that one is sent: for screens of servers that have a mail server (`offers` of `local/system.js`). */
export const mailWords = pairs({
  look: ["Check your inbox", "Zajrzyj do poczty"],
  verifySent: ["A link is on its way to {email}. Open it within 24 hours and choose your password there.", "Link jest w drodze na adres {email}. Otwórz go w ciągu 24 godzin i ustaw tam hasło."],
  notThere: ["Nothing there? Check your spam folder. If the address has an account already, the email says so.", "Nic nie przyszło? Sprawdź spam. Jeśli ten adres ma już konto, piszemy o tym w e-mailu."],
  sendAgain: ["Send it again", "Wyślij jeszcze raz"],
  sentAgain: ["It is on its way again.", "Znowu jest w drodze."],
  forgotHelp: ["A link to choose a new password goes to your address.", "Na Twój adres pójdzie link, pod którym ustawisz nowe hasło."],
  sendLink: ["Send the link", "Wyślij link"],
  resetSent: ["If there is an account for {email}, a link is on its way to it. It works once, for an hour.", "Jeśli {email} ma konto, link jest w drodze na ten adres. Działa raz, przez godzinę."],
  noPassword: ["You sign in with Google. To get a password, ask for a link by email.", "Logujesz się przez Google. Żeby mieć hasło, poproś o link e-mailem."],
  askForLink: ["Send me a link", "Wyślij mi link"],
  linkSent: ["The link is on its way to you by email.", "E-mail z linkiem jest w drodze."],
  sendInvitation: ["Send invitation", "Wyślij zaproszenie"],
  invited: ["An invitation is on its way to {email}.", "Zaproszenie jest w drodze na adres {email}."],
  orByHand: ["You can also pass the link on yourself, if the email does not arrive.", "Link możesz też przekazać samodzielnie, jeśli e-mail nie dotrze."],
  mailLink: ["Email the link", "Wyślij link e-mailem"],
  mailNow: ["Send the email", "Wyślij e-mail"],
  mailHelp: ["Backbench sends it in the client’s language. The receipt goes there as well.", "Backbench wyśle go w języku klienta. Tam trafi też potwierdzenie."],
  mailed: ["The link is on its way to {address}.", "Link jest w drodze na adres {address}."],
  mailsLeft: ["Emails with links that you can send for now: {count}. Copying and sharing have no limit.", "E-maile z linkami, które możesz na razie wysłać: {count}. Kopiowanie i udostępnianie nie ma limitu."],
});
