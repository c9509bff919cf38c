// Search of the API reference: by words of the summary, the name of the operation, or its path.

const nav = document.querySelector("nav");
const field = nav.querySelector("input");
const groups = [...nav.querySelectorAll("ul")].map((list) => ({
  list,
  heading: list.previousElementSibling,
  entries: [...list.children].map((entry) => ({ entry, text: searched(entry.firstElementChild) })),
}));

/** What a link is found by. */
function searched(link) {
  return `${link.textContent} ${link.title} ${link.hash}`.toLowerCase();
}

function search() {
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
  nav.classList.toggle("searching", words.length > 0);
  for (const { list, heading, entries } of groups) {
    for (const { entry, text } of entries) entry.hidden = !words.every((word) => text.includes(word));
    list.hidden = heading.hidden = entries.every(({ entry }) => entry.hidden);
  }
}

field.hidden = false;
field.addEventListener("input", search);
field.addEventListener("keydown", (event) => {
  const first = groups.flatMap(({ entries }) => entries).find(({ entry }) => !entry.hidden);
  if (event.key === "Enter" && first) first.entry.firstElementChild.click();
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || event.target === field) return;
  event.preventDefault();
  field.focus();
});
