/** @type {typeof import("../en/desk.js").desk} */
export const desk = {
  floor: {
    late: "Brak połączenia: to może być nieaktualne",
    more: (count) => `i jeszcze ${count}`,
  },
  keys: {
    title: "Klawisze",
    newOrder: "Nowe zlecenie",
    newEstimate: "Nowa wycena",
    search: "Szukaj",
    tiles: "Kafelki widocznego zestawu",
    quantity: "Ilość w ostatnio dodanej pozycji",
    undo: "Cofnij",
    send: "Wyślij wycenę",
    help: "Ta pomoc",
    places: "Tablica, wyceny, kafelki, warsztat",
  },
};
