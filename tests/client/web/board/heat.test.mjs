// The heat map: how strong shares are drawn, what is said, and what is asked.

import assert from "node:assert/strict";
import { mock, test } from "node:test";

import { heatLine, shareOf, warmth } from "../../../../client/web/board/heat.js";
import { PositionFacts } from "../../../../client/web/net/facts.js";

const FACT = { shares: [{ action: 4, share: 0.5 }, { action: 0, share: 0.312 }, { action: 2, share: 0.004 }] };
const NAMES = ["a1", "a3", "b2", "c1", "c3"];

test("the largest share is strongest, and half of it much weaker", () => {
  assert.equal(warmth(FACT, 0.5), 1);
  assert.equal(warmth(FACT, 0.25), 0.25);
  assert.equal(warmth(FACT, 0.004), 0);
});

test("shares are said as people read them", () => {
  assert.equal(shareOf(FACT, 0), "31%");
  assert.equal(shareOf(FACT, 2), "<1%");
  assert.equal(shareOf(FACT, 1), "");
  assert.equal(shareOf(null, 0), "");
  assert.equal(heatLine(FACT, NAMES), "After all captures the network would play c3 50%, a1 31%, b2 <1%");
  assert.equal(heatLine(null, NAMES), "Asking the network ...");
  assert.equal(heatLine({ problem: "This server has no network." }, NAMES), "This server has no network.");
  assert.match(heatLine({ shares: [] }, NAMES), /rest is counted/);
});

/** Let all promises that are settled go on. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

test("a position that stays is asked about once; one that failed is asked again", async (context) => {
  mock.timers.enable({ apis: ["setTimeout"] });
  context.after(() => mock.timers.reset());
  const asked = [];
  let broken = false;
  context.mock.method(globalThis, "fetch", async (path) => {
    asked.push(String(path));
    const body = broken ? { error: "The network is broken." } : FACT;
    return new Response(JSON.stringify(body), { status: broken ? 503 : 200 });
  });
  let changes = 0;
  const facts = new PositionFacts(() => (changes += 1));
  const position = (moves) => ({ game: "dots-and-boxes", size: "2x2", opening: "", moves });
  // Positions that are stepped over are not asked about.
  for (const moves of ["1", "1,2", "1,2,3"]) assert.equal(facts.get("policy", position(moves)), null);
  mock.timers.tick(100);
  await settle();
  assert.equal(asked.length, 1);
  assert.match(asked[0], /policy.*moves=1,2,3$/);
  assert.equal(changes, 1);
  assert.deepEqual(facts.get("policy", position("1,2,3")), FACT);
  broken = true;
  facts.get("policy", position("1"));
  mock.timers.tick(100);
  await settle();
  assert.deepEqual(facts.get("policy", position("1")), { problem: "The network is broken." });
  broken = false;
  assert.deepEqual(facts.get("policy", position("1,2,3")), FACT);
  assert.equal(facts.get("policy", position("1")), null);
  mock.timers.tick(100);
  await settle();
  assert.deepEqual(facts.get("policy", position("1")), FACT);
  assert.equal(asked.length, 3);
});
