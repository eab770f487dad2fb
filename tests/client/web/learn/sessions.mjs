// The sessions of learners with exercises and puzzles, with recorded answers of a server.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { LessonSession } from "../../../../client/web/models/learn/lesson.js";
import { PuzzleSession } from "../../../../client/web/models/learn/puzzle.js";
import { puzzleMessage } from "../../../../client/web/models/learn/words.js";

/** @import { Ask } from "../../../../client/web/models/learn/knowledge.js" */

const RECORDED = JSON.parse(readFileSync(process.env.RECORDED, "utf-8"));

/** @param {Ask} ask */
function keyOf(ask) {
  const { what, moves } = ask;
  if (what !== "sentences") return `${what} ${moves}`;
  return `${what} ${moves} ${ask.action} ${ask.values.line} ${ask.answer}`;
}

/**
 * Answer all questions of a session.
 * @param {LessonSession | PuzzleSession} session
 * @param {Record<string, any>} facts
 */
function settle(session, facts) {
  for (let ask = session.wanted, count = 0; ask !== null; ask = session.wanted, count += 1) {
    assert.ok(count < 200, `it asks without end: ${keyOf(ask)}`);
    const answer = facts[keyOf(ask)];
    assert.ok(answer, `nothing is recorded for ${keyOf(ask)}`);
    session.give(ask, answer);
  }
}

/** Begin an exercise; `act` does something in its session, and returns what that did. */
function start({ exercise, names, facts }) {
  const session = new LessonSession(exercise, names);
  settle(session, facts);
  const act = (/** @type {string} */ name, /** @type {number[]} */ ...values) => {
    const done = session[name](...values);
    settle(session, facts);
    return done;
  };
  /** Play moves by their names; return what is said after the last one. */
  const play = (/** @type {string[]} */ ...moves) => {
    for (const move of moves) assert.ok(act("play", names.indexOf(move)), move);
    return session.feedback;
  };
  const marked = () => session.marked.map((edge) => names[edge]).join(" ");
  return { session, act, play, marked };
}

const { made } = RECORDED;

test("right moves solve an exercise", () => {
  const { session, act, play } = start(made.deal);
  play("c6");
  assert.deepEqual([session.status, session.progress], ["yours", [1, 2]]);
  assert.deepEqual(play("g6"), ["Well done."]);
  assert.deepEqual([session.status, session.mistakes, act("play", 0)], ["solved", 0, false]);
});

test("a wrong move says why and what it cost, until it is taken back", () => {
  const { session, act, play } = start(made.deal);
  assert.deepEqual(play("c6", "e6"), ["Leave two.", "It cost 4 boxes.", "It turned a win into a loss."]);
  assert.deepEqual([session.status, act("play", made.deal.names.indexOf("g6"))], ["wrong", false]);
  assert.deepEqual([act("retry"), act("retry"), session.feedback], [true, false, []]);
  play("g6");
  assert.deepEqual([session.status, session.mistakes], ["solved", 1]);
});

test("without a sentence of the lesson a rule says why", () => {
  const { session, act, play } = start(made.bare);
  assert.deepEqual(play("c6", "e6").slice(0, 2), [
    "Taking the last boxes gave up control. Leaving 2 of them by g6 would have won 7-2.",
    "It cost 4 boxes.",
  ]);
  act("restart");
  assert.deepEqual([session.moves, session.status, session.feedback], [[], "yours", []]);
  assert.equal(play("a4")[0], "a4 left 3 boxes that could be taken.");
});

test("a move waits for the values", () => {
  const { exercise, names, facts } = made.deal;
  const session = new LessonSession(exercise, names);
  session.give({ what: "positions", moves: [] }, facts["positions "]);
  const action = names.indexOf("c6");
  assert.ok(session.play(action));
  assert.deepEqual([session.status, session.moves, session.play(0)], ["waiting", [], false]);
  settle(session, facts);
  assert.equal(session.moves[0], action);
});

test("a game may cost something if the goal stays in reach", () => {
  const { session, play } = start(made.lenient);
  assert.match(play("e6").join(" "), /It cost 1 box\./);
  assert.deepEqual([session.status, session.mistakes], ["yours", 1]);
  const strict = start(made.play);
  strict.play("e6");
  assert.equal(strict.session.status, "wrong");
});

test("the opponent replies", () => {
  const { session, play } = start(made.play);
  play("c6", "g6");
  // It takes two boxes by a double-cross, and must open the chain of 6.
  assert.deepEqual([session.position?.scores, session.status], [[1, 2], "yours"]);
});

test("to find edges is to click each once", () => {
  const { session, act, play } = start(made.find);
  assert.deepEqual(play("a2"), ["Third."]);
  assert.match(play("c2")[0], /^c2 is not one of them\. It gives a box its third edge/);
  assert.deepEqual(play("d3"), ["d3 is right. 4 to go."]);
  assert.equal(act("play", made.find.names.indexOf("d3")), false);
  play("f3", "f1", "e2", "g2");
  assert.deepEqual([session.status, session.progress, session.mistakes], ["solved", [5, 5], 2]);
});

test("a number is checked", () => {
  const { session, act } = start(made.count);
  const say = (/** @type {number} */ number) => (act("enter", number), session.feedback);
  assert.deepEqual(say(7), ["Two are not safe."]);
  assert.deepEqual(say(4), ["4 is too few. Count again."]);
  assert.deepEqual(say(9), ["9 is too many. Count again."]);
  assert.deepEqual([act("enter", 5), session.status, act("enter", 5)], [true, "solved", false]);
});

test("to watch is to step on and back", () => {
  const { session, act } = start(made.watch);
  const step = (/** @type {number} */ by) => [act("step", by), ...session.feedback];
  assert.deepEqual([step(-1), step(1), step(1)], [[false], [true, "Opens."], [true, "c2."]]);
  assert.deepEqual([session.status, act("step", 1), act("step", -1)], ["solved", false, true]);
  assert.deepEqual(session.progress, [1, 2]);
});

test("hints come one by one, and then the answer", () => {
  const { session, marked } = start(made.deal);
  assert.deepEqual([session.hint(), session.hint(), marked()], ["Look.", "Look again.", ""]);
  session.hint();
  assert.equal(marked(), "c6");
  const find = start(made.find);
  for (let count = 0; count < 3; count += 1) find.session.hint();
  assert.equal(find.session.marked.length, 1);
});

for (const recorded of RECORDED.exercises) {
  const { exercise, line, wrong, names } = recorded;
  test(`the exercise "${exercise.task}" can be solved`, () => {
    const { session, act } = start(recorded);
    for (const action of wrong) {
      assert.ok(act("play", action));
      assert.match(session.feedback.join(" "), /boxe?s?/, names[action]);
      act("restart");
    }
    assert.equal(session.mistakes, wrong.length);
    const { kind, answer, targets, steps } = exercise;
    if (kind === "count") act("enter", answer);
    if (kind === "find") for (const edge of targets) act("play", edge);
    if (kind === "watch") for (const _ of steps) act("step", 1);
    while (line.length && session.status === "yours") act("play", line[session.moves.length]);
    assert.equal(session.status, "solved");
    if (line.length) assert.deepEqual(session.moves, line.slice(0, session.moves.length));
    if (exercise.solved) assert.ok(session.feedback.includes(exercise.solved));
  });
}

/** Begin a puzzle; `act` does something in its session, and returns what is shown then. */
function begin({ puzzle, names, facts, line }) {
  const session = new PuzzleSession(puzzle, names);
  settle(session, facts);
  const act = (/** @type {string} */ name, /** @type {number[]} */ ...values) => {
    const done = session[name](...values);
    settle(session, facts);
    return { done, status: session.status, ...puzzleMessage(session) };
  };
  const costs = [...puzzle.costs].sort((a, b) => a.cost - b.cost || a.action - b.action);
  return { session, act, next: () => line[session.moves.length], wrong: costs.at(-1) };
}

for (const recorded of RECORDED.puzzles) {
  const about = `the puzzle ${recorded.puzzle.id} (${recorded.puzzle.kind})`;
  test(`best moves solve ${about}`, () => {
    const { session, act, next } = begin(recorded);
    while (!session.over) assert.equal(act("play", next()).done, true);
    assert.match(act("play", next()).text, /^Solved at the first try\./);
    assert.equal(session.turn, recorded.puzzle.turns);
  });

  test(`the answer to ${about} comes step by step`, () => {
    const { session, act, next, wrong } = begin(recorded);
    const right = recorded.names[next()];
    const missed = act("play", wrong.action);
    assert.match(missed.text, new RegExp(`^${recorded.names[wrong.action]} costs ${wrong.cost} box.*Try another edge\\.$`));
    assert.doesNotMatch(missed.text, new RegExp(`\\b${right}\\b`));
    assert.equal(act("play", next()).done, false);
    act("retry");
    assert.deepEqual([session.moves, session.marked], [[], []]);
    act("play", wrong.action);
    assert.equal(act("hint").text, "One of the marked edges is right.");
    assert.ok(session.marked.length > 1 && session.marked.includes(next()));
    assert.equal(act("hint").text, "The marked edge is right.");
    assert.deepEqual(session.marked, [next()]);
    assert.equal(act("hint").done, false);
    const before = session.moves.length;
    act("show");
    assert.deepEqual(session.moves.slice(0, before + 1), recorded.line.slice(0, before + 1));
    while (!session.over) act("show");
    assert.match(puzzleMessage(session).text, /^This is the solution\./);
    act("restart");
    assert.deepEqual([session.status, session.moves, session.turn, session.marked], ["yours", [], 0, []]);
    while (!session.over) act("play", next());
    assert.match(puzzleMessage(session).text, /does not count/);
  });
}

test("the recording has every kind of exercise", () => {
  const kinds = new Set(RECORDED.exercises.map((/** @type {any} */ each) => each.exercise.kind));
  assert.deepEqual([...kinds].sort(), ["best", "count", "find", "play", "watch"]);
});
