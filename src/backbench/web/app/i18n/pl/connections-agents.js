/** @type {import("./connections.js").Connections["agents"]} */
export const agents = {
  intro:
    "Agent to model językowy, który dla Ciebie pracuje, na przykład Claude albo model na Twoim komputerze. Czyta i przygotowuje szkice narzędziami tego serwera (Model Context Protocol, MCP).",
  sees: "Co może robić",
  reads: "Czytać: zlecenia z nazwiskami i telefonami, wyceny z cenami, kafelki i to, co na Ciebie czeka.",
  customers: "Jeśli pozwolisz: klientów z adresami i notatkami.",
  drafts: "Jeśli pozwolisz: dodawać zlecenia i pisać szkice wycen.",
  never:
    "Nigdy: zatwierdzać, wysyłać, tworzyć linków, przyjmować wpłat, usuwać, zmieniać zespołu. Jego klucz tego nie otwiera.",
  address: "Adres dla agenta",
  addressNote: "W programie podaj ten adres i klucz.",
  make: "Nowy klucz dla agenta",
  name: "Jaki to agent?",
  nameUsual: "Agent",
  may: "Może",
  mays: { read: "Czytać", draft: "Czytać i szkicować" },
  withCustomers: "Także klienci",
  withCustomersHelp: "Adresy, telefony, notatki",
  keyMore:
    "Dodaje zlecenia, zmienia ich szczegóły i szkicuje wyceny. Niczego nie zatwierdzi, nie wyśle i nie podpisze, także własnymi żądaniami.",
  create: "Utwórz klucz",
  secretTitle: "Klucz dla agenta",
  secret: "Klucz",
  secretOnce: "Skopiuj go teraz: pokazuje się tylko raz. Jest ważny rok.",
  command: "Polecenie dla Claude Code",
  commandNote: "Zawiera klucz: tylko do własnego terminala.",
  keys: "Wszystkie klucze: ostatnie użycie, unieważnianie",
};
