/** @type {typeof import("../en/catalog.js").catalog} */
export const catalog = {
  title: "Katalog",
  search: "Szukaj: sofa, kran, rynna",
  jobs: "Rodzaje robót",
  items: "Pojedyncze pozycje",
  makeGrid: "Zrób siatkę",
  addAll: "Dodaj wszystko",
  choose: "Wybierz pojedyncze",
  addingTo: (grid) => `Wszystko, co tu wybierzesz, trafi do siatki „${grid}”.`,
  addChosen: (tiles) => `Dodaj: ${tiles}`,
  whichGrid: "Do której siatki?",
  onNewGrid: "Do nowej siatki",
  newGridName: "Moje kafelki",
  made: (grid) => `Siatka „${grid}” jest gotowa`,
  unavailable: "Katalog pojawi się, gdy będzie połączenie. Potem zostanie na tym urządzeniu.",
  nothing: "W katalogu nic nie pasuje. Nowy kafelek może nazywać się dowolnie.",
  first: (shown) => `To pierwsze ${shown}. Kolejne słowo zawęzi listę.`,
};
