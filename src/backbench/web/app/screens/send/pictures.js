// Pictures: the pages of the PDF. The first one says how many there are; the others are fetched when they are scrolled to.

import { isProblem, Problem } from "../../api/problems.js";
import { notYet, useAnswer } from "../../components/answer.js";
import { sheet } from "../../components/sheet.js";
import { button, canvas, component, div, p } from "../../components/tags.js";
import { words } from "../../words/words.js";
import { sendWords } from "../../words/send.js";
import { useEffect, useRef, useState } from "../../vendor/hooks.js";

/** @typedef {import("../../api/client.js").Answer<Blob>} Answer */
/** `id` is another one as soon as the pages look different.
 * @typedef {{ id: string, load: (page: number) => Promise<Answer> }} Source */
/** @typedef {{ count: number, pages: Map<number, ImageBitmap> }} Document */

/** The documents that were drawn last, so that they are there again at once, also without a connection. @type {Map<string, Document>} */
const drawn = new Map();
const KEPT = 3;
const PAUSE = 250;

/** @param {{ source: Source }} props */
export const pictures = (props) => component(Pictures, props);

/** @param {{ source: Source }} props */
function Pictures({ source }) {
  const { shown, answered } = useFirstPage(source);
  const [large, setLarge] = useState(0);
  const text = sendWords.value;
  if (!shown) {
    return answered.problem
      ? notYet(answered)
      : div({ class: "pages" }, p({ class: "page-blank quiet-text late" }, text.drawing));
  }
  const count = drawn.get(shown.id)?.count ?? 1;
  return div(
    { class: "stack" },
    div(
      { class: shown.id === source.id ? "pages" : "pages outdated" },
      ...Array.from({ length: count }, (_, at) => small(shown, at + 1, count, setLarge)),
    ),
    count > 1 && p({ class: "quiet-text" }, words.value.common.pages(count)),
    large > 0 && sheet(
      { title: text.page(large, count), onClose: () => setLarge(0) },
      div({ class: "page-large", tabIndex: 0 }, component(Page, { source: shown, page: large })),
    ),
  );
}

/** @param {Source} source @param {number} page @param {number} count @param {(page: number) => void} onTap */
function small(source, page, count, onTap) {
  return button(
    {
      key: page,
      type: "button",
      class: "page-button",
      "aria-label": sendWords.value.enlarge(page, count),
      onClick: () => onTap(page),
    },
    component(Page, { source, page }),
  );
}

/** The newest source whose first page is there; until then the one before stays. @param {Source} source */
function useFirstPage(source) {
  const wanted = useRef("");
  const [first] = useState(() => drawn.has(source.id) ? source : null);
  const answered = useAnswer(async () => {
    const isChange = ![source.id, ""].includes(wanted.current);
    wanted.current = source.id;
    if (isChange && !drawn.has(source.id)) await new Promise((end) => setTimeout(end, PAUSE));
    // Another change has overtaken this one.
    if (wanted.current !== source.id) return source;
    await draw(source, 1).catch((error) => {
      throw isProblem(error) ? error : new Problem(500, "internal");
    });
    return source;
  }, source.id);
  return { shown: answered.data ?? first, answered };
}

/** @param {Source} source @param {number} page */
async function draw(source, page) {
  const known = drawn.get(source.id)?.pages.get(page);
  if (known) return known;
  const { data, headers } = await source.load(page);
  const picture = await createImageBitmap(data);
  const count = Number(headers.get("Page-Count") ?? 1);
  const found = drawn.get(source.id) ?? { count, pages: new Map() };
  found.pages.set(page, picture);
  drawn.set(source.id, found);
  for (const [first] of drawn) if (drawn.size > KEPT) drawn.delete(first);
  return picture;
}

/** @param {{ source: Source, page: number }} props */
function Page({ source, page }) {
  const element = useRef(/** @type {HTMLCanvasElement | null} */ (null));
  useEffect(() => {
    const target = element.current;
    if (!target) return;
    const stop = new AbortController();
    const seen = new IntersectionObserver(([entry]) => {
      if (!entry?.isIntersecting) return;
      seen.disconnect();
      // A page that does not come stays white; the first one says what is wrong.
      draw(source, page).then((picture) => paint(target, picture), () => {});
    });
    seen.observe(target);
    return () => {
      seen.disconnect();
      stop.abort();
    };
  }, [source.id, page]);
  return canvas({ class: "page-picture", ref: element, width: 1080, height: 1527 });
}

/** @param {HTMLCanvasElement} target @param {ImageBitmap} picture */
function paint(target, picture) {
  target.width = picture.width;
  target.height = picture.height;
  target.getContext("2d")?.drawImage(picture, 0, 0);
}
