// Intake: an order is taken in at the counter, in one column, with or without a connection.

import { actionButton } from "../components/action-button.js";
import { frame } from "../components/frame.js";
import { component, div } from "../components/tags.js";
import { orderWords } from "../i18n/orders.js";
import { loadCatalog } from "../state/catalog.js";
import { loadIntakeWords, takeIn } from "../state/order-details.js";
import { useEffect } from "../vendor/hooks.js";
import { signal } from "../vendor/signals.js";
import { BLANK, draft } from "./intake/draft.js";
import { What, When, Where, Who } from "./intake/fields.js";
import { Taken } from "./intake/taken.js";

/** The id of the order that was taken in last, until the next one begins. */
const taken = signal("");

export function screen() {
  useEffect(() => {
    taken.value = "";
    void Promise.all([loadIntakeWords(), loadCatalog()]);
  }, []);
  const text = orderWords.value.intake;
  if (taken.value) {
    return frame(
      { title: text.taken, place: "board", back: "/" },
      component(Taken, { orderId: taken.value }),
    );
  }
  const foot = actionButton({
    label: text.take,
    kind: "main",
    wide: true,
    disabled: draft.value.what.trim() === "",
    onClick: take,
  });
  return frame(
    { title: text.title, place: "board", back: "/", foot },
    div(
      { class: "stack" },
      component(What, {}),
      component(Who, {}),
      component(When, {}),
      component(Where, {}),
    ),
  );
}

function take() {
  const { what, name, condition, limit, ...known } = draft.value;
  if (what.trim() === "") return;
  const texts = Object.entries(known).filter(([, value]) => value.trim() !== "");
  const details = {
    ...Object.fromEntries(texts.map(([field, value]) => [field, value.trim()])),
    ...(condition.length ? { item: { condition: condition.join(", ") } } : {}),
    ...(limit === null ? {} : { priceLimit: limit }),
  };
  taken.value = takeIn(what.trim(), name.trim(), details);
  draft.value = BLANK;
}
