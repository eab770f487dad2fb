// Record files: the list of their games, the moves and clocks of a game, and what is wrong with a file.

import assert from "node:assert/strict";
import { test } from "node:test";

import { gameOf, matching, MOST_BYTES, readRecords } from "../../../../client/web/models/records.js";

const ONE = `[Game "dots-and-boxes"]
[Size "1x2"]
[Seat0 "Ann"]
[Seat1 "B\\u00f6 \\"x\\\\y\\""]
[Date "2026-11-22T13:23:43+00:00"]
[TimeControl "60+1"]
[Result "0-1"]
[Termination "resigned"]
[Opening "e2"]
[Rated "yes"]
[Engine1 "rules 1"]

1. b3 {59.250} 2. d3
{58.005} 3. 2 0-1
`;
const TWO = `[Game "nim"]\n[Size "1x3"]\n[Seat0 "Cleo"]\n[Seat1 "Ann"]\n[Result "*"]\n\n*\n`;
const GEOMETRY = { title: "Dots and Boxes 1x2", names: ["b3", "d3", "b1", "d1", "a2", "c2", "e2"] };

const bytes = (text) => new TextEncoder().encode(text);
const read = (text) => readRecords(bytes(text));
const game = (text) => gameOf(read(text)[0], GEOMETRY, { rows: 1, cols: 2 });

test("a file has a list of games, which words filter", () => {
  const records = read(`\ufeff${ONE}\r\n${TWO}`);
  assert.deepEqual(records.map(({ number }) => number), [1, 2]);
  assert.equal(records[0].headers.get("Seat1"), 'Bö "x\\y"');
  const found = (words) => matching(records, words).map(({ number }) => number);
  assert.deepEqual(found(""), [1, 2]);
  assert.deepEqual(found("ANN"), [1, 2]);
  assert.deepEqual(found("ann cleo"), [2]);
  assert.deepEqual(found("2026-11 0-1"), [1]);
  assert.deepEqual(found("chess"), []);
});

test("a game has its moves, clocks, players and result", () => {
  const found = game(ONE);
  assert.deepEqual(found.moves, [0, 1, 2]);
  assert.deepEqual(found.clock_ms, [59_250, 58_005, null]);
  assert.deepEqual(found.opening, [6]);
  assert.deepEqual(found.players, ["Ann", 'Bö "x\\y"']);
  assert.deepEqual(found.engines, ["", "rules 1"]);
  assert.deepEqual([found.winner, found.result, found.termination], [1, "0-1", "resigned"]);
  assert.deepEqual([found.rated, found.time_control], [true, "60+1"]);
  assert.equal(found.finished_ms, Date.UTC(2026, 10, 22, 13, 23, 43));
});

test("what is wrong with a file is said in a sentence", () => {
  for (const [text, problem] of [
    ["", /There are no games/],
    ["Dear Ann,\n", /line 1 is no header/],
    [ONE.replace('[Size "1x2"]', "[Size 1x2]"), /line 2 is no header/],
    [ONE.replace('[Size "1x2"]\n', ""), /Game 1 of this file has no header Size/],
  ]) {
    assert.throws(() => read(text), problem);
  }
  assert.throws(() => readRecords(new Uint8Array([0xff, 0xfe, 0])), /not UTF-8/);
  assert.throws(() => readRecords(new Uint8Array(MOST_BYTES + 1)), /at most 16 MB/);
});

test("what is wrong with a game is said in a sentence", () => {
  assert.throws(() => game(ONE.replace(" d3", " z9")), /no move "z9"/);
  assert.throws(() => game(ONE.replace(" 2 0-1", " 7 0-1")), /no move "7"/);
  assert.throws(() => game(ONE.replace(" 2 0-1", " 2 1-0")), /result/);
});
