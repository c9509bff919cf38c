/** @type {typeof import("../en/catalog.js").catalog} */
export const catalog = {
  title: "Katalog",
  search: "Szukaj: sofa, kran, rynna",
  jobs: "Rodzaje prac",
  items: "Pojedyncze pozycje",
  makeGrid: "Utwórz zestaw",
  addAll: "Dodaj wszystko",
  choose: "Wybierz pojedyncze",
  addingTo: (grid) => `Wszystko, co tu wybierzesz, trafi do zestawu „${grid}”.`,
  addChosen: (tiles) => `Dodaj: ${tiles}`,
  whichGrid: "Do którego zestawu?",
  onNewGrid: "Do nowego zestawu",
  newGridName: "Moje kafelki",
  made: (grid) => `Zestaw „${grid}” jest gotowy`,
  unavailable: "Katalog pojawi się, gdy będzie połączenie. Potem zostanie na tym urządzeniu.",
  nothing: "W katalogu nic nie pasuje. Nowy kafelek może nazywać się dowolnie.",
  first: (shown) => `Pokazano pierwsze ${shown}. Kolejne słowo zawęzi listę.`,
};
