// What somebody has solved, the marks in texts, and what the pages say.

import assert from "node:assert/strict";
import { test } from "node:test";

import { LessonProgress, PuzzleProgress } from "../../../../client/web/models/learn/progress.js";
import { isRated, ratingLine, resultLine } from "../../../../client/web/models/learn/solver.js";
import { parts, plain } from "../../../../client/web/models/learn/text.js";
import { numberIn, paramsOf, puzzleMessage } from "../../../../client/web/models/learn/words.js";

/** @param {Record<string, unknown>} kept */
function storage(kept = {}) {
  return { kept, get: (/** @type {string} */ key) => kept[key], set: (/** @type {string} */ key, /** @type {unknown} */ value) => void (kept[key] = value) };
}

test("solved exercises are kept, and lead to the next lesson", () => {
  const kept = storage();
  const lessons = [
    { name: "turns", exercises: ["a", "b"] },
    { name: "loops", exercises: ["a"] },
  ];
  const progress = new LessonProgress(kept);
  assert.equal(progress.nextLesson(lessons)?.name, "turns");
  progress.add("turns", "a");
  assert.equal(progress.firstOpen(lessons[0]), 1);
  progress.add("turns", "b");
  progress.add("turns", "b");
  const again = new LessonProgress(kept);
  assert.equal(again.count(lessons[0]), 2);
  assert.equal(again.firstOpen(lessons[0]), 0);
  assert.equal(again.has("loops", "a"), false);
  assert.equal(again.nextLesson(lessons)?.name, "loops");
  assert.deepEqual(kept.kept["lessons"], { solved: ["turns/a", "turns/b"] });
});

test("nothing is solved where the browser has kept something else", () => {
  for (const found of [null, 3, "text", [], { solved: 3 }, { solved: { a: 1 } }]) {
    const kept = storage({ lessons: found, puzzles: found });
    assert.equal(new LessonProgress(kept).has("turns", "a"), false);
    assert.equal(new PuzzleProgress(kept).streak("2026-11-23"), 0);
  }
});

test("only the first solution of a puzzle can be clean", () => {
  const progress = new PuzzleProgress(storage());
  progress.add("one", { clean: false, day: null });
  progress.add("one", { clean: true, day: null });
  progress.add("two", { clean: true, day: null });
  assert.deepEqual([...progress.all("solved")], ["one", "two"]);
  assert.deepEqual([...progress.all("clean")], ["two"]);
});

test("days in a row end today, or yesterday", () => {
  const progress = new PuzzleProgress(storage());
  for (const day of ["2026-02-27", "2026-02-28", "2026-03-01"]) progress.add(day, { clean: true, day });
  assert.equal(progress.streak("2026-03-01"), 3);
  assert.equal(progress.streak("2026-03-02"), 3);
  assert.equal(progress.streak("2026-03-03"), 0);
  assert.equal(progress.streak("2026-02-27"), 1);
});

test("the next puzzle is the easiest that is open", () => {
  const puzzle = (/** @type {string} */ id, /** @type {string} */ kind, /** @type {number} */ difficulty) => ({ id, kind, difficulty });
  const all = [puzzle("c", "take", 1), puzzle("b", "loop", 1), puzzle("a", "take", 2)];
  const progress = new PuzzleProgress(storage());
  assert.equal(progress.choose(all, {})?.id, "b");
  assert.equal(progress.choose(all, { difficulty: 2 })?.id, "a");
  progress.add("c", { clean: true, day: null });
  assert.equal(progress.choose(all, { kind: "take" })?.id, "a");
  progress.add("a", { clean: true, day: null });
  assert.equal(progress.choose(all, { kind: "take" }), undefined);
});

test("texts mark terms", () => {
  assert.deepEqual(parts("A [chain] of [box|boxes]."), [
    { text: "A ", term: "" },
    { text: "chain", term: "chain" },
    { text: " of ", term: "" },
    { text: "boxes", term: "box" },
    { text: ".", term: "" },
  ]);
  assert.equal(plain("[loop|Loops] and [chain]"), "Loops and chain");
});

test("numbers and sizes are read", () => {
  assert.deepEqual([" 12 ", "0", "", "-1", "3.5", "1234", "two"].map(numberIn), [12, 0, null, null, null, null, null]);
  assert.deepEqual(paramsOf("3x4"), { rows: 3, cols: 4 });
});

test("an attempt says in words what happens to the rating", () => {
  const solver = /** @type {any} */ ({ rating: 1462.4, deviation: 90, streak: 0, tries: {} });
  const lost = "It counts as failed: your rating goes from 1500 to 1462.";
  assert.equal(resultLine({ change: -38, solved: false, solver }), lost);
  assert.equal(ratingLine(solver), "Your rating: 1462");
  const uncertain = { ...solver, deviation: 300, streak: 2 };
  assert.equal(
    resultLine({ change: 12, solved: true, solver: uncertain }),
    "Your rating goes from 1450 to 1462. Your first puzzles change it a lot. 2 in a row.",
  );
  assert.equal(ratingLine({}), "Your rating: about 1500. Your first puzzles change it a lot.");
  assert.equal(resultLine({ change: null, solved: true, solver }), "Not rated: you have tried this puzzle before.");
  assert.ok(isRated({}, "a"));
  assert.ok(!isRated({ tries: { a: [false, 1] } }, "a"));
});

test("only what was solved without help is praised", () => {
  const solved = { status: "solved", feedback: [], mistakes: 0, hinted: false, helped: false };
  const said = (/** @type {object} */ how) => puzzleMessage(/** @type {any} */ ({ ...solved, ...how }));
  assert.deepEqual(said({}), { text: "Solved at the first try.", tone: "good" });
  assert.deepEqual(said({ hinted: true }), { text: "Solved with a hint.", tone: "plain" });
  assert.deepEqual(said({ mistakes: 2 }), { text: "Solved after 2 mistakes.", tone: "plain" });
});
