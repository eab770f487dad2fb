// The model of a room: what may be played, what the board shows, and how matches end.

import assert from "node:assert/strict";
import { test } from "node:test";

import { finalLine, makePanel } from "../../../../client/web/models/room/seats.js";
import { History } from "../../../../client/web/models/room/history.js";
import { RoomPermissions } from "../../../../client/web/models/room/permissions.js";
import {
  ANN,
  askBack,
  BOT,
  finish,
  GEOMETRY,
  makeModel,
  makeRoom,
  move,
  takeBack,
} from "./rooms.mjs";

const PLAYED = { match: 1, moves: [0, 1, 2, 3], scores: [0, 1] };

test("a click plays a free edge and shows it as pending", () => {
  const model = makeModel();
  const order = model.play(2);
  assert.deepEqual(order, { who: "me", room: "r1", match: 1, ply: 0, takebacks: 0, action: 2 });
  assert.equal(model.pending.action, 2);
  assert.equal(model.myTurn, false);
  assert.match(model.play(1), /confirm the last move/);
});

test("a pending move stays while nothing has changed, and goes when the match went on", () => {
  const mirror = makeRoom();
  const model = makeModel(mirror);
  model.play(2);
  model.take(mirror, null);
  assert.equal(model.pending.action, 2);
  model.take(makeRoom({ match: 2 }), null);
  assert.equal(model.pending.action, null);
});

test("a refused move is taken back once", () => {
  const model = makeModel();
  const order = model.play(2);
  assert.equal(model.pending.refuse(order), true);
  assert.equal(model.pending.refuse(order), false);
  assert.equal(model.myTurn, true);
});

for (const [what, mirror, action, sentence] of [
  ["a spectator", makeRoom({}, { seat: null }), 0, /watching/],
  ["the opponent's turn", makeRoom({ moves: [0] }), 1, /Bob's turn/],
  ["a drawn edge", makeRoom({ moves: [0, 1] }), 0, /e0 cannot be played/],
  ["a waiting room", makeRoom({ status: "waiting", match: 0, players: [ANN, null] }), 0, /begins/],
  ["a finished match", makeRoom({ ...PLAYED, status: "finished" }), 0, /over/],
]) {
  test(`${what} allows no move and says why`, () => {
    const model = makeModel(mirror);
    assert.match(model.play(action), sentence);
    assert.equal(model.pending.order, null);
  });
}

test("an earlier position allows no move", () => {
  const model = makeModel(makeRoom({ moves: [0, 1] }));
  model.lookAt(1);
  assert.match(model.play(2), /earlier position/);
});

test("live moves can be stepped through without asking the server", () => {
  const mirror = makeRoom();
  const model = makeModel(mirror);
  for (const action of [3, 1]) {
    move(mirror, action);
    model.take(mirror, null);
  }
  assert.equal(model.history.missing, false);
  model.lookAt(model.stepped(-1));
  assert.equal(model.shown.before, ".");
  assert.equal(model.ply, 1);
  assert.deepEqual(model.shown.played, [3]);
  assert.equal(model.shown.legal, "0000");
  model.lookAt(model.stepped(5));
  assert.equal(model.viewing, null);
  model.lookAt(model.stepped(-9));
  assert.equal(model.ply, 0);
});

test("positions before a snapshot are fetched, which tells who moved", () => {
  const model = makeModel(makeRoom({ moves: [0, 1] }));
  assert.deepEqual(model.shown.drawers, [0, 1]);
  assert.equal(model.history.missing, true);
  assert.deepEqual(model.history.turns, []);
  const place = (to_move) => ({ cells: ".", winning: [], scores: [0, 0], to_move });
  const positions = [place(0), place(1), place(0)];
  assert.equal(model.history.fill(2, [0, 1], positions), false);
  assert.equal(model.history.fill(1, [0, 1], positions), true);
  assert.equal(model.history.missing, false);
  assert.deepEqual(
    model.history.turns.map(({ seat, moves }) => [seat, moves.map((each) => each.action)]),
    [
      [0, [0]],
      [1, [1]],
    ],
  );
});

test("one can step by turns", () => {
  const { history } = makeModel(makeRoom({ moves: [0, 1, 2] }));
  const place = (to_move) => ({ cells: ".", winning: [], scores: [0, 0], to_move });
  history.fill(1, [0, 1, 2], [place(0), place(0), place(1)]);
  assert.deepEqual([0, 1, 2, 3].map((ply) => history.turnBefore(ply)), [0, 0, 0, 2]);
  assert.deepEqual([0, 1, 2, 3].map((ply) => history.turnAfter(ply)), [2, 2, 3, 3]);
});

test("the board gets the same position until something changes", () => {
  const mirror = makeRoom();
  const model = makeModel(mirror);
  const before = model.shown;
  model.take(mirror, null);
  assert.equal(model.shown, before);
  move(mirror, 0);
  model.take(mirror, null);
  assert.notEqual(model.shown, before);
});

test("a rematch shows the new match from its start", () => {
  const model = makeModel(makeRoom({ moves: [0, 1] }));
  model.lookAt(1);
  model.take(makeRoom({ match: 2 }), null);
  assert.equal(model.viewing, null);
  assert.equal(model.history.total, 0);
});

test("a match played to the end speaks to the player", () => {
  const mirror = makeRoom({ ...PLAYED, moves: [0, 1, 2], to_move: 1, scores: [0, 0] });
  const model = makeModel(mirror);
  move(mirror, 3);
  finish(mirror, "completed", 1);
  model.take(mirror, null);
  assert.equal(finalLine(model.ending), "You lost 0 : 1");
  assert.equal(model.ending.won, false);
});

test("a game without a unit is won without a score", () => {
  const mirror = makeRoom();
  finish(mirror, "resigned", 0);
  assert.equal(makeModel(mirror).ending.score, "0 : 0");
  assert.equal(makeModel(mirror, { ...GEOMETRY, unit: "" }).ending.score, "");
});

test("a match that was called off has no result", () => {
  const mirror = makeRoom();
  finish(mirror, "aborted", null, "Bob called the match off.");
  const { ending } = makeModel(mirror);
  assert.equal(ending.headline, "No result");
  assert.equal(ending.why, "Bob called the match off");
});

test("the panel of a seat says who is away and who thinks", () => {
  const away = { connected: false, claim_in_ms: 30000 };
  const here = { connected: true, claim_in_ms: null };
  const presence = { type: "presence", room: "r1", seats: [here, away], spectators: 0, first_move_in_ms: null };
  const model = makeModel(makeRoom({}, { presence }));
  assert.equal(makePanel(model, 1).note, "away");
  assert.equal(makePanel(model, 0).you, true);
  const bots = makeModel(makeRoom({ players: [ANN, BOT], moves: [0] }));
  assert.equal(makePanel(bots, 1).thinking, true);
});

test("the score of a seat reads well in words", () => {
  const model = makeModel(makeRoom({ moves: [0, 1, 2, 3] }));
  assert.deepEqual(
    [0, 1].map((seat) => makePanel(model, seat).points),
    ["0 boxes", "1 box"],
  );
  const waiting = makeModel(makeRoom({ status: "waiting", match: 0, players: [ANN, null] }));
  assert.equal(makePanel(waiting, 0).points, "");
});

test("two people at one page move for the seat whose turn it is", () => {
  const mine = makeRoom();
  const model = makeModel(mine);
  model.take(mine, makeRoom({}, { seat: 1 }));
  assert.equal(model.seats.shared, true);
  assert.equal(model.play(0).who, "me");
  const later = makeRoom({ moves: [0] });
  model.take(later, makeRoom({ moves: [0] }, { seat: 1 }));
  assert.equal(model.play(1).who, "guest");
});

test("the last own move can be taken back in casual matches", () => {
  const mirror = makeRoom();
  const model = makeModel(mirror);
  const may = new RoomPermissions(model, { features: false, policy: false });
  const now = () => model.take(mirror, null);
  assert.equal(may.takeback, null);
  for (const action of [0, 1]) {
    move(mirror, action);
    now();
  }
  assert.deepEqual(may.takeback, { ply: 0, who: "me" });
  model.play(2);
  assert.equal(may.takeback, null);
  now();
  askBack(mirror, 0, 0);
  now();
  assert.deepEqual([may.takeback, may.takebackWaits, may.takebackAnswerer], [null, "me", undefined]);
  takeBack(mirror, 0);
  now();
  // The move of the other line is not sent any more.
  assert.equal(model.pending.order, null);
  assert.deepEqual(model.shown.played, []);
  assert.equal(model.play(3).takebacks, 1);
  move(mirror, 3);
  askBack(mirror, 1, 0);
  now();
  assert.deepEqual([may.takebackWaits, may.takebackAnswerer], [undefined, "me"]);
  const rated = makeModel(makeRoom({ settings: { ...mirror.settings, rated: true }, moves: [0, 1] }));
  const strict = new RoomPermissions(rated, { features: false, policy: false });
  assert.equal(strict.takebacksHere, false);
  const begun = makeRoom({ settings: { ...mirror.settings, start: [0, 1] }, moves: [0, 1] });
  const fixed = new RoomPermissions(makeModel(begun), { features: false, policy: false });
  assert.deepEqual([fixed.takebacksHere, fixed.takeback], [true, null]);
});

test("the history keeps the positions that stay after a takeback", () => {
  const mirror = makeRoom();
  const history = new History();
  history.take(mirror);
  for (const action of [0, 1, 2]) {
    move(mirror, action);
    history.take(mirror);
  }
  takeBack(mirror, 1);
  assert.equal(history.take(mirror), true);
  assert.equal(history.missing, false);
  assert.deepEqual([history.total, history.at(2), history.mover(1)], [1, null, 0]);
  move(mirror, 3);
  assert.equal(history.take(mirror), true);
  assert.equal(history.take(mirror), false);
});
