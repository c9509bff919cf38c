// Recipients: the clients of earlier estimates and orders, and what a document takes over from one.

import { call } from "../api/client.js";
import { useAnswer } from "../components/answer.js";
import { editFacts, facts } from "../state/estimates.js";
import { workshopId } from "../state/workshops.js";

/** Those of the workshop that is shown; without a connection none. @returns {Api.Recipient[]} */
export function useRecipients() {
  const of = workshopId.value;
  const { data } = useAnswer(async () => {
    const query = { workshopId: of, limit: 100 };
    return { of, ...await call("GET /workshops/{workshopId}/recipients", query) };
  }, of);
  // Without them the name is typed.
  return data?.of === of ? data.recipients : [];
}

/** Fills in what is known of the client, unless something else was typed. @param {string} estimateId @param {Partial<Api.Recipient>} recipient */
export function takeRecipient(estimateId, { address, taxId, email, phone }) {
  const present = facts(estimateId).peek() ?? {};
  const found = {
    recipientAddress: address,
    recipientTaxId: taxId,
    recipientEmail: email,
    recipientPhone: phone,
  };
  const hasOwn = Object.keys(found).some((fact) => fact in present);
  const given = Object.fromEntries(Object.entries(found).filter(([, value]) => value));
  if (!hasOwn && Object.keys(given).length) editFacts(estimateId, given);
}
