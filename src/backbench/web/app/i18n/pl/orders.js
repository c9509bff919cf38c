/** @type {typeof import("../en/orders.js").orders} */
export const orders = {
  order: "Zlecenie",
  title: "Co",
  customer: "Dla kogo",
  notes: "Notatki",
  notesHelp: "Wymiary, drewno, tkanina, imię psa. Zapisuje się samo.",
  status: "Stan",
  history: "Historia",
  created: "Przyjęte",
  delete: "Usuń zlecenie",
  deleted: (title) => `Usunięto: ${title}`,
  titleMissing: "Zlecenie musi mieć nazwę.",
  gone: "To zlecenie usunięto.",
  backToBoard: "Wróć na tablicę",
  notSentYet: "Jeszcze niewysłane",
  fromEstimate: "Wycena",
  makeEstimate: "Zrób do niego wycenę",
};
