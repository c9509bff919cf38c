// PDF of the estimate: its download and the pictures of its pages. Only loaded when somebody wants one of them.

import { el } from "./elements.js";
import { isBusy, request, secondsToWait } from "./requests.js";
import { view } from "./view.js";

export async function download(button, failed) {
  button.disabled = true;
  const response = await request("/pdf");
  button.disabled = false;
  if (!response?.ok) return failed(problemOf(response));
  const address = URL.createObjectURL(await response.blob());
  el("a", { href: address, download: fileName(response) }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** Draws the pages one after another. Pictures are drawn on a canvas, so that the page needs no other source of images. */
export async function drawPages(shown, texts, failed) {
  const { box } = shown;
  const width = Math.round(Math.min(1600, Math.max(320, box.clientWidth * devicePixelRatio)));
  let count = 1;
  box.replaceChildren();
  for (let page = 1; page <= count; page += 1) {
    const response = await request(`/pages/${page}?width=${width}`);
    if (!response?.ok) return failed(problemOf(response));
    const picture = await createImageBitmap(await response.blob());
    count = Number(response.headers.get("Page-Count"));
    const canvas = el("canvas", { role: "img", width: picture.width, height: picture.height });
    canvas.getContext("2d").drawImage(picture, 0, 0);
    box.append(el("figure", {}, canvas, el("figcaption")));
    caption({ box, count }, texts);
  }
  shown.count = count;
}

export function caption({ box, count }, texts) {
  for (const [at, figure] of [...box.children].entries()) {
    figure.firstChild.setAttribute("aria-label", texts.pagePicture(at + 1, count));
    figure.lastChild.textContent = texts.pageOf(at + 1, count);
  }
}

function fileName(response) {
  const sent = response.headers.get("Content-Disposition") ?? "";
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(sent);
  return encoded ? decodeURIComponent(encoded[1]) : `${view.texts.kind} ${view.estimate.name}.pdf`;
}

function problemOf(response) {
  if (response === null) return view.texts.offlineTitle;
  return isBusy(response) ? view.texts.sentBusy(secondsToWait(response)) : view.texts.sentFailed;
}
