// Clipboard: copies a text, also on a page without https.

/** @param {string} text */
export async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    copiedBySelection(text);
  }
}

/** @param {string} text */
function copiedBySelection(text) {
  const area = document.createElement("textarea");
  area.value = text;
  area.className = "spoken";
  (document.querySelector("dialog[open]") ?? document.body).append(area);
  area.select();
  document.execCommand("copy");
  area.remove();
}
