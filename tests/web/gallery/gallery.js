// Gallery: every component in its states, and three screens made of them. ?view=…&theme=…&language=…

import { actionButton } from "/app/components/action-button.js";
import { choice, selectField, toggle } from "/app/components/controls.js";
import { colourField } from "/app/components/colour-field.js";
import { emojiPicker } from "/app/screens/tiles/emoji.js";
import { emptyState, notice } from "/app/components/notice.js";
import { keypad } from "/app/components/keypad.js";
import { linkRow, linkRows } from "/app/components/link-row.js";
import { photoButton } from "/app/components/photo-button.js";
import { places } from "/app/components/frame.js";
import { roll, lineRow, sums } from "/app/screens/builder/lines.js";
import { sheet } from "/app/components/sheet.js";
import { sign } from "/app/components/sign.js";
import { stamp, ticket } from "/app/components/ticket.js";
import { b, button, component, div, footer, h1, h2, main, section, span } from "/app/components/tags.js";
import { textField } from "/app/components/text-field.js";
import { tile } from "/app/components/tile.js";
import { totalBar } from "/app/components/total-bar.js";
import { undoBar } from "/app/components/undo-bar.js";
import { BACKGROUNDS } from "/app/domain/colours.js";
import { loadWords, words } from "/app/words/words.js";
import { offerUndo } from "/app/state/undo.js";
import { render } from "/app/vendor/preact.js";

const query = new URLSearchParams(location.search);
const language = query.get("language") ?? "en";
const LOOKS = {
  en: {
    name: "Harrow & Thread",
    logo: "🪑",
    background: "forest",
    titleFont: "didone",
    accentColor: "#C8963E",
  },
  pl: {
    name: "Stolarnia Dębowa Konstantynopolitańczykowianeczka",
    logo: "🪵",
    background: "terracotta",
    titleFont: "serif",
    accentColor: "#E8C07A",
  },
};
const look = {
  ...LOOKS[language],
  ...(query.has("background") ? { background: query.get("background") } : {}),
};
const LINES = [
  { id: "1", label: "Reupholster wingback chair, seat and back", unit: "piece", unitPrice: 420, quantity: 2 },
  { id: "2", label: "Wool fabric, herringbone", unit: "linear_m", unitPrice: 64, quantity: 7.5 },
  { id: "3", label: "New webbing and horsehair filling", unit: "job", unitPrice: 180, quantity: 1 },
  { id: "4", label: "Hand-stitched piping", unit: "linear_m", unitPrice: 18.5, quantity: 11 },
];
const TILES = [
  { emoji: "🪑", label: "Chair, seat and back", unit: "piece", unitPrice: 420 },
  { emoji: "🧵", label: "Hand stitching", unit: "hour", unitPrice: 48, backgroundColor: "#24452F" },
  { emoji: "🛋️", label: "Sofa", unit: "piece", unitPrice: 980, backgroundColor: "#F3D9D2" },
  { emoji: "📏", label: "Wool fabric", unit: "linear_m", unitPrice: 64 },
  { emoji: "🔨", label: "Webbing, filling", unit: "job", unitPrice: 0 },
  { emoji: "🚚", label: "Collection", unit: "job", unitPrice: 35 },
];
const none = () => {};
const title = (text) => h2({}, text);

/** The frame without the router. */
const framed = (place, heading, foot, ...children) =>
  div(
    { class: "frame" },
    sign({ look }),
    main({ class: "screen" }, div({ class: "screen-head" }, h1({}, heading)), ...children),
    foot ? footer({ class: "foot" }, foot) : places({ place }),
  );

const tabs = () =>
  div(
    { class: "tabs", role: "tablist" },
    ...["todo", "in_progress", "done"].map((status, at) =>
      button(
        { class: `tab status-${status}`, type: "button", role: "tab", "aria-selected": at === 0 },
        b({ class: "figures" }, ["4", "2", "37"][at]),
        span({}, words.value.common.orderStatus[status]),
      )
    ),
  );

const tickets = () =>
  div(
    { class: "tickets" },
    ...[
      ["todo", "Pair of wingback chairs", "Margaret Whitlock", "2 hours ago", "Start"],
      [
        "in_progress",
        "Chesterfield, three seats: new springs and leather",
        "Oyelaran & Sons",
        "yesterday",
        "Done",
      ],
      ["done", "Fensterbanktapezierarbeiten Donaudampfschifffahrt", "", "3 days ago", "Reopen"],
    ].map(([status, text, detail, meta, label], at) =>
      ticket({
        href: "#",
        title: text,
        detail,
        meta,
        status,
        pending: at === 1,
        action: actionButton({ label, kind: at === 2 ? "quiet" : "plain", onClick: none }),
      })
    ),
  );

const paperRoll = () =>
  roll(
    {},
    ...LINES.map((line, at) =>
      lineRow({
        line,
        sum: String((line.unitPrice * line.quantity).toFixed(2)),
        open: at === 1,
        onTap: none,
      })
    ),
    sums({
      rows: [["Subtotal", "1703.50"], ["Discount 5 %", "-85.18"], ["VAT 20 %", "323.66"]],
      total: ["Total", "1941.98"],
    }),
  );

const tiles = (size) =>
  div(
    { class: `tiles ${size}` },
    ...TILES.map((each, at) => tile({ tile: each, count: at ? undefined : "2", onTap: none })),
  );

const keys = () =>
  keypad({
    label: "Price",
    text: "12.5",
    onText: none,
    bounds: { least: "0", most: "9999999" },
    unit: "€ / m",
    extra: [
      { label: "×2", onTap: none },
      { label: "+10 %", onTap: none },
      { label: "−10 %", onTap: none },
    ],
  });

const VIEWS = {
  board: () =>
    framed(
      "board",
      "Board",
      null,
      section(
        { class: "stack" },
        title("Waiting for you"),
        linkRows(
          {},
          linkRow({
            href: "#",
            title: "Margaret Whitlock: wingback chairs",
            detail: "Confirmed, not sent · 2 days ago",
            icon: "send",
          }),
          linkRow({
            href: "#",
            title: "Chesterfield, three seats",
            detail: "No answer · 9 days ago",
            icon: "phone",
          }),
        ),
      ),
      tabs(),
      actionButton({ label: "New order", icon: "plus", wide: true, onClick: none }),
      tickets(),
    ),
  builder: () =>
    framed(
      "newEstimate",
      "Pair of wingback chairs",
      totalBar({ total: "1941.98", action: { label: "Send", icon: "send", onClick: none } }),
      paperRoll(),
      tiles("medium"),
    ),
  send: () =>
    framed(
      "estimates",
      "Send to Margaret",
      actionButton({ label: "Confirm revision 2", kind: "main", wide: true, onClick: none }),
      div({ class: "pages" }, ...[1, 2].map(() => div({ class: "page-picture" }))),
      div(
        { class: "panel" },
        choice({
          label: "Language",
          value: "en",
          options: [{ value: "en", label: "English" }, { value: "pl", label: "Polski" }],
          onChange: none,
        }),
        toggle({ label: "Preliminary", help: "A watermark across each page", value: true, onChange: none }),
        toggle({ label: "Show each line", value: false, onChange: none }),
        textField({
          label: "Message",
          multiline: true,
          value: "Dear Margaret, here is the estimate for your chairs.",
        }),
      ),
    ),
  parts: () =>
    framed(
      "shop",
      "Components",
      null,
      title("Buttons"),
      div(
        { class: "row" },
        actionButton({ label: "Send", icon: "send", kind: "main" }),
        actionButton({ label: "Plain" }),
        actionButton({ label: "Quiet", kind: "quiet" }),
        actionButton({ label: "Delete", kind: "danger" }),
        actionButton({ label: "Disabled", disabled: true }),
        actionButton({ label: "Close", icon: "x", iconOnly: true }),
      ),
      title("Stamps"),
      div(
        { class: "row" },
        ...["todo", "in_progress", "done"].map((status) =>
          stamp({ status, word: words.value.common.orderStatus[status] })
        ),
        stamp({ status: "alarm", word: "Refused" }),
      ),
      title("Fields"),
      div(
        { class: "panel" },
        textField({ label: "Title", value: "Pair of chairs", help: "What the job is" }),
        textField({ label: "Email", value: "ellen@", problem: "This is not an email address." }),
        selectField({
          label: "Currency",
          value: "EUR",
          options: [{ value: "EUR", label: "Euro (EUR)" }],
          onChange: none,
        }),
        choice({
          label: "Status",
          value: "todo",
          options: ["todo", "in_progress", "done"].map((value) => ({
            value,
            label: words.value.common.orderStatus[value],
          })),
          onChange: none,
        }),
        toggle({ label: "Vibrate on tap", value: true, onChange: none }),
      ),
      title("Notices"),
      notice({ text: "Saved on this phone." }),
      notice({ kind: "good", text: "Sent." }),
      notice({ kind: "warning", text: "Your trial ends in 3 days.", action: { label: "Choose a plan" } }),
      notice({
        kind: "alarm",
        text: "3 of 3 revisions are used.",
        detail: "Duplicate the estimate, or take a larger plan.",
      }),
      title("Empty"),
      emptyState({
        picture: "🪑",
        text: "The first job stands here.",
        action: { label: "New order", icon: "plus" },
      }),
      title("Pickers"),
      div(
        { class: "panel" },
        colourField({
          label: "Accent",
          value: "#24452F",
          none: "None",
          own: "Another colour",
          onChange: none,
          swatches: ["#FFFDF8", "#8A3F22", "#24452F", "#2B3A67", "#C8963E"].map((value) => ({
            value,
            label: value,
          })),
        }),
        emojiPicker({
          label: "Picture",
          search: "Find a picture",
          value: "🪑",
          onChange: none,
          find: () => ["🪑", "🛋️", "🧵", "🔨", "📏", "🚚"].map((emoji) => ({ emoji })),
        }),
        photoButton({ label: "Photo", onPhoto: none }),
      ),
      title("Keypad"),
      keys(),
      title("Tiles"),
      tiles("small"),
      tiles("large"),
    ),
  backgrounds: () =>
    div(
      { class: "stack" },
      ...BACKGROUNDS.map((background, at) =>
        sign({
          look: {
            ...look,
            name: `${look.name} · ${background}`,
            background,
            titleFont: ["sans", "serif", "didone", "mono", "rounded"][at % 5],
          },
        })
      ),
    ),
  sheet: () =>
    div(
      {},
      VIEWS.board(),
      sheet(
        { title: "What waits", onClose: none, foot: actionButton({ label: "Try again", kind: "main" }) },
        notice({ text: "New order: chairs" }),
        keys(),
      ),
    ),
};

document.documentElement.dataset.theme = query.get("theme") ?? "light";
document.documentElement.lang = language;
await loadWords(language);
if (query.has("undo")) offerUndo("“Pair of wingback chairs” is in progress.", none);
render(component(() => div({}, VIEWS[query.get("view") ?? "parts"](), undoBar({})), {}), document.body);
