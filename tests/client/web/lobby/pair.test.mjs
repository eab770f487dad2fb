// Test the choice of two bots to watch.

import assert from "node:assert/strict";
import { test } from "node:test";

const pair = await import("../../../../client/web/models/lobby/pair.js");

const bot = (name, engine = name) => ({ name, kind: "bot", engine: { name: engine, version: "1" } });
const ANN = { name: "Ann", kind: "human", engine: null };
const names = (bots) => bots.map((each) => each.name);
const ALL = pair.botsOnline([bot("zed"), bot("perfect"), ANN, bot("alpha"), bot("easy"), bot("hard")]);

test("the levels come first, weakest first, and people are left out", () => {
  assert.deepEqual(names(ALL), ["easy", "hard", "perfect", "alpha", "zed"]);
  const twins = pair.botsOnline([bot("easy-2", "easy"), bot("easy")]);
  assert.deepEqual(names(twins), ["easy", "easy-2"]);
});

test("the strongest levels are proposed, or the bots that are there", () => {
  assert.deepEqual(pair.pairFrom(ALL, undefined), ["hard", "perfect"]);
  assert.deepEqual(pair.pairFrom([bot("easy"), bot("alpha"), bot("zed")], null), ["easy", "alpha"]);
  assert.deepEqual(pair.pairFrom([bot("easy")], null), ["easy", ""]);
});

test("the last choice is kept as far as its bots are online, and never the same bot twice", () => {
  assert.deepEqual(pair.pairFrom(ALL, ["zed", "easy"]), ["zed", "easy"]);
  assert.deepEqual(pair.pairFrom(ALL, ["gone", "easy"]), ["easy", "hard"]);
  assert.deepEqual(pair.pairFrom(ALL, ["hard", "gone"]), ["hard", "perfect"]);
  assert.deepEqual(pair.pairFrom(ALL, ["easy", "easy"]), ["easy", "hard"]);
  assert.deepEqual(pair.pairFrom(ALL, { first: "easy" }), ["hard", "perfect"]);
});

test("the bots change places where they would be the same", () => {
  assert.deepEqual(pair.withBot(["easy", "hard"], 0, "zed"), ["zed", "hard"]);
  assert.deepEqual(pair.withBot(["easy", "hard"], 1, "zed"), ["easy", "zed"]);
  assert.deepEqual(pair.withBot(["easy", "hard"], 0, "hard"), ["hard", "easy"]);
  assert.deepEqual(pair.withBot(["easy", "hard"], 1, "easy"), ["hard", "easy"]);
});

test("bots have their strength, and the page says what is missing", () => {
  assert.equal(pair.botLine(bot("hard")), "hard (level 4 of 5)");
  assert.equal(pair.botLine(bot("Rob", "mine")), "Rob (mine 1)");
  assert.equal(pair.missingLine(ALL), "");
  assert.match(pair.missingLine([bot("easy")]), /two bots .* only easy is online/);
  assert.match(pair.missingLine([]), /none is online/);
});
