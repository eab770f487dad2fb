// Check what the page's mirror does where it differs from the client with rules, and its clocks.

import assert from "node:assert/strict";
import { test } from "node:test";

import { RoomClock } from "../../../../client/web/core/clock.js";
import { Desync, Gap } from "../../../../client/web/core/errors.js";
import { readMessage } from "../../../../client/web/core/messages.js";
import { MAX_CHALLENGES } from "../../../../client/web/core/offers.js";
import { RoomMirror } from "../../../../client/web/core/room.js";
import { MAX_CLOSED } from "../../../../client/web/core/rooms.js";
import { Session } from "../../../../client/web/core/session.js";
import {
  ANN,
  BOARD,
  BOB,
  SMALL,
  event,
  finished,
  move,
  roomState,
  snapshot,
  started,
  welcome,
} from "../../../node/server-messages.mjs";

const playing = (changes) => new RoomMirror(roomState(1, changes), 10);

/** Return everything that a mirror shows. */
const look = (mirror) => structuredClone({ ...mirror, clock: { ...mirror.clock } });

// -- boards ---------------------------------------------------------------------------------------

test("a room without a board is refused", () => {
  assert.throws(() => playing({ board: null }), Desync);
  assert.throws(() => playing({ snapshot: null, events: [] }), Desync);
});

test("nobody is to move, and no move has a board, before the last move of the start", () => {
  const settings = { ...SMALL, start: [0, 2] };
  const mirror = playing({ snapshot: snapshot({ settings }) });
  assert.deepEqual([mirror.toMove, mirror.myTurn], [null, false]);
  mirror.apply(move(5, 0, { board: null }), 11);
  assert.deepEqual([mirror.moves, mirror.toMove], [[0], null]);
  const board = { cells: ".", legal: "0101", winning: [] };
  const last = { ply: 1, seat: 1, to_move: 0 };
  assert.throws(() => mirror.apply(move(6, 2, { ...last, board: null }), 11), Desync);
  mirror.apply(move(6, 2, { ...last, board }), 11);
  assert.deepEqual([mirror.moves, mirror.toMove, mirror.board], [[0, 2], 0, board]);
});

test("an illegal move, one without a board and impossible ones change nothing", () => {
  const mirror = playing({ board: { ...BOARD, legal: "1011" } });
  const before = look(mirror);
  const wrong = [
    { action: 1 },
    { action: 99 },
    { board: null },
    { match: 2 },
    { ply: 1 },
    { seat: 1 },
  ];
  for (const change of wrong) {
    assert.throws(() => mirror.apply(move(5, 0, change), 11), Desync);
    assert.deepEqual(look(mirror), before);
  }
  assert.throws(() => mirror.apply(move(6, 0), 11), Gap);
  assert.equal(mirror.apply(move(4, 0), 11), false);
  assert.deepEqual(look(mirror), before);
});

test("an older message does not set the position back", () => {
  const mirror = playing();
  const board = { cells: ".", legal: "0111", winning: [] };
  mirror.apply(move(5, 0, { board }), 11);
  mirror.catchUp(roomState(2, { snapshot: null, events: [started(4, 1, ["Ann", "Bob"])] }), 12);
  assert.equal(mirror.board, board);
});

test("no action is legal after the end of a match, and when the room is closed", () => {
  const mirror = playing();
  mirror.apply(finished(5, 1, "resigned", 1), 11);
  assert.equal(mirror.board.legal, "0000");
  const closed = playing();
  closed.close("Gone.");
  assert.deepEqual([closed.board.legal, closed.toMove, closed.sentence], ["0000", null, "Gone."]);
  assert.deepEqual([closed.clock.mover, closed.clock.runs], [null, false]);
  assert.throws(() => closed.apply(move(5, 0), 11), Desync);
});

test("a match cannot end on the board while somebody is to move", () => {
  const mirror = playing();
  assert.throws(() => mirror.apply(finished(5, 1, "completed", 0), 11), Desync);
  assert.throws(() => mirror.apply(finished(5, 2, "resigned", 0), 11), Desync);
  assert.equal(mirror.status, "playing");
});

test("seats change in a rematch, which starts from its own board", () => {
  const mirror = playing();
  mirror.apply(finished(5, 1, "resigned", 1), 11);
  assert.throws(() => mirror.apply(started(6, 2, ["Bob", "Ann"], { board: null }), 12), Desync);
  for (const players of [["Ann", "Eve"], ["Ann", "Ann"]]) {
    assert.throws(() => mirror.apply(started(6, 2, players), 12), Desync);
  }
  assert.throws(() => mirror.apply(started(6, 3, ["Bob", "Ann"]), 12), Desync);
  mirror.apply(event("rematch_offered", 6, { seat: 1 }), 12);
  assert.deepEqual(mirror.rematch, [false, true]);
  mirror.apply(event("rematch_ended", 7, { seat: 1, outcome: "declined" }), 12);
  assert.deepEqual(mirror.rematch, [false, false]);
  mirror.apply(event("rematch_offered", 8, { seat: 1 }), 12);
  mirror.apply(started(9, 2, ["Bob", "Ann"]), 12);
  assert.deepEqual([mirror.seat, mirror.match, mirror.result], [1, 2, null]);
  assert.deepEqual(mirror.rematch, [false, false]);
  assert.throws(() => mirror.apply(event("rematch_offered", 10, { seat: 1 }), 12), Desync);
  assert.throws(() => mirror.apply(event("seated", 10, { seat: 1, player: BOB }), 12), Desync);
});

test("a room is lost when even the answer to a request for everything has no board", () => {
  const session = new Session();
  session.receive(roomState(1), 0);
  const mirror = session.rooms.get("r1");
  session.receive(move(5, 99), 1);
  const [resume] = session.takeWanted();
  assert.deepEqual(resume, { type: "resume", room: "r1", seq: 0 });
  const [lost] = session.receive(roomState(2, { board: null }), 2, { ...resume, id: 2 });
  assert.deepEqual([lost.kind, lost.room], ["roomLost", "r1"]);
  assert.equal(mirror.status, "closed");
});

test("an old snapshot is news only after a resume", () => {
  const session = new Session();
  session.receive(roomState(1), 0);
  session.receive(move(5, 0), 1);
  const mirror = session.rooms.get("r1");
  assert.deepEqual(session.receive(roomState(2), 1), []);
  assert.equal(mirror.seq, 5);
  session.receive(roomState(3), 1, { type: "resume", id: 3, room: "r1", seq: 5 });
  assert.equal(mirror.seq, 4);
  assert.equal(session.rooms.get("r1"), mirror);
});

test("closed rooms stay for a while, and so do challenges", () => {
  const session = new Session();
  for (let n = 0; n < MAX_CLOSED + 5; n++) {
    session.receive(roomState(1, { room: `r${n}` }), 0);
    session.receive({ ...event("room_closed", 5, { reason: "Over." }), room: `r${n}` }, 0);
  }
  assert.equal(session.rooms.size, MAX_CLOSED);
  assert.equal(session.rooms.has("r4"), false);
  session.receive(welcome(1), 0);
  assert.deepEqual(session.takeWanted(), []);
  for (let n = 0; n <= MAX_CHALLENGES; n++) {
    const challenge = { type: "challenged", challenge: `c${n}`, player: BOB, settings: SMALL };
    session.receive({ ...challenge, seat: null }, 0);
  }
  assert.equal(session.challenges.size, MAX_CHALLENGES);
  assert.equal(session.challenges.has("c0"), false);
});

test("a room that is followed from its first event knows how it began", () => {
  const tag = { tournament: "t1", pairing: 2, game: 1, attempt: 1 };
  const first = { settings: SMALL, private: true, at: 5, keys: ["k", null], tag };
  const created = event("room_created", 1, { ...first, code: "sesame", origin: null });
  const events = [created, event("seated", 2, { seat: 0, player: ANN })];
  const waiting = { ...BOARD, legal: "0000" };
  const mirror = playing({ snapshot: null, events, board: waiting });
  assert.deepEqual([mirror.private, mirror.tag, mirror.code], [true, tag, "sesame"]);
  assert.deepEqual([mirror.players, mirror.seq, mirror.status], [[ANN, null], 2, "waiting"]);
  assert.throws(() => mirror.apply({ ...created, seq: 3 }, 1), /created twice/);
  assert.throws(() => mirror.apply(event("seated", 3, { seat: 0, player: BOB }), 1), Desync);
});

test("a room that was left is not asked for again", () => {
  const session = new Session();
  session.receive(roomState(1), 0);
  session.receive(move(6, 0), 1); // a gap
  assert.equal(session.takeWanted().length, 1);
  const leave = { type: "leave", room: "r1", id: 2 };
  const done = { type: "done", id: 2 };
  assert.deepEqual(session.receive(done, 1, leave), [{ kind: "roomLeft", room: "r1" }]);
  assert.deepEqual(session.receive(done, 1, leave), []);
  session.receive(roomState(3), 2);
  session.receive(move(6, 0), 2); // another gap, in the room that is followed again
  assert.deepEqual(session.takeWanted(), [{ type: "resume", room: "r1", seq: 4 }]);
});

test("a closed room that is followed again is the newest", () => {
  const session = new Session();
  for (const room of ["r1", "r2"]) session.receive(roomState(1, { room }), 0);
  session.receive(event("room_closed", 5, { reason: "Over." }), 0);
  session.receive(roomState(2), 1);
  assert.deepEqual([...session.rooms.keys()], ["r2", "r1"]);
  assert.equal(session.rooms.get("r1").status, "playing");
});

test("an unreadable message says which field is wrong", () => {
  const board = { ...BOARD, winning: [0, "x"] };
  const { unreadable } = readMessage(JSON.stringify(roomState(7, { board })));
  assert.deepEqual(unreadable, {
    id: 7,
    type: "room_state",
    sentence: "The server sent a room_state message with a wrong board.winning.1.",
  });
});

// -- clocks ---------------------------------------------------------------------------------------

test("the limit of a move is separate from the clock", () => {
  const clock = new RoomClock(5000, 0);
  clock.beginTurn([60_000, 2000], 0, 10, true);
  assert.deepEqual([clock.moveLeftMs(11), clock.budgetMs(11)], [4000, 4000]);
  clock.correct([60_000, 2000], 12);
  assert.equal(clock.moveLeftMs(13), 2000);
  clock.beginTurn([60_000, 2000], 1, 20, true);
  assert.deepEqual([clock.moveLeftMs(21), clock.budgetMs(21)], [4000, 1000]);
  clock.beginTurn(null, 1, 30, false);
  assert.deepEqual([clock.moveLeftMs(99), clock.budgetMs(99)], [5000, 5000]);
  clock.beginTurn(null, null, 30, false);
  assert.equal(clock.moveLeftMs(31), null);
});

test("the clock stands until the first move of a person", () => {
  const mirror = playing();
  mirror.updatePresence({ ...mirror.presence, first_move_in_ms: 30_000 }, 10);
  assert.equal(mirror.clock.firstUntil, 40);
  assert.deepEqual(mirror.clock.remainingMs(35), [60_000, 60_000]);
  mirror.clock.beginTurn([60_000, 60_000], 1, 35, true);
  assert.equal(mirror.clock.firstUntil, null);
  assert.deepEqual(mirror.clock.remainingMs(36), [60_000, 59_000]);
});

test("a win may be claimed at the time that the server says", () => {
  const mirror = playing();
  const away = { connected: false, claim_in_ms: 15_000 };
  mirror.updatePresence({ ...mirror.presence, seats: [mirror.presence.seats[0], away] }, 10);
  assert.deepEqual(mirror.claimAt, [null, 25]);
});
