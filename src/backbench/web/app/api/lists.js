// Lists: the rows of a list from its start, page by page.

/** @typedef {{limit: number, cursor?: string}} PageQuery */
/** @template T @typedef {{rows: T[], next: string | null}} Rows rows of a list, and where the next page starts, or null */

// Of the server, for one request.
const MOST = 500;

/** Where the next page of a list starts, or null. @param {Headers} headers */
export function nextCursor(headers) {
  const next = /<([^>]*)>; rel="next"/.exec(headers.get("Link") ?? "")?.[1];
  return next ? new URL(next, "http://server").searchParams.get("cursor") : null;
}

/**
 * One page of a list. Throws Problem.
 * @template T
 * @param {Promise<import("./client.js").Answer<any>>} answer
 * @param {string} member of the response that has the rows
 * @returns {Promise<Rows<T>>}
 */
export async function pageOf(answer, member) {
  const { data, headers } = await answer;
  return { rows: data[member], next: nextCursor(headers) };
}

/**
 * At least `wanted` rows from the start of a list, if there are as many; `wanted` is asked before each page, since further
 * rows may be shown meanwhile. Throws Problem.
 * @template T
 * @param {(query: PageQuery) => Promise<Rows<T>>} page
 * @param {() => number} wanted
 * @returns {Promise<Rows<T>>}
 */
export async function rowsFrom(page, wanted) {
  /** @type {Rows<T>} */
  let found = { rows: [], next: null };
  do {
    const limit = Math.min(wanted() - found.rows.length, MOST);
    const { rows, next } = await page(found.next ? { limit, cursor: found.next } : { limit });
    found = { rows: [...found.rows, ...rows], next };
  } while (found.next && found.rows.length < wanted());
  return found;
}
