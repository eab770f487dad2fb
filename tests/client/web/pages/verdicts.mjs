// What the page says after games that were lost, compared with what Python says.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { taught } from "../../../../client/web/models/review/report.js";

for (const { name, unit, seat, report, text, costliest, price } of JSON.parse(readFileSync(process.env.VERDICTS, "utf8"))) {
  test(`${name}: the page says what the report teaches`, () => {
    const found = taught({ ...report, turning: null }, seat, { names: [], unit }, []);
    assert.equal(found.text, text);
    assert.ok(!/Well played/.test(text));
    assert.ok(unit || !/box|chain/.test(text));
    assert.equal(found.moment?.moves.length ?? null, costliest);
    if (costliest === null) return;
    assert.equal(found.moment.played, report.moves[costliest].action);
    assert.equal(found.moment.better, report.moves[costliest].best[0]);
    assert.equal(found.moment.mark.words, price);
  });
}
