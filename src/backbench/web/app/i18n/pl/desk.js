/** @type {typeof import("../en/desk.js").desk} */
export const desk = {
  floor: {
    late: "Brak połączenia",
    more: (count) => `i jeszcze ${count}`,
  },
  keys: {
    title: "Klawisze",
    newOrder: "Nowe zlecenie",
    newEstimate: "Nowa wycena",
    search: "Szukaj",
    tiles: "Kafelki widocznego zestawu",
    send: "Wyślij wycenę",
    help: "Ta pomoc",
    places: "Tablica, wyceny, kafelki, warsztat",
  },
};
