/** @type {typeof import("../en/shop-scopes.js").scopeNames} */
export const scopeNames = {
  "orders:read": "czytać zlecenia",
  "orders:write": "dodawać i przesuwać zlecenia, zmieniać ich szczegóły",
  "estimates:read": "czytać wyceny",
  "estimates:write": "pisać, zatwierdzać i udostępniać wyceny",
  "customers:read": "czytać dane klientów",
  "customers:write": "dodawać, zmieniać, łączyć i usuwać klientów",
  "payments:read": "czytać wpłaty",
  "payments:write": "zapisywać i anulować wpłaty, ustalać ceny",
  "files:read": "otwierać obrazki i pliki",
  "files:write": "dodawać i usuwać obrazki i pliki",
  "drafts:write": "dodawać zlecenia i szkicować wyceny, jak robią to agenci",
};

/** @type {typeof import("../en/shop-scopes.js").scopeGroups} */
export const scopeGroups = {
  orders: "Zlecenia",
  estimates: "Wyceny",
  customers: "Klienci",
  payments: "Wpłaty",
  files: "Pliki",
  drafts: "Szkice",
};

/** @type {typeof import("../en/shop-scopes.js").scopeAreas} */
export const scopeAreas = {
  "orders": "zlecenia",
  "slips": "kwity",
  "signatures": "podpisy",
  "photos": "zdjęcia",
  "questions": "pytania klientów",
  "messages": "wiadomości do klientów",
  "status pages": "linki do strony zlecenia dla klienta",
  "estimates": "wyceny",
  "recipients": "odbiorcy",
  "revisions": "zatwierdzone wersje",
  "PDFs": "PDF-y",
  "hand-offs": "co wysłano",
  "links": "linki dla klientów",
  "comments": "uwagi klientów",
  "decisions": "decyzje klientów",
  "tiles": "kafelki",
  "catalog": "katalog",
  "customers": "klienci",
  "customer histories": "historia i wszystkie dane klienta",
  "payments": "wpłaty",
  "receipts": "potwierdzenia z klientem i nazwą zlecenia",
  "payment codes": "kody do zapłaty",
  "agreed prices": "uzgodnione ceny i kwoty do zapłaty",
  "numbers": "liczby",
  "inbox": "co na Ciebie czeka",
  "files": "pliki",
  "document settings": "ustawienia dokumentów",
  "changes": "zmiany w tym wszystkim",
};
