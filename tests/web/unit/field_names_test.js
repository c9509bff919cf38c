import { fieldName } from "../../../src/backbench/web/app/words/field-names.js";
import { loadWords } from "../../../src/backbench/web/app/words/words.js";
import { fieldsOf } from "./changed_fields.js";
import { holds, same } from "./expect.js";

Deno.test("the list of waiting changes has a name for every field that can be changed", async () => {
  const all = await fieldsOf();
  holds(all.length > 90, `${all.length} fields found`);
  for (const language of /** @type {const} */ (["en", "pl"])) {
    await loadWords(language);
    same(all.filter(([kind, field]) => !fieldName(kind, field)), []);
  }
});
