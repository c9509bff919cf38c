/** Words of payments, what is due, and the numbers of a workshop. */
export const payments = {
  title: "Money",
  agreed: "Agreed",
  sources: {
    accepted: "estimate accepted",
    confirmed: "estimate not accepted yet",
    entered: "without an estimate",
    none: "",
  },
  paid: "Paid",
  due: "Still to pay",
  nothingDue: "Everything is paid",
  overpaid: "Overpaid",
  /** @param {string} amount */
  deposit: (amount) => `Deposit ${amount}`,
  /** @param {string} amount */
  depositPaid: (amount) => `${amount} of it paid`,
  setPrice: "Agreed price",
  setPriceHelp: "For work without an estimate. Empty: no price.",
  add: "Add payment",
  showCode: "Code to pay",
  kinds: { deposit: "Deposit", payment: "Payment", refund: "Refund" },
  methods: { cash: "Cash", transfer: "Bank transfer", card: "Card", blik: "BLIK", other: "Other" },
  kind: "What is it?",
  method: "How?",
  amount: "Amount",
  receivedOn: "Day",
  note: "Note",
  /** @param {string} amount */
  save: (amount) => `Record ${amount}`,
  /** @param {string} amount */
  recorded: (amount) => `Recorded: ${amount}`,
  collecting: {
    /** @param {string} amount */
    title: (amount) => `${amount} still to pay`,
    later: "Later",
  },
  more: "Day, note",
  wrongAmount: "Enter an amount above 0.",
  /** @param {number} decimals */
  tooPrecise: (decimals) => decimals ? `At most ${decimals} decimals.` : "Whole amounts only.",
  tooMuch: "More than was paid.",
  list: "Payments",
  receipt: "Receipt",
  void: "Void",
  voidTitle: "Void the payment?",
  voidHelp: "It stays in the list with the reason, but no longer counts.",
  reason: "Reason",
  voided: "Void",
  takeBack: "Undo",
  pay: {
    title: "Pay",
    scan: "Scan it with your bank’s app to fill in the transfer.",
    code: "QR code for a bank transfer",
    noCode: "No code can be made for this currency and account.",
    noAccount: "Enter your bank account under Workshop → Documents, and a code to scan appears here.",
    link: "Open the payment link",
    name: "Name",
    iban: "IBAN",
    amount: "Amount",
    reference: "Reference",
    /** @param {string} what */
    copy: (what) => `Copy: ${what}`,
    copied: "Copied",
  },
  numbers: {
    title: "Numbers",
    intro: "From your own orders and estimates, by the day in your time zone.",
    owed: {
      title: "Not paid yet",
      intro: "Collected orders with something still to pay, the latest first.",
      none: "Nobody owes you anything.",
      /** @param {string} sum @param {number} customers */
      by: (sum, customers) => `${sum} is owed by ${customers} ${customers === 1 ? "customer" : "customers"}.`,
      /** @param {string} day */
      collected: (day) => `collected ${day}`,
    },
    /** @param {number} count @param {string} sum */
    open: (count, sum) =>
      count === 0
        ? "No estimate is waiting for an answer."
        : `${count} ${count === 1 ? "estimate is waiting" : "estimates are waiting"} for an answer${
          sum ? `: ${sum}` : ""
        }.`,
    /** @param {number} accepted @param {number} all @param {number} percent */
    decided: (accepted, all, percent) =>
      all === 0
        ? "No estimate was answered in these months."
        : `${accepted} of ${all} answered estimates were accepted: ${percent}%.`,
    /** @param {number} count */
    late: (count) =>
      count === 0 ? "No order is late." : count === 1 ? "1 order is late." : `${count} orders are late.`,
    /** @param {number} count */
    ready: (count) =>
      count === 0
        ? "Nothing is waiting to be collected."
        : count === 1
        ? "1 order is waiting to be collected."
        : `${count} orders are waiting to be collected.`,
    /** @param {string} sum */
    thisMonth: (sum) => `Received this month: ${sum}`,
    nothing: "nothing",
    months: "By month",
    month: "Month",
    agreed: "Agreed",
    received: "Received",
    plot: "Agreed and received by month",
    currency: "Currency",
    /** @param {string} month */
    of: (month) => `Agreed and received in ${month}`,
    noEntries: "Nothing in this month.",
    csv: "For a spreadsheet (CSV)",
    csvMonths: "Numbers by month",
    csvPayments: "Payments",
    csvOrders: "Orders",
    csvCustomers: "Customers",
    csvTiles: "Tiles",
    back: "Numbers",
  },
};
