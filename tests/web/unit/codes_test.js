// Codes of slips: only the address of an order's status page has a token.

import { tokenIn } from "../../../src/backbench/web/app/screens/board/scan.js";
import { equal } from "./devices.js";

const TOKEN = "bbo_e1QH1xbTO1GmcMlSzbQIWr8okCqb0Vtj2f41EJCb6062HR2fJ";

Deno.test("a scanned text has a token where it is the address of an order", () => {
  equal(tokenIn(`https://workshop.example.com/o/#${TOKEN}`), TOKEN);
  equal(tokenIn(` http://192.168.1.20:8000/o/#${TOKEN}\n`), TOKEN);
  const others = [
    "",
    "5901234123457",
    TOKEN,
    `https://workshop.example.com/e/#${TOKEN}`,
    `https://workshop.example.com/o/#${TOKEN}x`,
    `https://workshop.example.com/o/#bbl_${TOKEN.slice(4)}`,
    "https://workshop.example.com/o/",
  ];
  for (const other of others) equal(tokenIn(other), "");
});
