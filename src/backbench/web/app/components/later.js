// Later: a part that nobody needs in the first moment; its module is loaded after what the screen shows.

import { firstData } from "../state/first-data.js";
import { missing } from "../state/missing.js";
import { useEffect } from "../vendor/hooks.js";
import { signal } from "../vendor/signals.js";
import { component } from "./tags.js";

/** @template P @typedef {(props: P) => import("./tags.js").ComponentChildren} Part */

/**
 * The component `part` of the module that `load` imports.
 * @template P
 * @param {() => Promise<{ part: Part<P> }>} load
 * @returns {Part<P>}
 */
export function later(load) {
  /** @type {import("../vendor/signals.js").Signal<Part<P> | null>} */
  const loaded = signal(null);
  let shown = 0;
  const again = () => start(() => navigator.onLine ? location.reload() : report());
  const report = () => void (shown && (missing.value = [...missing.value, again]));
  const start = (/** @type {() => void} */ failed) =>
    void firstData.then(load).then(({ part }) => (loaded.value = part), failed);
  return (props) => {
    useEffect(() => {
      shown += 1;
      if (!loaded.value) start(report);
      return () => {
        shown -= 1;
        missing.value = missing.value.filter((each) => each !== again);
      };
    }, []);
    return loaded.value && component(/** @type {Part<any>} */ (loaded.value), /** @type {any} */ (props));
  };
}
