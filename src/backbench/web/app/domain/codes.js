// Codes of slips: addresses of status pages, whose token is in the fragment.

const TOKEN = /^bbo_[0-9A-Za-z]{49}$/;

/** The token of a scanned text; "" where it is no address of an order. @param {string} text */
export function tokenIn(text) {
  const [address = "", token = ""] = text.trim().split("#");
  return address.endsWith("/o/") && TOKEN.test(token) ? token : "";
}
