// What a review says of its analysis: progress, marks, notes, lines, values, and the curve.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Analysis } from "../../../../client/web/models/review/analysis.js";
import { expectedOf } from "../../../../client/web/models/review/expected.js";
import { startOf } from "../../../../client/web/models/review/from-here.js";
import { Report, taught } from "../../../../client/web/models/review/report.js";
import { AGAIN_S, Review } from "../../../../client/web/models/review/review.js";
import { costWords, leadText, outlook } from "../../../../client/web/models/review/scores.js";
import { SETTLED_S, ValuesCache, labelsOf, valuesLine } from "../../../../client/web/models/review/values.js";
import { FakeTimers } from "../../../node/fake-time.mjs";
import { Variation } from "../../../../client/web/models/review/variation.js";

const GEOMETRY = {
  title: "Dots and Boxes 1x2",
  names: ["b3", "d3", "b1", "d1", "a2", "c2", "e2"],
  pieces: "fill",
  seat_names: ["A", "B"],
  unit: "boxes",
};
const PLAYERS = ["Ann", "Bob"];
const proved = (/** @type {number} */ net) => ({ net, spread: 0 });
const rough = (/** @type {number} */ net, spread = 0.5) => ({ net, spread });

/** @param {object} changed */
function move(changed) {
  const usual = { ply: 0, seat: 0, action: 0, before: proved(0), after: proved(0), cost: 0, sure: false };
  return { ...usual, best: [0], every: true, line: [], answer: [], phrases: [], ...changed };
}

/** Two estimated moves, a costly one, and one without a choice. */
const MOVES = [
  move({ before: rough(0.4), after: rough(0.3), best: [1] }),
  move({ ply: 1, seat: 1, action: 1, before: rough(0.3), after: rough(4.1), cost: 1.9, sure: true, best: [2, 3], line: [2, 3] }),
  move({ ply: 2, action: 4, before: proved(2), after: proved(-2), cost: 2, sure: true, best: [5, 6, 3, 2], line: [5, 3], answer: [6], phrases: [{ rule: "opened", one: "{move} opened a chain of 2.", values: { move: "a2" } }, { rule: "cost", one: "It cost {count} box.", many: "It cost {count} boxes.", values: { count: 2 } }] }),
  move({ ply: 3, seat: 1, action: 6, before: proved(-2), after: proved(-2), best: [] }),
];
const REPORT = { version: 1, opening: [], accuracy: /** @type {[number, null]} */ ([71.6, null]), turning: 2, turning_sure: false, moves: MOVES };
const report = () => new Report(REPORT, GEOMETRY, PLAYERS);

const state = (/** @type {object} */ changed) => ({
  game_id: "g1", status: "queued", place: 1, done: 0, all: 4, reason: null, report: null, ...changed,
});

test("an analysis goes from the queue to its report", () => {
  const analysis = new Analysis("g1");
  assert.equal(analysis.take(state({})), false); // nobody has asked
  assert.equal(analysis.ask(), true);
  assert.deepEqual([analysis.waiting, analysis.begun, analysis.ask()], [true, false, false]);
  assert.equal(analysis.take(state({ game_id: "g2" })), false);
  const lines = [state({ place: 3 }), state({ place: 2 }), state({}), state({ status: "working" }), state({ status: "working", done: 3 })].map(
    (each) => (assert.equal(analysis.take(each), true), analysis.line),
  );
  assert.deepEqual(lines, [
    "2 games come first.",
    "1 game comes first.",
    "Your game is next.",
    "0 of 4 moves are judged ...",
    "3 of 4 moves are judged ...",
  ]);
  assert.equal(analysis.begun, true);
  analysis.take(state({ status: "done", report: REPORT }));
  assert.deepEqual([analysis.report, analysis.waiting, analysis.ask(), analysis.line], [REPORT, false, false, ""]);
  assert.equal(analysis.take(state({})), false); // a late notice changes nothing
});

test("an analysis that fails says why, and can be asked for again", () => {
  const analysis = new Analysis("g1");
  analysis.ask();
  analysis.take(state({ status: "failed", reason: "Nobody knows." }));
  assert.deepEqual([analysis.status, analysis.sentence, analysis.waiting], ["failed", "Nobody knows.", false]);
  assert.equal(analysis.ask(), true);
  assert.equal(analysis.sentence, "");
  analysis.take(state({ status: "done", report: { ...REPORT, version: 2 } }));
  assert.match(analysis.sentence, /another version. Reload/);
  assert.equal(analysis.report, null);
});

test("only what certainly cost something is marked", () => {
  const { marks, mistakes } = report();
  assert.deepEqual(marks, [
    null,
    { text: "~−2", tier: 1, words: "about 2 boxes" },
    { text: "−2", tier: 1, words: "2 boxes" },
    null,
  ]);
  assert.deepEqual(mistakes, [2, 3]);
  assert.deepEqual([0, 2, 3].map((number) => report().mistake(number, 1)), [2, 3, null]);
  assert.deepEqual([4, 3, 2].map((number) => report().mistake(number, -1)), [3, 2, null]);
  const mark = (/** @type {object} */ changed, unit = "boxes") =>
    new Report({ ...REPORT, turning: null, moves: [move({ sure: true, ...changed })] }, { ...GEOMETRY, unit }, PLAYERS).marks[0];
  assert.deepEqual(mark({ cost: 5 }), { text: "−5", tier: 2, words: "5 boxes" });
  assert.deepEqual(mark({ cost: 0.5, after: rough(0) }), { text: "~−1", tier: 0, words: "about 1 box" });
  assert.deepEqual(mark({ cost: 0.5 }, ""), { text: "?", tier: 1, words: "the draw" });
  assert.deepEqual(mark({ cost: 1, before: proved(1) }, ""), { text: "??", tier: 2, words: "the win" });
  assert.equal(mark({ cost: 0.4 }), null);
  assert.equal(costWords(move({ cost: 1 }), "points"), "1 point");
});

test("a note says what a move cost, why, and what was better", () => {
  assert.deepEqual(report().note(3), {
    headline: "a2 cost 2 boxes. Better: c2 or e2 or d1.",
    sentences: ["a2 opened a chain of 2."],
    outlook: "With best play Bob wins by 2.",
    mark: { text: "−2", tier: 1, words: "2 boxes" },
    better: [5, 6, 3],
    line: [5, 3],
    answer: [6],
  });
  const head = (/** @type {number} */ number) => report().note(number).headline;
  assert.equal(head(1), "b3: no mistake was found.");
  assert.equal(head(4), "e2: there was no choice.");
  const only = (/** @type {object} */ changed) =>
    new Report({ ...REPORT, turning: null, moves: [move(changed)] }, GEOMETRY, PLAYERS).note(1).headline;
  assert.equal(only({}), "b3 was the only best move.");
  assert.equal(only({ best: [0, 1] }), "b3 was one of the best moves.");
  assert.deepEqual(report().note(1).line, []);
  const summary = report().note(0);
  assert.deepEqual(
    [summary.headline, summary.sentences, summary.outlook],
    ["2 mistakes.", ["The game probably turned at move 3: Ann a2."], "The result is open."],
  );
  assert.deepEqual([report().accuracy(0), report().accuracy(1)], ["72%", ""]);
  assert.deepEqual([0, 2, 4].map((ply) => report().valueText(ply)), ["+0.4 ± 0.5", "+4.1 ± 0.5", "−2"]);
});

test("an outlook speaks of boxes only where there are some", () => {
  assert.equal(outlook(proved(0), PLAYERS, "boxes"), "With best play the game ends in a draw.");
  assert.equal(outlook(rough(3), PLAYERS, "boxes"), "Ann should win by about 3.");
  assert.equal(outlook(rough(-0.9), PLAYERS, "boxes"), "The result is open.");
  assert.equal(outlook(proved(-1), PLAYERS, ""), "With best play Bob wins.");
  assert.deepEqual([2.6, -0.4, -2.5].map(leadText), ["+3", "0", "−3"]);
});

test("the curve joins estimates and proved values without a gap", () => {
  const { proved: sure, guessed, low, high } = expectedOf([rough(1), rough(2), proved(3), proved(4), proved(5)]);
  assert.deepEqual(sure, [null, null, 3, 4, 5]);
  assert.deepEqual(guessed, [1, 2, 3, null, null]);
  assert.deepEqual(low, [0.5, 1.5, 3, null, null]);
  assert.deepEqual(high, [1.5, 2.5, 3, null, null]);
});

test("a report of an older server teaches nothing", () => {
  assert.deepEqual(taught({ ...REPORT, turning: null }, 0, GEOMETRY, PLAYERS), { text: "", moment: null });
});

test("the move that decided a game comes before the person's costliest one", () => {
  const verdict = { costliest: 1, phrases: [{ rule: "costliest", one: "d3 cost 2 boxes.", many: null, values: {} }] };
  const decided = { moves: [0, 1], played: 4, better: 5, mark: report().marks[2], decided: true };
  const text = "The game probably turned at move 3: Ann a2. Better: c2.";
  assert.deepEqual(taught({ ...REPORT, verdicts: [null, verdict] }, 1, GEOMETRY, PLAYERS), { text, moment: decided });
  const own = { costliest: 2, phrases: verdict.phrases };
  assert.equal(taught({ ...REPORT, verdicts: [own, null] }, 0, GEOMETRY, PLAYERS).text, "The game probably turned at move 3: Ann a2. d3 cost 2 boxes.");
  const other = taught({ ...REPORT, verdicts: [null, verdict], turning: null }, 1, GEOMETRY, PLAYERS);
  assert.deepEqual([other.text, other.moment?.played, other.moment?.decided], ["d3 cost 2 boxes.", 1, false]);
});

// -- lines -----------------------------------------------------------------------------------------

const place = (/** @type {number | null} */ toMove, scores = [0, 0], cells = "..") => ({
  cells, legal: "1111111", winning: [], scores, to_move: toMove,
});
const GAME = {
  game: "dots-and-boxes", players: PLAYERS, engines: ["", ""], opening: [6], moves: [0, 1, 2],
  clock_ms: [59_000, null, null], time_control: "60", scores: [0, 0], params: {},
};

function reviewInLine() {
  const review = new Review(GAME, GEOMETRY, [0, 1, 0, 1].map((seat) => place(seat)));
  review.go(2);
  const positions = [place(1), place(0), place(0, [1, 0], "0."), place(0, [2, 0], "00"), place(1, [2, 0], "00")];
  review.enter(new Variation("line", 1, [3, 2, 4, 5], positions));
  return review;
}

test("a line is shown instead of the game, and Escape leads back", () => {
  const review = reviewInLine();
  assert.equal(review.line, "Better line, move 1 of 4: Bob d1");
  assert.deepEqual(review.moves, [0, 3]);
  review.step(1);
  assert.deepEqual(
    [review.line, review.moves, review.lead, review.scored, review.ply],
    ["Better line, move 2 of 4: Ann b1", [0, 3, 2], "Ann leads by 1.", true, 2],
  );
  assert.deepEqual([review.player(0).score, review.player(0).toMove, review.player(0).clock], [1, true, null]);
  assert.deepEqual(review.position, {
    cells: "0.", before: "..", winning: [], played: [6, 0, 3, 2], drawers: [null, 0, 1, 0], last: 2, toMove: 0, legal: "1111111",
  });
  review.toEnd(1);
  assert.deepEqual([review.atEnd, review.toMove], [true, 1]);
  review.toEnd(-1);
  assert.deepEqual([review.line, review.atStart, review.position.last], ["Better line: before its first move", true, 0]);
  assert.equal(review.leave(), true);
  assert.deepEqual([review.ply, review.line, review.leave()], [2, "Move 2 of 3: Bob d3", false]);
  assert.equal(review.player(0).clock, 59_000);
});

test("a match can begin where a review stands, in a line, too", () => {
  const review = reviewInLine();
  review.step(1);
  assert.deepEqual(startOf(review, "Bob"), {
    settings: {
      game: "dots-and-boxes", params: {}, opening: [6], start: [0, 3, 2],
      time: { base_ms: null, increment_ms: 0, move_ms: null }, rated: false, evaluation: false,
    },
    seat: 1,
    opponent: "Ann",
    about: "After 3 moves the score is 1 : 0, and Ann is to move.",
    sides: ["Ann's side (to move)", "Bob's side"],
  });
  review.go(0);
  const { about, seat, opponent } = startOf(review, "Cy");
  assert.deepEqual([about, seat, opponent], ["After the opening, Ann is to move.", 0, "Bob"]);
  review.go(3);
  assert.equal(startOf(review, "Ann"), null);
});

test("a line goes by turns, plays by itself, and a move of the game ends it", () => {
  const review = reviewInLine();
  const stops = [1, 1, -1, -1].map((by) => (review.stepTurn(by), review.variation?.at));
  assert.deepEqual(stops, [4, 4, 1, 0]);
  review.play(100);
  let now = 100;
  while (review.playing) review.tick((now += AGAIN_S));
  assert.deepEqual([review.variation?.at, review.playing], [4, false]);
  review.play(200);
  assert.equal(review.variation?.at, 0); // from the beginning
  review.go(3);
  assert.deepEqual([review.variation, review.ply], [null, 3]);
});

// -- values ----------------------------------------------------------------------------------------

const VALUES = {
  value: proved(-3),
  actions: [{ action: 3, ...proved(-3) }, { action: 5, ...proved(-3) }, { action: 0, ...rough(-2, 0.7) }, { action: 1, ...proved(1) }],
  line: [3],
};

test("values are the lead of the mover, and the best stand out", () => {
  assert.deepEqual(labelsOf(VALUES, 1, "boxes"), [
    { action: 3, text: "+3", look: "best", rough: false },
    { action: 5, text: "+3", look: "best", rough: false },
    { action: 0, text: "+2", look: "fair", rough: true },
    { action: 1, text: "−1", look: "bad", rough: false },
  ]);
  assert.equal(
    valuesLine(VALUES, 1, GEOMETRY, PLAYERS),
    "Best: d1, c2 (+3). The numbers say by how much Bob, to move, will lead in the end. Pale ones are estimates, give or take 0.7.",
  );
  const all = { ...VALUES, actions: VALUES.actions.slice(0, 2) };
  assert.match(valuesLine(all, 1, GEOMETRY, PLAYERS), /All are exact\.$/);
  const tic = { value: proved(1), actions: [{ action: 0, ...proved(1) }, { action: 1, ...proved(0) }], line: [] };
  assert.deepEqual(labelsOf(tic, 0, "").map(({ look }) => look), ["best", "bad"]);
  const game = { ...GEOMETRY, unit: "" };
  assert.equal(valuesLine(tic, 0, game, PLAYERS), "Best: b3 (+1). Ann is to move: +1 wins, 0 draws, −1 loses.");
});

test("values are asked for once, and those that failed when they are shown again", async () => {
  /** @type {{moves: number[], answer: (value: any) => void, fail: (error: Error) => void}[]} */
  const asked = [];
  let changes = 0;
  const timers = new FakeTimers();
  const cache = new ValuesCache(
    ({ moves }) => new Promise((answer, fail) => asked.push({ moves, answer, fail })),
    () => (changes += 1),
    timers,
  );
  const get = (/** @type {number[]} */ ...moves) => cache.get({ game: "g", params: {}, opening: [], moves });
  const settled = async () => {
    timers.advance(SETTLED_S);
    for (let turn = 0; turn < 5; turn++) await undefined; // promises go on
  };
  assert.equal(get(1), null);
  get(2); // the first one was shown for too short a time
  await settled();
  get(2);
  await settled();
  assert.deepEqual(asked.map(({ moves }) => moves), [[2]]);
  get(3);
  await settled();
  asked[0].answer(VALUES);
  asked[1].fail(new Error("Too many ask."));
  await settled();
  assert.deepEqual([get(3), get(2), changes], [{ problem: "Too many ask." }, { values: VALUES }, 2]);
  get(3);
  await settled();
  assert.equal(asked.length, 3);
  get(4);
  cache.close();
  await settled();
  assert.equal(asked.length, 3);
});
