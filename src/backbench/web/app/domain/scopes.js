// Scopes of API keys and the areas that each opens, generated from the table of operations by `make docs`.

export const SCOPE_AREAS = /** @type {const} */ ({
  "orders:read": [
    "orders",
    "slips",
    "signatures",
    "photos",
    "questions",
    "messages",
    "status pages",
    "catalog",
    "document settings",
    "changes",
  ],
  "orders:write": [
    "orders",
    "signatures",
    "photos",
    "questions",
    "messages",
  ],
  "estimates:read": [
    "estimates",
    "recipients",
    "revisions",
    "PDFs",
    "hand-offs",
    "links",
    "comments",
    "decisions",
    "tiles",
    "catalog",
    "document settings",
    "changes",
  ],
  "estimates:write": [
    "messages",
    "estimates",
    "revisions",
    "PDFs",
    "links",
    "comments",
    "tiles",
  ],
  "customers:read": [
    "customers",
    "changes",
  ],
  "customers:write": [
    "customers",
  ],
  "payments:read": [
    "payments",
    "receipts",
    "payment codes",
    "agreed prices",
    "changes",
  ],
  "payments:write": [
    "payments",
    "agreed prices",
  ],
  "invoices:read": [
    "invoices",
    "changes",
  ],
  "invoices:write": [
    "invoices",
  ],
  "files:read": [
    "files",
  ],
  "files:write": [
    "files",
  ],
  "drafts:write": [
    "orders",
    "estimates",
  ],
});

/** What several scopes open together, beyond what each of them does. */
export const TOGETHER = /** @type {const} */ ([
  {
    scopes: [
      "orders:read",
      "estimates:read",
    ],
    areas: [
      "inbox",
    ],
  },
  {
    scopes: [
      "drafts:write",
      "invoices:read",
    ],
    areas: [
      "invoices",
    ],
  },
  {
    scopes: [
      "orders:read",
      "estimates:read",
      "payments:read",
    ],
    areas: [
      "agreed prices",
      "numbers",
    ],
  },
  {
    scopes: [
      "customers:read",
      "orders:read",
      "estimates:read",
      "payments:read",
    ],
    areas: [
      "customer histories",
    ],
  },
  {
    scopes: [
      "customers:read",
      "orders:read",
      "estimates:read",
      "payments:read",
      "invoices:read",
    ],
    areas: [
      "customer histories",
    ],
  },
  {
    scopes: [
      "estimates:read",
      "orders:write",
    ],
    areas: [
      "orders",
    ],
  },
]);
