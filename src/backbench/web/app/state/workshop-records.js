// Records of the workshop that is shown: its sign and its document settings, saved as they are edited.

import * as api from "../api/workshops.js";
import { sharedRecord } from "./shared-record.js";
import { documentSettings, rememberSettings, rememberWorkshop, workshop, workshopId } from "./workshops.js";

/** @typedef {import("./workshops.js").Workshop} Workshop */
/** @typedef {import("./workshops.js").DocumentSettings} DocumentSettings */

/** Name, colours and typeface of the workshop. */
export function workshopRecord() {
  const id = workshopId.peek();
  return sharedRecord({
    initial: workshop.peek(),
    read: () => api.getWorkshop(id),
    write: (_known, fields, ifMatch) => api.updateWorkshopOf(id, fields, { ifMatch }),
    onSaved: rememberWorkshop,
  });
}

/** What documents show besides the estimate. Written as a whole; a field without a value is left out. */
export function documentsRecord() {
  const id = workshopId.peek();
  return sharedRecord({
    initial: documentSettings.peek(),
    read: () => api.getDocumentSettings(id),
    write: (known, fields, ifMatch) => api.replaceDocumentSettings(id, { ...known, ...fields }, { ifMatch }),
    onSaved: (settings) => rememberSettings(id, settings),
  });
}
