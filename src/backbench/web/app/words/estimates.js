// deno-fmt-ignore-file: a word is one line, in English and Polish.

import { pairs } from "./words.js";

/** Words of the list of estimates. */
export const estimateWords = pairs({
  title: ["Estimates", "Wyceny"],
  search: ["Name, client or number", "Nazwa, klient lub numer"],
  filter: ["State", "Stan"],
  all: ["All", "Wszystkie"],
  open: ["Open", "Otwarte"],
  empty: ["Your estimates are kept here. The first one takes a minute.", "Tutaj będą Twoje wyceny. Pierwsza zajmie minutę."],
  first: ["Make an estimate", "Zrób wycenę"],
  nothingFound: ["No estimate with “{query}”.", "Brak wycen z „{query}”."],
  noneOfState: ["No estimate in this state.", "W tym stanie nie ma żadnej wyceny."],
  loadMore: ["Show older ones", "Pokaż starsze"],
  stages: {
    draft: ["Draft", "Szkic"],
    changed: ["Changed", "Zmieniona"],
    unsent: ["Not sent", "Niewysłana"],
    sent: ["Sent", "Wysłana"],
    seen: ["Seen", "Obejrzana"],
    asked: ["Asked", "Pytanie"],
    accepted: ["Accepted", "Przyjęta"],
    declined: ["Declined", "Odrzucona"],
    expired: ["Expired", "Po terminie"],
    ordered: ["Ordered", "Zlecona"],
  },
  noClient: ["No client yet", "Bez klienta"],
  send: ["Send", "Wyślij"],
  answer: ["Answer", "Odpowiedz"],
  revise: ["Revise", "Popraw"],
  remind: ["Remind", "Przypomnij"],
  itsAJob: ["Create an order", "Utwórz zlecenie"],
  toTheOrder: ["To the order", "Do zlecenia"],
  more: ["More", "Więcej"],
  copied: ["{name} duplicated", "Powielono: {name}"],
  handoffs: {
    "email-opened": ["By email {when}", "E-mailem {when}"],
    "pdf-shared": ["PDF sent {when}", "PDF wysłany {when}"],
    "pdf-and-message-shared": ["PDF and message sent {when}", "PDF i wiadomość wysłane {when}"],
    "message-shared": ["Message sent {when}", "Wiadomość wysłana {when}"],
    "message-copied": ["Message copied {when}", "Wiadomość skopiowana {when}"],
  },
  ofRevision: ["revision {number}", "wersja {number}"],
});

/** Words of revisions. */
export const revisionWords = pairs({
  title: ["Revisions", "Wersje"],
  revision: ["Revision {number}", "Wersja {number}"],
  since: ["Since revision {number}", "Od wersji {number}"],
  now: ["Not sent yet", "Jeszcze niewysłane"],
  nothingChanged: ["Nothing changed.", "Nic się nie zmieniło."],
  added: ["new", "nowa"],
  removed: ["removed", "usunięta"],
  moved: ["Lines in another order", "Inna kolejność pozycji"],
  empty: ["Nothing has been sent yet. The first revision is made when the estimate is sent.", "Nic jeszcze nie wysłano. Pierwsza wersja powstanie przy wysyłaniu."],
  toEstimate: ["To the estimate", "Do wyceny"],
  openPdf: ["Open the PDF", "Otwórz PDF"],
  pdfIn: ["PDF, {language}", "PDF, {language}"],
  preliminary: ["preliminary", "wstępny"],
  show: ["Look at it", "Obejrzyj"],
  page: ["Page {page} of {count}", "Strona {page} z {count}"],
  notSent: ["Not sent", "Niewysłana"],
  tones: {
    friendly: ["friendly", "swobodny"],
    formal: ["formal", "oficjalny"],
  },
  restore: ["Go on from this one", "Wróć do tej wersji"],
  restored: ["The estimate is again as in revision {number}", "Wycena jest znów taka jak w wersji {number}"],
  prices: ["Prices", "Ceny"],
  total: ["Total", "Razem"],
});

/** Words of prices with and without tax. */
export const priceWords = pairs({
  withTax: ["with {tax}", "z {tax}"],
  withoutTax: ["without {tax}", "bez {tax}"],
  /** A tax that is part of the sum. */
  within: ["including {tax}", "w tym {tax}"],
  question: ["Are your prices with {tax}?", "Twoje ceny są z {tax}?"],
  means: {
    gross: ["Clients pay what you enter: {tax} is part of it.", "Klient płaci tyle, ile wpiszesz: {tax} jest już w cenie."],
    net: ["{tax} is added to what you enter.", "Do wpisanej ceny doliczamy {tax}."],
  },
  /** One price of several, as an example. */
  tiles: ["Your tiles have prices, such as {label} for {price}. What about them?", "Na kafelkach są ceny, np. {label}: {price}. Co z nimi?"],
  lines: ["There are prices already, such as {label} for {price}. What about them?", "Są już ceny, np. {label}: {price}. Co z nimi?"],
  keep: ["Keep the numbers", "Zostaw liczby"],
  convert: ["Convert the prices", "Przelicz ceny"],
  becomes: ["{price} {kind}", "{price} {kind}"],
  estimates: ["Estimates that you have begun stay as they are.", "Zaczęte wyceny zostają bez zmian."],
});
