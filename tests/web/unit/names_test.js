import { isLocal, localId, newId } from "../../../src/backbench/web/app/domain/ids.js";
import { estimateName, workName } from "../../../src/backbench/web/app/domain/work-name.js";
import { matches } from "../../../src/backbench/web/app/domain/search.js";
import { isMeasured, UNITS } from "../../../src/backbench/web/app/domain/units.js";
import { holds, same } from "./expect.js";

const DAY = new Date(2026, 10, 21);

Deno.test("an estimate has the day in its name", () => {
  same(estimateName(DAY, "en"), "Estimate 21 Nov");
  same(estimateName(DAY, "pl"), "Wycena 21 lis");
  same(estimateName(DAY, "en", ["Estimate 21 Nov", "Estimate 21 Nov (2)"]), "Estimate 21 Nov (3)");
});

Deno.test("a new estimate is called what the workshop calls its documents", () => {
  same(estimateName(DAY, "en", [], "quotation"), "Quotation 21 Nov");
  same(estimateName(DAY, "pl", [], "cost_estimate"), "Kosztorys 21 lis");
});

Deno.test("an order of an estimate that nobody named is called after its lines", () => {
  const lines = [{ label: "Wing chair" }, { label: "Wool" }];
  same(workName(estimateName(DAY, "en"), lines), "Wing chair +1");
  same(workName(estimateName(DAY, "pl", ["Oferta 21 lis"], "quotation"), lines.slice(0, 1)), "Wing chair");
  same(workName("Estimate 21 Nov", []), "Estimate 21 Nov");
  same(workName("Wycena kuchni", lines), "Wycena kuchni");
  holds([...workName("Oferta 2 gru", [{ label: "x".repeat(250) }, { label: "y" }])].length === 250);
});

Deno.test("ids sort by time and are UUIDs of version 7", () => {
  const [early, late] = [newId(1_700_000_000_000), newId(1_700_000_000_001)];
  holds(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(early), early);
  holds(early < late);
  holds(isLocal(localId()) && !isLocal(early));
});

Deno.test("hours, areas, lengths and free units are measured", () => {
  same(UNITS.filter(isMeasured), ["hour", "sqm", "linear_m", "freeform"]);
});

Deno.test("a search needs neither case nor accents", () => {
  holds(matches("lozko jesion", "Łóżko 160 × 200, jesion", "Magdalena Nowak"));
  holds(matches("nowak łóżko", "Łóżko 160 × 200, jesion", "Magdalena Nowak"));
  holds(!matches("stol", "Łóżko", undefined));
});
