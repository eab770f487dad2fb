// Finished rooms are left when the person has turned away from them.

import assert from "node:assert/strict";
import { test } from "node:test";

import { leaveFinished } from "../../../../client/web/app/finished.js";
import { ANN, BOB, presence, snapshot } from "../../../node/server-messages.mjs";
import { Seat, settle } from "./seat.mjs";

const BOT = { name: "easy", kind: "bot", engine: null };
const RESULT = { winner: 0, termination: "resigned", reason: "", returns: [1, -1], game_id: "g1" };
const OVER = { status: "finished", to_move: null, clock_runs: false, result: RESULT };

/** Open a room with a seat in it, and return the requests to leave that follow. */
async function opened(changes, top = {}) {
  const seat = new Seat();
  leaveFinished(seat.app);
  seat.welcome();
  seat.place.value = { name: "room", params: { id: "r1" } };
  await enter(seat, "r1", changes, top);
  return { seat, go: (name, id) => go(seat, name, id) };
}

async function enter(seat, room, changes, top = {}) {
  void seat.app.request({ type: "watch", room, code: null });
  const [{ id }] = seat.asked();
  assert.ok(id);
  seat.socket.tell({ ...state(room, changes, top), id });
  await settle();
}

function state(room, changes, top) {
  const common = { type: "room_state", room, seat: 0, origin: null, code: null, events: null };
  const board = { cells: ".", legal: "0000", winning: [] };
  const clock = { clock_ms: null, clock_runs: false };
  return { ...common, ...clock, presence: presence(room), board, snapshot: snapshot({ ...OVER, ...changes }), ...top };
}

/** Show another page; return the rooms that are left. */
async function go(seat, name, id = "") {
  seat.place.value = { name, params: { id } };
  const asked = seat.asked();
  for (const { id: request } of asked) seat.socket.tell({ type: "done", id: request });
  await settle();
  return asked.map(({ type, room }) => `${type} ${room}`);
}

test("the room of a match against a bot is left with its page", async () => {
  const { go } = await opened({ players: [ANN, BOT] });
  assert.deepEqual(await go("lobby"), ["leave r1"]);
  assert.deepEqual(await go("rules"), []);
});

test("the review of the match does not leave its room, and the page after it does", async () => {
  const { go } = await opened({ players: [ANN, BOT] });
  assert.deepEqual(await go("game", "g1"), []);
  assert.deepEqual(await go("game", "g2"), ["leave r1"]);
});

test("a person who is there may still offer a rematch, until they go", async () => {
  const { seat, go } = await opened({ players: [ANN, BOB] });
  assert.deepEqual(await go("lobby"), []);
  const here = { connected: true, claim_in_ms: null };
  seat.socket.tell(presence("r1", { seats: [here, { connected: false, claim_in_ms: null, left: true }] }));
  assert.deepEqual(seat.asked().map(({ type }) => type), ["leave"]);
});

test("an offered rematch keeps the room", async () => {
  const { go } = await opened({ players: [ANN, BOT], rematch: [true, false] });
  assert.deepEqual(await go("lobby"), []);
});

test("a next match takes the place of the last one", async () => {
  const { seat, go } = await opened({ players: [ANN, BOB] });
  assert.deepEqual(await go("lobby"), []);
  await enter(seat, "r2", { status: "playing", to_move: 0, result: null });
  assert.deepEqual(seat.asked().map(({ type, room }) => `${type} ${room}`), ["leave r1"]);
});

test("matches in play and rooms that wait are never left", async () => {
  const playing = await opened({ status: "playing", to_move: 0, result: null });
  assert.deepEqual(await playing.go("lobby"), []);
  const waiting = { status: "waiting", to_move: null, result: null, players: [ANN, null], match: 0 };
  assert.deepEqual(await (await opened(waiting)).go("lobby"), []);
});

test("a spectator's room is the business of its page", async () => {
  const { go } = await opened({}, { seat: null });
  assert.deepEqual(await go("lobby"), []);
});
