// Replay recorded sessions of learners: the page's sessions show what those of Python do.

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

/**
 * @param {any} session
 * @param {any} recorded
 * @param {() => object} shown
 */
function replay(session, { facts, steps }, shown) {
  settle(session, facts);
  for (const { step, done, shows } of steps) {
    const [name, value] = step;
    const happened = value === null ? session[name]() : session[name](value);
    settle(session, facts);
    assert.deepEqual(shown(), shows, `after ${name} ${value}`);
    assert.deepEqual(happened ?? null, done, `what ${name} ${value} returns`);
  }
}

for (const recorded of RECORDED.exercises) {
  test(`the exercise "${recorded.exercise.task}"`, () => {
    const session = new LessonSession(recorded.exercise, recorded.names);
    const sorted = (/** @type {Iterable<number>} */ list) => [...list].sort((a, b) => a - b);
    replay(session, recorded, () => {
      const { moves, status, feedback, found, mistakes, progress, marked } = session;
      return { moves, status, feedback, found: sorted(found), mistakes, progress, marked: sorted(marked) };
    });
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
    assert.match(missed.text, new RegExp(`^${recorded.names[wrong.action]} costs ${wrong.cost} box.*try another edge\\.$`));
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
