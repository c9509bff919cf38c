import { browserOf } from "../../../src/backbench/web/app/domain/browsers.js";
import { same } from "./expect.js";

Deno.test("browsers are named as people know them", () => {
  const iphone =
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Safari/604.1";
  const edge = "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/130.0 Safari/537.36 Edg/130.0";
  same([browserOf(iphone), browserOf(edge), browserOf("python-httpx/0.28"), browserOf("")], [
    { browser: "Safari", system: "iPhone" },
    { browser: "Edge", system: "Windows" },
    { browser: "python-httpx", system: "" },
    { browser: "", system: "" },
  ]);
});
