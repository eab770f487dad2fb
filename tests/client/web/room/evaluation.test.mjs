// When a spectator asks what the server thinks, and what may be shown of it.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Evaluation } from "../../../../client/web/models/room/evaluation.js";
import { makeModel, makeRoom, move, takeBack } from "./rooms.mjs";

const MOVE = { ply: 0, seat: 0, action: 0, after: { net: -1, spread: 0 } };

/** A match that one watches, whose players allow an evaluation. */
function watched(moves, allowed = true) {
  const mirror = makeRoom({ moves }, { seat: null });
  mirror.settings = { ...mirror.settings, evaluation: allowed };
  const model = makeModel(mirror);
  const evaluation = new Evaluation(model);
  const given = (changes = {}) => ({ match: 1, takebacks: 0, move: { ...MOVE, ...changes } });
  return { mirror, model, evaluation, given };
}

test("one asks once for each move, from the second on", () => {
  const { mirror, evaluation } = watched([0]);
  assert.equal(evaluation.ask(), false);
  move(mirror, 1);
  assert.deepEqual([evaluation.ask(), evaluation.ask()], [true, false]);
  move(mirror, 2);
  assert.equal(evaluation.ask(), true);
});

test("nobody asks where the players do not allow it, or plays", () => {
  assert.equal(watched([0, 1], false).evaluation.ask(), false);
  const own = makeRoom({ moves: [0, 1] });
  own.settings = { ...own.settings, evaluation: true };
  assert.equal(new Evaluation(makeModel(own)).on, false);
});

test("the rest of the score goes to who gets it with best play", () => {
  const { model, evaluation, given } = watched([0, 1]);
  model.geometry = { ...model.geometry, cells: [{}] };
  assert.equal(evaluation.coming, null);
  evaluation.take(given());
  assert.equal(evaluation.move.ply, 0);
  assert.deepEqual(evaluation.coming, [0, 1]);
});

test("an earlier position shows nothing of later moves, nor does a match after a takeback", () => {
  const { mirror, model, evaluation, given } = watched([0, 1, 2]);
  evaluation.take(given({ ply: 1, seat: 1, action: 1 }));
  assert.equal(evaluation.move.ply, 1);
  model.lookAt(1);
  assert.equal(evaluation.move, null);
  model.lookAt(null);
  takeBack(mirror, 1);
  assert.equal(evaluation.move, null);
});
