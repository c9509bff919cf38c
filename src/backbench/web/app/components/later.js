// Later: a part that nobody needs in the first moment; its module is loaded after what the screen shows.

import { firstData } from "../state/first-data.js";
import { useEffect, useState } from "../vendor/hooks.js";
import { component } from "./tags.js";

/** @typedef {(props: any) => import("./tags.js").ComponentChildren} Part */

/** @type {Map<string, Part>} */
const loaded = new Map();

/** `load` imports a module that exports `part`, a component that gets `props`. @param {{ load: () => Promise<{ part: Part }>, props?: object }} properties */
export function Later({ load, props = {} }) {
  const name = String(load);
  const [, repaint] = useState(0);
  useEffect(() => {
    // Without a connection the part is missing until the screen is opened again.
    if (!loaded.has(name)) {
      void firstData.then(load).then(
        ({ part }) => loaded.set(name, part) && repaint(1),
        () => {},
      );
    }
  }, [name]);
  const part = loaded.get(name);
  return part ? component(part, props) : null;
}
