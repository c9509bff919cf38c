// Hands a file over to the browser, which stores it as a download.

const KEPT = 60_000;

/** @param {Blob} blob @param {string} name */
export function handOver(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // Some browsers read it only after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), KEPT);
}
