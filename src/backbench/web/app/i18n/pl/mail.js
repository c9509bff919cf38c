/** @type {typeof import("../en/mail.js").mail} */
export const mail = {
  look: "Zajrzyj do poczty",
  verifySent: (email) =>
    `Link jest w drodze na adres ${email}. Otwórz go w ciągu 24 godzin i ustaw tam hasło.`,
  notThere: "Nic nie przyszło? Sprawdź spam. Jeśli ten adres ma już konto, piszemy o tym w e-mailu.",
  sendAgain: "Wyślij jeszcze raz",
  sentAgain: "Znowu jest w drodze.",
  forgotHelp: "Na Twój adres pójdzie link, pod którym ustawisz nowe hasło.",
  sendLink: "Wyślij link",
  resetSent: (email) =>
    `Jeśli ${email} ma konto, link jest w drodze na ten adres. Działa raz, przez godzinę.`,
  noPassword: "Logujesz się przez Google. Żeby mieć hasło, poproś o link e-mailem.",
  askForLink: "Wyślij mi link",
  linkSent: "E-mail z linkiem jest w drodze.",
  sendInvitation: "Wyślij zaproszenie",
  invited: (email) => `Zaproszenie jest w drodze na adres ${email}.`,
  orByHand: "Link możesz też przekazać samodzielnie, jeśli e-mail nie dotrze.",
  mailLink: "Wyślij link e-mailem",
  mailNow: "Wyślij e-mail",
  mailHelp: "Backbench wyśle go w języku klienta. Tam trafi też potwierdzenie.",
  mailed: (address) => `Link jest w drodze na adres ${address}.`,
  mailsLeft: (count) =>
    `E-maile z linkami, które możesz na razie wysłać: ${count}. Kopiowanie i udostępnianie nie ma limitu.`,
};
