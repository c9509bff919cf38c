/** @type {typeof import("../en/shop-people.js").messages} */
export const messages = {
  title: "Wiadomości",
  intro: "Zapisz, jak pracujesz. Korzystają z tego szkice wiadomości.",
  notes: "O warsztacie",
  notesHelp: "Co robisz i dla kogo, terminy, czego nie robisz.",
  counter: (used, most) => `${used} z ${most} znaków`,
  tooLong: "Za długie, żeby zapisać. Skróć tekst.",
  sumUp: "Streść",
  sumUpAgain: "Streść jeszcze raz",
  sumUpHelp: "Model językowy streszcza notatki w obu językach.",
  summary: "Streszczenie",
  intents: "O co mogą pytać klienci",
  stale: "Od tego streszczenia notatki się zmieniły.",
  made: (when) => `Utworzono ${when}`,
};

/** @type {typeof import("../en/shop-people.js").team} */
export const team = {
  title: "Zespół",
  you: "to Ty",
  change: "Zmień",
  role: "Rola",
  roleHelp: {
    owner: "Pełne uprawnienia, także do zespołu i usuwania.",
    member: "Cała codzienna praca: zlecenia, wyceny, kafelki, dokumenty.",
  },
  remove: "Usuń z zespołu",
  removed: (name) => `Już nie w zespole: ${name}`,
  leave: "Opuść ten warsztat",
  leaveTitle: "Opuścić?",
  leaveText: (name) => `${name} zniknie z Twojej listy. Żeby wrócić, trzeba zaproszenia.`,
  invitations: "Zaproszenia",
  invite: "Zaproś kogoś",
  inviteEmail: "Adres e-mail",
  makeInvitation: "Utwórz zaproszenie",
  invitedByHand: (email) => `Zaproszenie dla ${email} jest gotowe. Przekaż link: działa raz, przez 7 dni.`,
  passOn: (workshop, url) => `Dołącz do warsztatu ${workshop} w Backbench: ${url}`,
  shareInvitation: "Udostępnij link",
  copyInvitation: "Kopiuj link",
  invitationCode: "Kod QR zaproszenia",
  codeHelp: "Albo zeskanujcie kod telefonem nowej osoby.",
  linkOf: "Link",
  linkFor: (email) => `Zaproszenie dla ${email}`,
  withdraw: "Wycofaj",
  ownersOnly: "Zapraszać mogą właściciele warsztatu.",
  alone: "Na razie pracujesz tu samodzielnie.",
};

/** @type {typeof import("../en/shop-people.js").plan} */
export const plan = {
  title: "Plan",
  present: "Twój plan",
  trialUntil: (when) => `Okres próbny do ${when}`,
  paidUntil: (when) => `Opłacony do ${when}`,
  endsOn: (when) => `Kończy się ${when}`,
  granted: "Przyznany przez administratora serwera",
  storage: "Miejsce na pliki",
  used: (used, limit) => `${used} z ${limit}`,
  revisions: "Wersje jednej wyceny",
  unlimited: "bez limitu",
  upTo: (count) => `najwyżej ${count}`,
  brandMark: "„Przygotowano w Backbench” na PDF-ach",
  brandStays: "zawsze widoczne",
  brandMayGo: "można ukryć",
  trial: "Wypróbuj Pro przez 14 dni",
  trialHelp: "5 GB na pliki, dowolna liczba wersji, PDF-y bez naszego znaku. Okres próbny kończy się sam.",
  buy: "Kup Pro",
  portal: "Rachunki i płatności",
  notSold: "Na tym serwerze nie sprzedaje się Pro. Zapytaj jego administratora.",
  noPayments: "Na tym serwerze nie ustawiono płatności. O Pro zapytaj jego administratora.",
  ownersOnly: "Plan zmieniają właściciele warsztatu.",
};

/** @type {typeof import("../en/shop-people.js").files} */
export const files = {
  title: "Pliki",
  empty: "Nie ma jeszcze plików. Tu będą PDF-y i zdjęcia kafelków.",
  kinds: { estimate_pdf: "PDF", grid_tile_icon: "Obrazek" },
  open: "Otwórz",
  deleted: (name) => `Usunięto: ${name}`,
  usedBy: (names) => `Ten obrazek jest na kafelkach: ${names}. Najpierw daj im inny.`,
  toPlan: "Miejsce i plan",
};
