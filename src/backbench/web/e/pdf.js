// PDF of the estimate: its download and the pictures of its pages.

import { el } from "./elements.js";
import { isBusy, request, secondsToWait } from "./requests.js";
import { view } from "./view.js";

export const pdf = {
  async download(button, failed) {
    button.disabled = true;
    const response = await request("/pdf");
    button.disabled = false;
    if (!response?.ok) return failed(problemOf(response));
    const address = URL.createObjectURL(await response.blob());
    el("a", { href: address, download: fileName(response) }).click();
    setTimeout(() => URL.revokeObjectURL(address), 60_000);
  },
  /** The picture of a page and the number of pages. */
  async picture(number, width) {
    const response = await request(`/pages/${number}?width=${width}`);
    if (!response?.ok) throw new Error(problemOf(response));
    return [await createImageBitmap(await response.blob()), Number(response.headers.get("Page-Count"))];
  },
};

function fileName(response) {
  const sent = response.headers.get("Content-Disposition") ?? "";
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(sent);
  return encoded ? decodeURIComponent(encoded[1]) : `${view.texts.kind} ${view.estimate.name}.pdf`;
}

function problemOf(response) {
  if (response === null) return view.texts.offlineTitle;
  return isBusy(response) ? view.texts.sentBusy(secondsToWait(response)) : view.texts.sentFailed;
}
