// History: the revisions of an estimate with their totals, hand-offs and PDFs, read from the server.

import { call } from "../../api/client.js";
import { settle } from "../../state/outbox.js";

/** @typedef {{ revisions: Api.EstimateRevision[], totals: Map<number, Api.RevisionTotals>, handoffs: Api.Handoff[], exports: Api.PdfExport[] }} History */

/** Throws Problem. @param {string} id @returns {Promise<History>} */
export async function loadRevisions(id) {
  const present = await settle(id);
  const [{ revisions }, { handoffs }, { pdfExports }] = await Promise.all([
    call("GET /estimates/{estimateId}/revisions", { estimateId: present }),
    call("GET /estimates/{estimateId}/handoffs", { estimateId: present }),
    call("GET /estimates/{estimateId}/pdf-exports", { estimateId: present }),
  ]);
  const numbers = revisions.map(({ revisionNumber }) => revisionNumber);
  const found = await Promise.all(
    numbers.map((number) =>
      call("GET /estimates/{estimateId}/revisions/{revisionNumber}/totals", {
        estimateId: present,
        revisionNumber: number,
      })
    ),
  );
  return {
    revisions,
    totals: new Map(found.map((totals, at) => [numbers[at] ?? 0, totals])),
    handoffs,
    exports: pdfExports,
  };
}
