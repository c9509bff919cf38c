/** Words of the revisions of an estimate. */
export const revisions = {
  title: "Revisions",
  /** @param {number} number */
  revision: (number) => `Revision ${number}`,
  /** @param {number} number */
  since: (number) => `Since revision ${number}`,
  now: "Not confirmed yet",
  nothingChanged: "Nothing changed.",
  added: "new",
  removed: "removed",
  moved: "Lines in another order",
  empty: "Nothing has been confirmed yet. The first revision is made when the estimate is sent.",
  toEstimate: "To the estimate",
  openPdf: "Open the PDF",
  /** @param {string} language */
  pdfIn: (language) => `PDF, ${language}`,
  preliminary: "preliminary",
  show: "Look at it",
  /** @param {number} page @param {number} count */
  page: (page, count) => `Page ${page} of ${count}`,
  notSent: "Not sent",
  tones: { friendly: "friendly", formal: "formal" },
  restore: "Go on from this one",
  /** @param {number} number */
  restored: (number) => `The estimate is again as in revision ${number}`,
  prices: "Prices",
  total: "Total",
};
