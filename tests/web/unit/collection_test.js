// Collections: whoever follows one value hears of no other, and a list that is mended is the list that is made anew.

import { collection, compare, sorted } from "../../../src/backbench/web/app/state/sync/collection.js";
import { effect, signal } from "../../../src/backbench/web/app/vendor/signals-core.js";
import { equal } from "./devices.js";

/** The same numbers in every run. @param {number} seed */
function numbers(seed) {
  let last = seed * 2_654_435_761 % 4_294_967_296;
  return (/** @type {number} */ below) => {
    last = (last * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return Math.floor(last / 4_294_967_296 * below);
  };
}

for (let seed = 1; seed <= 20; seed += 1) {
  Deno.test(`a list of two collections is what a list made anew is (${seed})`, () => {
    const number = numbers(seed);
    /** @type {import("../../../src/backbench/web/app/state/sync/collection.js").Collection<{at: string}>} */
    const orders = collection();
    /** @type {import("../../../src/backbench/web/app/state/sync/collection.js").Collection<string>} */
    const facts = collection();
    const shown = signal("a");
    const make = (/** @type {string} */ id) => {
      const order = orders.peek().get(id);
      return order && id.startsWith(shown.peek())
        ? { id, at: order.at, fact: facts.peek().get(id) }
        : undefined;
    };
    const list = sorted({
      sources: [orders, facts],
      make,
      order: (one, other) => compare(one.at, other.at) || compare(one.id, other.id),
      scope: () => shown.value,
    });
    for (let step = 0; step < 300; step += 1) {
      const id = `${"ab"[number(2)]}${number(30)}`;
      if (number(40) === 0) shown.value = "ab"[number(2)] ?? "a";
      else if (number(3) === 0) facts.set(id, number(4) ? String(number(9)) : undefined);
      else orders.set(id, number(4) ? { at: String(number(12)) } : undefined);
      // Several changes at once, too.
      if (number(3)) continue;
      const anew = [...orders.peek().keys()].flatMap((one) => make(one) ?? [])
        .sort((one, other) => compare(one.at, other.at) || compare(one.id, other.id));
      equal(list.value, anew);
    }
  });
}

Deno.test("a change of one value runs what follows it, and nothing that follows another", () => {
  /** @type {import("../../../src/backbench/web/app/state/sync/collection.js").Collection<number>} */
  const found = collection();
  /** @type {unknown[]} */
  const seen = [];
  effect(() => void seen.push(["oak", found.get("oak")]));
  effect(() => void seen.push(["ash", found.get("ash")]));
  found.set("oak", 1);
  found.set("oak", 1);
  found.set("oak", undefined);
  equal(seen, [["oak", undefined], ["ash", undefined], ["oak", 1], ["oak", undefined]]);
});

Deno.test("entries of which nothing changed stay the same objects, also after more changes than are remembered", () => {
  /** @type {import("../../../src/backbench/web/app/state/sync/collection.js").Collection<{id: string}>} */
  const found = collection();
  const list = sorted({
    sources: [found],
    make: (id) => found.peek().get(id),
    order: (one, other) => compare(one.id, other.id),
  });
  for (let at = 0; at < 10; at += 1) found.set(`o${at}`, { id: `o${at}` });
  const before = list.value;
  found.set("o3", { id: "o3" });
  equal(list.value.map((one, at) => one === before[at]), before.map((_, at) => at !== 3));
  for (let at = 0; at < 9_000; at += 1) found.set(`o${at % 12}`, { id: `o${at % 12}` });
  equal(list.value.map(({ id }) => id), [...found.peek().keys()].sort());
});
