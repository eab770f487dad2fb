// Conditional moves while a person plans them.

import assert from "node:assert/strict";
import { test } from "node:test";

import { MOST_LINES, PlanDraft } from "../../../../client/web/models/room/plan.js";
import { RoomPermissions } from "../../../../client/web/models/room/permissions.js";
import { makeModel, makeRoom } from "./rooms.mjs";

const ME = 0;

/** Answer as the server: the seats take turns after `moves` moves, and all edges but the drawn ones are free. */
function answer(draft, moves = [9]) {
  const at = (count) => {
    const drawn = [...moves, ...draft.line].slice(0, count);
    const legal = [...Array(10).keys()].map((action) => (drawn.includes(action) ? "0" : "1")).join("");
    return { cells: ".", legal, winning: [], scores: [0, 0], to_move: count % 2 };
  };
  draft.take([...Array(moves.length + draft.line.length + 1).keys()].map(at), moves.length);
}

function played(draft, ...line) {
  draft.show();
  answer(draft);
  for (const action of line) {
    draft.play(action);
    answer(draft);
  }
  return draft;
}

test("a line begins with a move of the opponent and ends with one's own", () => {
  const draft = played(new PlanDraft(ME, []), 1);
  assert.deepEqual([draft.toMove, draft.addable, draft.complete], [ME, false, []]);
  draft.play(9); // drawn
  draft.play(2);
  assert.equal(draft.toMove, null); // the server has not answered
  draft.play(3);
  assert.deepEqual(draft.line, [1, 2]);
  answer(draft);
  draft.play(3);
  answer(draft);
  assert.deepEqual([draft.line, draft.complete], [[1, 2, 3], [1, 2]]);
  assert.ok(draft.add());
  assert.deepEqual([draft.lines, draft.line], [[[1, 2]], []]);
  assert.equal(played(draft, 1, 2).addable, false); // it is there
});

test("a line replaces those that it continues, and those with another answer", () => {
  const draft = new PlanDraft(ME, [[1, 2], [3, 4, 5, 6], [3, 4, 7, 8], [5, 1]]);
  played(draft, 1, 2, 3, 4).add();
  assert.deepEqual(draft.lines, [[3, 4, 5, 6], [3, 4, 7, 8], [5, 1], [1, 2, 3, 4]]);
  played(draft, 3, 5).add();
  assert.deepEqual(draft.lines, [[5, 1], [1, 2, 3, 4], [3, 5]]);
  draft.remove(1);
  assert.deepEqual(draft.lines, [[5, 1], [3, 5]]);
  draft.show(draft.lines[1]);
  answer(draft);
  draft.back();
  assert.deepEqual([draft.line, draft.toMove], [[3], ME]);
});

test("a plan has a limit, and says so", () => {
  const full = Array.from({ length: MOST_LINES }, (_, number) => [100 + number, 1]);
  const draft = played(new PlanDraft(ME, full), 1, 2);
  assert.equal(draft.add(), false);
  assert.deepEqual([draft.lines.length, draft.line], [MOST_LINES, [1, 2]]);
});

test("one plans in games by days while the opponent is to move", () => {
  const settings = (time) => ({ ...makeRoom().settings, time: { base_ms: null, increment_ms: 0, move_ms: null, ...time } });
  const days = settings({ move_ms: 86_400_000 });
  const may = (over) => new RoomPermissions(makeModel(makeRoom(over)), { features: true, policy: true });
  assert.equal(may({ moves: [0], settings: days }).plan, true);
  assert.equal(may({ moves: [], settings: days }).plan, false);
  assert.equal(may({ moves: [0], settings: settings({ base_ms: 60_000 }) }).plansHere, false);
});
