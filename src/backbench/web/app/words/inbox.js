// deno-fmt-ignore-file: a word is one line, in English and Polish.

import { pairs } from "./words.js";

/** Words of the inbox. */
export const inboxWords = pairs({
  title: ["Waiting for you", "Czeka na Ciebie"],
  kinds: {
    accepted: ["Estimate accepted", "Wycena przyjęta"],
    declined: ["Estimate declined", "Wycena odrzucona"],
    question: ["Question", "Pytanie"],
    overdue: ["Late", "Po terminie"],
    due_today: ["Due today", "Termin dziś"],
    uncollected: ["Not collected", "Nieodebrane"],
    unanswered: ["No answer", "Bez odpowiedzi"],
    expiring: ["Expires soon", "Niedługo traci ważność"],
    unsent: ["Not sent", "Niewysłane"],
    changed: ["Changed, not sent", "Zmienione, niewysłane"],
    over_limit: ["Over the customer’s limit", "Powyżej limitu klienta"],
    owed: ["Not paid yet", "Jeszcze nieopłacone"],
    unpaid: ["Invoice overdue", "Faktura po terminie"],
  },
  steps: {
    order: ["Create an order", "Utwórz zlecenie"],
    answer: ["Answer", "Odpowiedz"],
    revise: ["Revise", "Popraw"],
    open: ["Open", "Otwórz"],
    call: ["Call", "Zadzwoń"],
    remind: ["Remind", "Przypomnij"],
    send: ["Send", "Wyślij"],
    check: ["Check", "Sprawdź"],
    ask: ["Ask the customer", "Zapytaj klienta"],
  },
  /** Next to the line on the board. */
  order: ["Order", "Zlecenie"],
  done: ["Done with it", "Załatwione"],
  isDone: ["Done with it: {title}", "Załatwione: {title}"],
  orderMade: ["Order created: {title}", "Utworzono zlecenie: {title}"],
  /** The one row of the board: how many, and what comes first. */
  count: ["{count} {count|waits|wait} for you", "Czeka na Ciebie: {count}"],
  by: {
    accepted: ["{name} accepted", "{name}: przyjęta wycena"],
    declined: ["{name} declined", "{name}: odrzucona wycena"],
    question: ["{name} asks", "{name}: pytanie"],
  },
  allDone: ["All done: nothing waits for you.", "Wszystko załatwione: nic na Ciebie nie czeka."],
  showAll: ["Show all", "Pokaż wszystkie"],
  isNew: ["new", "nowe"],
  asOf: ["No connection. As of {time}.", "Brak połączenia. Stan z {time}."],
});

/** Words of the desk. */
export const deskWords = pairs({
  floor: {
    late: ["No connection: this may be out of date", "Brak połączenia: to może być nieaktualne"],
    more: ["and {count} more", "i jeszcze {count}"],
  },
  keys: {
    title: ["Keys", "Klawisze"],
    search: ["Search", "Szukaj"],
    tiles: ["Tiles of the grid shown", "Kafelki widocznego zestawu"],
    quantity: ["Quantity of the line added last", "Ilość w ostatnio dodanej pozycji"],
    undo: ["Undo", "Cofnij"],
    send: ["Send the estimate", "Wyślij wycenę"],
    help: ["These keys", "Ta pomoc"],
    places: ["Board, estimates, customers, workshop", "Tablica, wyceny, klienci, warsztat"],
  },
});
