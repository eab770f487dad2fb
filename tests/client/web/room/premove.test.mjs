// The move that a person chooses for the next turn while the opponent thinks.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Premove } from "../../../../client/web/models/room/premove.js";
import { finish, makeModel, makeRoom, move } from "./rooms.mjs";

function waiting(over = {}) {
  const mirror = makeRoom({ moves: [0], ...over });
  const model = makeModel(mirror);
  const premove = new Premove(model);
  premove.on = true;
  return { mirror, model, premove };
}

test("a chosen move is due at one's turn, and only once", () => {
  const { mirror, model, premove } = waiting();
  assert.equal(premove.choose(2), true);
  assert.equal(premove.due(), null);
  move(mirror, 1);
  model.take(mirror, null);
  assert.equal(premove.due(), 2);
  assert.equal(premove.due(), null);
});

test("a second choice replaces the first or removes it", () => {
  const { premove } = waiting();
  premove.choose(2);
  premove.choose(3);
  assert.equal(premove.action, 3);
  premove.choose(3);
  assert.equal(premove.action, null);
  assert.equal(premove.choose(0), false); // it is drawn
});

test("nothing can be chosen at one's own turn, by two people, in earlier positions, or when it is off", () => {
  const own = waiting({ moves: [] });
  const shared = waiting();
  shared.model.take(shared.mirror, makeRoom({ moves: [0] }, { seat: 1 }));
  const earlier = waiting();
  earlier.model.lookAt(0);
  const off = waiting();
  off.premove.on = false;
  for (const { premove } of [own, shared, earlier, off]) assert.equal(premove.choose(2), false);
});

test("a chosen move is dropped with its match, after a takeback, and when it is switched off", () => {
  const changes = [
    ({ mirror }) => (mirror.takebacks = 1),
    ({ mirror }) => (mirror.match = 2),
    ({ mirror }) => finish(mirror, "resigned", 0),
    ({ premove }) => (premove.on = false),
  ];
  for (const change of changes) {
    const room = waiting();
    room.premove.choose(2);
    change(room);
    room.model.take(room.mirror, null);
    assert.equal(room.premove.due(), null);
    assert.equal(room.premove.action, null);
  }
});
