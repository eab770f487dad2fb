// Replay recorded sessions of learners: the page's sessions show what those of Python do.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { LessonSession } from "../../../../client/web/models/learn/lesson.js";
import { PuzzleSession } from "../../../../client/web/models/learn/puzzle.js";

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

for (const recorded of RECORDED.puzzles) {
  test(`the puzzle ${recorded.puzzle.id} (${recorded.puzzle.kind})`, () => {
    const session = new PuzzleSession(recorded.puzzle, recorded.names);
    replay(session, recorded, () => {
      const { moves, status, feedback, mistakes, turn, helped, over } = session;
      return { moves, status, feedback, mistakes, turn, helped, over };
    });
  });
}

test("the recording has every kind of exercise", () => {
  const kinds = new Set(RECORDED.exercises.map((/** @type {any} */ each) => each.exercise.kind));
  assert.deepEqual([...kinds].sort(), ["best", "count", "find", "play", "watch"]);
});
