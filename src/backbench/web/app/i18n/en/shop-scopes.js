/** What a key with a scope may do. @type {Record<import("../../screens/shop/keys.js").Scope, string>} */
export const scopeNames = {
  "orders:read": "see orders",
  "orders:write": "add and move orders, change their details",
  "estimates:read": "see estimates",
  "estimates:write": "write, confirm and share estimates",
  "customers:read": "see customers",
  "customers:write": "add, change, merge and delete customers",
  "payments:read": "see payments",
  "payments:write": "record and void payments, set prices",
  "files:read": "open pictures and files",
  "files:write": "upload and delete pictures and files",
  "drafts:write": "add orders and draft estimates, as agents do",
};

/** What the scopes are about. */
export const scopeGroups = {
  orders: "Orders",
  estimates: "Estimates",
  customers: "Customers",
  payments: "Payments",
  files: "Files",
  drafts: "Drafts",
};

/** Everything that a scope can open. @type {Record<import("../../screens/shop/keys/scopes.js").Area, string>} */
export const scopeAreas = {
  "orders": "orders",
  "slips": "slips",
  "signatures": "signatures",
  "photos": "photos",
  "questions": "customers’ questions",
  "messages": "messages to customers",
  "status pages": "links to the customer’s page of an order",
  "estimates": "estimates",
  "recipients": "recipients",
  "revisions": "confirmed revisions",
  "PDFs": "PDFs",
  "hand-offs": "what was sent",
  "links": "clients’ links",
  "comments": "clients’ comments",
  "decisions": "clients’ decisions",
  "tiles": "tiles",
  "catalog": "catalog",
  "customers": "customers",
  "customer histories": "history and all data of a customer",
  "payments": "payments",
  "receipts": "receipts, with customer and title of the order",
  "payment codes": "payment codes",
  "agreed prices": "agreed prices and what is due",
  "numbers": "numbers",
  "inbox": "what waits for you",
  "files": "files",
  "document settings": "settings of documents",
  "changes": "what changes in these",
};
