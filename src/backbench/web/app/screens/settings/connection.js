// One of the connections, by its name in the address. Any other name shows their list.

import { component } from "../../components/tags.js";
import { missing, useScreen } from "../loading.js";
import { PARTS, screen as list } from "./connections.js";

/** @param {{ params: import("../../routes.js").Params }} props */
export function screen({ params }) {
  const part = PARTS.find(({ name }) => name === params.connection);
  const wanted = part && { ...part, name: `connection-${part.name}` };
  const { screen: found, failed, retry } = useScreen(wanted ?? null);
  if (!part) return component(list, {});
  if (failed) return missing(retry, "/shop/connections");
  return found ? component(found, { params }) : null;
}
