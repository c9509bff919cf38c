import {
  BACKGROUNDS,
  contrast,
  cssBackground,
  ground,
  INK,
  PAPER,
  textOn,
} from "../../../src/backbench/web/app/domain/colours.js";
import { readable } from "../../../src/backbench/web/app/domain/shades.js";
import { holds, same } from "./expect.js";

Deno.test("contrast is that of WCAG", () => {
  same(contrast("#000000", "#ffffff"), 21);
  same(contrast("#777777", "#ffffff").toFixed(2), "4.48");
});

Deno.test("every text on a preset background can be read", () => {
  same(BACKGROUNDS.length, 20);
  for (const background of BACKGROUNDS) {
    const { from, to, text } = ground({ background });
    for (const end of [from, to]) {
      holds(contrast(end, text) >= 7, `${background} ${end} ${contrast(end, text)}`);
    }
  }
});

Deno.test("the text on a colour of the workshop's own is ink or paper", () => {
  same(textOn("#F6C945"), INK);
  same(textOn("#7A4B21"), PAPER);
  const custom = ground({
    background: "linen",
    customBackground: { kind: "gradient", from: "#000000", to: "#222222", angle: 90 },
  });
  same([custom.text, cssBackground(custom)], [PAPER, "linear-gradient(90deg, #000000, #222222)"]);
  const solid = ground({ background: "linen", customBackground: { kind: "solid", color: "#ffffff" } });
  same([solid.text, cssBackground(solid)], [INK, "#ffffff"]);
});

Deno.test("text in an accent is darkened until it can be read", () => {
  holds(contrast(readable("#F6C945"), PAPER) >= 4.5);
  same(readable("#1C1815"), "#1c1815");
});
