// The review of a finished game: stepping, clocks, words, addresses and file names.

import assert from "node:assert/strict";
import { test } from "node:test";

import { courseOf, factsOf, fileName, outcomeOf } from "../../../../client/web/models/game-words.js";
import { AGAIN_S, MOVE_S, Review } from "../../../../client/web/models/review/review.js";
import { readPlace, writePlace } from "../../../../client/web/pages/game/address.js";

const SCORES = [[0, 0], [0, 0], [0, 0], [0, 0], [0, 1], [0, 2], [1, 2]];
// On 1x2 boxes after 4 moves seat 1 captures twice and opens nothing, then seat 0 captures.
const TO_MOVE = [0, 1, 0, 1, 1, 0, null];
const GAME = {
  id: "r1-1",
  room: "r1",
  match: 1,
  game: "dots-and-boxes",
  size: "1x2",
  title: "Dots and Boxes 1x2",
  players: ["Ann", "Ånders / Bö"],
  engines: ["", "rules 1"],
  rated: true,
  time_control: "60+1",
  started_ms: 0,
  finished_ms: Date.UTC(2026, 10, 22, 12),
  termination: "completed",
  result: "0-1",
  winner: 1,
  scores: [1, 2],
  plies: 6,
  params: { rows: 1, cols: 2 },
  opening: [6],
  moves: [0, 1, 2, 3, 4, 5],
  clock_ms: [59_000, 58_000, 57_500, 57_000, 56_000, 9_400],
  record: "",
};
const GEOMETRY = {
  title: "Dots and Boxes 1x2",
  names: ["b3", "d3", "b1", "d1", "a2", "c2", "e2"],
  pieces: "fill",
  seat_names: ["A", "B"],
  unit: "boxes",
};
const POSITIONS = SCORES.map((scores, ply) => ({
  cells: ply > 4 ? "1." : "..",
  legal: "1".repeat(7 - ply),
  winning: [],
  scores,
  to_move: TO_MOVE[ply],
}));

/** @param {Partial<typeof GAME>} changed */
function reviewOf(changed = {}) {
  return new Review({ ...GAME, ...changed }, GEOMETRY, POSITIONS);
}

test("steps go by moves and by turns, and stay inside the game", () => {
  const review = reviewOf();
  assert.deepEqual(review.turnEnds, [0, 1, 2, 3, 5, 6]);
  review.step(-1);
  assert.equal(review.ply, 0);
  review.go(99);
  assert.equal(review.ply, 6);
  review.stepTurn(-1);
  assert.equal(review.ply, 5);
  review.go(4);
  review.stepTurn(1);
  assert.equal(review.ply, 5);
  review.go(4);
  review.stepTurn(-1);
  assert.equal(review.ply, 3);
  review.go(NaN);
  assert.equal(review.ply, 0);
  review.stepTurn(-1);
  assert.equal(review.ply, 0);
});

test("automatic play is faster within a turn and stops at the end", () => {
  const review = reviewOf();
  review.go(6);
  review.play(100);
  assert.deepEqual([review.ply, review.playing], [0, true]);
  assert.equal(review.tick(100), false);
  assert.equal(review.tick(100 + AGAIN_S), true);
  const times = [];
  let now = 100 + AGAIN_S;
  while (review.playing) {
    now = review.nextAt;
    times.push(now);
    review.tick(now);
  }
  const pauses = times.map((time, at) => time - (times[at - 1] ?? 100 + AGAIN_S));
  const expected = [MOVE_S, MOVE_S, MOVE_S, AGAIN_S, MOVE_S];
  assert.deepEqual(pauses.map((pause) => pause.toFixed(3)), expected.map((pause) => pause.toFixed(3)));
  assert.equal(review.ply, 6);
});

test("a game without moves does not play", () => {
  const review = new Review({ ...GAME, moves: [], clock_ms: [], opening: [] }, GEOMETRY, [POSITIONS[0]]);
  review.play(1);
  assert.equal(review.playing, false);
  assert.equal(review.line, "Start");
  assert.equal(review.position.last, null);
});

test("the position has the moves so far, who drew them, and the seat to move", () => {
  const review = reviewOf();
  review.go(5);
  assert.deepEqual(review.position, {
    cells: "1.",
    before: "..",
    winning: [],
    played: [6, 0, 1, 2, 3, 4],
    drawers: [null, 0, 1, 0, 1, 1],
    last: 4,
    toMove: 0,
    legal: "11",
  });
  assert.equal(review.line, "Move 5 of 6: Ånders / Bö a2");
  assert.equal(review.lead, "Ånders / Bö leads by 2.");
  assert.equal(review.scored, true);
  review.go(6);
  assert.equal(review.position.toMove, null);
  review.go(0);
  assert.deepEqual([review.line, review.lead, review.scored], ["After the opening", "The score is level.", false]);
});

test("each seat has its score and the clock that it had then", () => {
  const review = reviewOf();
  review.go(1);
  assert.deepEqual(
    [review.player(0), review.player(1)].map(({ clock, score, toMove }) => [clock, score, toMove]),
    [
      [59_000, 0, false],
      [60_000, 0, true],
    ],
  );
  review.go(6);
  assert.deepEqual([review.player(0).clock, review.player(1).clock], [9_400, 56_000]);
  assert.deepEqual(reviewOf({ clock_ms: GAME.clock_ms.map(() => null) }).player(0).clock, null);
  assert.equal(reviewOf({ time_control: "nonsense" }).player(0).clock, null);
});

test("boxes have the players' initials, other pieces the signs of the game", () => {
  assert.deepEqual(reviewOf({ players: ["Ann", "Anton"] }).initials, ["An", "At"]);
  const signs = new Review(GAME, { ...GEOMETRY, pieces: "sign", seat_names: ["X", "O"] }, POSITIONS);
  assert.deepEqual(signs.initials, ["X", "O"]);
});

test("the outcome says who won and why", () => {
  const outcome = (/** @type {object} */ changed) => {
    const { headline, why } = outcomeOf({ ...GAME, ...changed });
    return `${headline}, ${why}`;
  };
  assert.equal(outcome({}), "Ånders / Bö won, played to the end");
  assert.equal(outcome({ termination: "timeout" }), "Ånders / Bö won, Ann ran out of time");
  assert.equal(outcome({ winner: null }), "Draw, played to the end");
  assert.equal(outcome({ winner: null, termination: "aborted" }), "No result, The match was called off");
});

test("facts leave out what is not known", () => {
  const facts = Object.fromEntries(factsOf(reviewOf(), { when: "today" }));
  assert.equal(facts.Time, "1 min + 1 s");
  assert.equal(facts.Length, "6 moves in 5 turns");
  assert.equal(facts.Opening, "e2");
  assert.equal(facts["Engine of Ånders / Bö"], "rules 1");
  assert.ok(!("Engine of Ann" in facts));
});

test("the table of the course has a line for each turn", () => {
  assert.deepEqual(courseOf(reviewOf())[3], {
    number: 4,
    player: "Ånders / Bö",
    moves: "d1 a2",
    scores: "0 : 2",
    ply: 5,
  });
});

test("a file name has only letters, digits and hyphens", () => {
  assert.equal(fileName(GAME, "gif"), "Ann-nders-B-2026-11-22.gif");
  assert.equal(fileName({ ...GAME, players: ["../..", "\u202e"] }, "txt"), "2026-11-22.txt");
});

test("an address names a ply, a code, or both", () => {
  for (const [hash, place] of /** @type {const} */ ([
    ["", { code: "", ply: null }],
    ["#12", { code: "", ply: 12 }],
    ["#abc123", { code: "abc123", ply: null }],
    ["#code=12&ply=7", { code: "12", ply: 7 }],
    ["#code=a%26b", { code: "a&b", ply: null }],
    ["#%zz", { code: "%zz", ply: null }],
    ["#ply=x", { code: "", ply: null }],
  ])) {
    assert.deepEqual(readPlace(hash), place, hash);
    assert.deepEqual(readPlace(writePlace(place)), place, hash);
  }
});
