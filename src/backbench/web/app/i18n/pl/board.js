import { pluralOf } from "../plurals.js";

/** @type {typeof import("../en/board.js").board} */
export const board = {
  title: "Tablica",
  orders: "Zlecenia",
  start: "Zacznij",
  finish: "Gotowe",
  reopen: "Wznów",
  newOrder: "Nowe zlecenie",
  moved: (title, status) => `${title}: ${status}`,
  emptyToDo: "Nic nie czeka. Tu trafi następne zlecenie.",
  emptyInProgress: "Warsztat wolny. Zacznij zlecenie, a pojawi się tutaj.",
  emptyDone: "Tu trafiają gotowe zlecenia.",
  due: {
    overdue: "Po terminie",
    today: "Dziś",
    week: "W tym tygodniu",
    later: "Później",
    none: "Bez terminu",
    daysLate: (days) => `${pluralOf("pl", days, { one: `${days} dzień`, other: `${days} dni` })} po terminie`,
    lateSince: (time) => `po terminie od ${time}`,
    onToday: "dziś",
    onTomorrow: "jutro",
  },
  waitingFor: {
    parts: "Czeka na części",
    customer: "Czeka na klienta",
    supplier: "Czeka na dostawcę",
    other: "Wstrzymane",
  },
  unread: (count) => `nowe: ${count}`,
  search: "Szukaj zleceń",
  nothingFound: (query) => `Brak zleceń z „${query}”.`,
  loadMore: "Pokaż starsze",
};
