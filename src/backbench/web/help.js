// Search of the help: sections that have every word, those with it in their heading first.

const form = document.querySelector("form");
const field = form.querySelector("input");
const list = document.querySelector(".found");
const MOST = 8;
let sections;

/** Without accents and capitals: "wyceń" is found as "wycen". */
const plain = (text) => text.toLowerCase().replaceAll("ł", "l").normalize("NFD").replace(/\p{M}/gu, "");

const load = async () => {
  const found = await (await fetch(document.body.dataset.found)).json();
  return found.map((section) => ({
    ...section,
    ofHeading: plain(`${section.page} ${section.heading}`),
    ofText: plain(section.text),
  }));
};

/** A part of the text around the first word. */
function excerpt({ text, ofText }, word) {
  const at = ofText.length === text.length ? Math.max(ofText.indexOf(word), 0) : 0;
  const start = at < 60 ? 0 : text.lastIndexOf(" ", at - 40) + 1;
  return (start ? "… " : "") + text.slice(start, start + 140) + (text.length > start + 140 ? " …" : "");
}

function entry(section, word) {
  const [item, link, small] = ["li", "a", "small"].map((name) => document.createElement(name));
  link.href = section.url;
  link.textContent = section.page === section.heading ? section.page : `${section.page}: ${section.heading}`;
  small.textContent = excerpt(section, word);
  link.append(small);
  item.append(link);
  return item;
}

async function search() {
  const words = plain(field.value).split(/\s+/).filter(Boolean);
  try {
    sections ??= await load();
  } catch {
    // Without a connection, and not seen before: the contents below lead to the pages.
    return;
  }
  const has = (text) => words.every((word) => text.includes(word));
  const matching = sections.filter(({ ofHeading, ofText }) => has(`${ofHeading} ${ofText}`));
  const shown = [...matching.filter((each) => has(each.ofHeading)), ...matching.filter((each) => !has(each.ofHeading))];
  list.replaceChildren(...(words.length ? shown.slice(0, MOST).map((each) => entry(each, words[0])) : []));
  if (words.length && !shown.length) list.append(document.body.dataset.none);
}

form.hidden = false;
form.addEventListener("submit", (event) => {
  event.preventDefault();
  list.querySelector("a")?.click();
});
field.addEventListener("input", search);
