// More sheet: what can be done with an estimate of the list.

import { sheet } from "../../components/sheet.js";
import { component } from "../../components/tags.js";
import { EstimateActions } from "../estimate-actions.js";

/** @param {{ summary: Api.EstimateSummary, onClose: () => void }} props */
export function MoreSheet({ summary, onClose }) {
  const { estimateId, name, orderId } = summary;
  return sheet(
    { title: name, onClose },
    component(EstimateActions, { id: estimateId, name, orderId, onClose }),
  );
}
