// Moves that could not be sent before the page was closed.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Storage } from "../../../../client/web/app/storage.js";
import { sendUnsent } from "../../../../client/web/app/unsent.js";
import { UnsentMoves } from "../../../../client/web/models/room/unsent.js";
import { RoomVisit } from "../../../../client/web/pages/room/visit.js";
import { Seat, settle } from "./seat.mjs";

globalThis.fetch = async () => new Response('{"positions": []}');

const ORDER = { who: "me", room: "r1", match: 1, ply: 0, takebacks: 0, action: 2 };
const PLAYING = { room: "r1", status: "playing", match: 1, moves: [], takebacks: 0 };

function inMemory() {
  const kept = new Map();
  const browser = {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, text) => kept.set(key, text),
    removeItem: (key) => kept.delete(key),
  };
  return { kept, unsent: new UnsentMoves(new Storage(() => browser)) };
}

/** A page that was closed with a move on the way, and is opened again at another address. */
function reopened() {
  const seat = new Seat();
  const unsent = new UnsentMoves(seat.app.storage);
  unsent.keep(ORDER);
  sendUnsent(seat.app);
  seat.welcome({ rooms: ["r1"] });
  return { seat, unsent };
}

test("a kept move is for one position only", () => {
  const { kept, unsent } = inMemory();
  unsent.keep(ORDER);
  assert.equal(unsent.action(PLAYING), 2);
  assert.equal(unsent.action({ ...PLAYING, room: "r2" }), null);
  assert.equal(unsent.action({ ...PLAYING, moves: [2] }), null);
  unsent.keep(ORDER);
  assert.equal(unsent.action({ ...PLAYING, takebacks: 1 }), null);
  assert.equal(unsent.action(PLAYING), null);
  assert.equal(kept.size, 0);
});

test("moves of rooms that are never seen again do not pile up", () => {
  const { kept, unsent } = inMemory();
  for (let at = 0; at < 100; at++) unsent.keep({ ...ORDER, room: `r${at}` });
  assert.equal(Object.keys(JSON.parse(kept.get("doublecross.unsent"))).length, 20);
  assert.equal(unsent.action({ ...PLAYING, room: "r99" }), 2);
});

test("a page that opens in the lobby sends the move that was kept", async () => {
  const { seat, unsent } = reopened();
  seat.serve({ seat: 0 });
  const [move] = seat.asked();
  assert.deepEqual({ ...move, id: 0 }, { type: "move", id: 0, room: "r1", match: 1, ply: 0, takebacks: 0, action: 2 });
  const board = { cells: ".", legal: "1101", winning: [] };
  const after = { scores: [0, 0], to_move: 1, clock_ms: null, elapsed_ms: 0, at: 8, board };
  seat.socket.tell({ ...move, ...after, seq: 5, seat: 0, expected: null, fallback: false });
  await settle();
  assert.equal(unsent.action(PLAYING), null);
  assert.match(seat.app.notices.first.text, /^Your move against Bob was sent/);
});

test("a refused move is not sent a second time", async () => {
  const { seat, unsent } = reopened();
  seat.serve({ seat: 0 });
  const [{ id }] = seat.asked();
  seat.socket.tell({ type: "error", id, code: "stale_ply", message: "Too late." });
  await settle();
  assert.equal(unsent.action(PLAYING), null);
  assert.equal(seat.app.notices.first, undefined);
});

test("the page of a room sends its move once, and again after its connection was one too many", async () => {
  const { seat, unsent } = reopened();
  seat.place.value = { name: "room", params: { id: "r1" } };
  const visit = new RoomVisit(seat.app, "r1", "");
  visit.begin();
  seat.serve({ seat: 0 });
  await settle();
  assert.equal(seat.asked().filter(({ type }) => type === "move").length, 1);
  assert.equal(visit.state.value.room.model.pending.action, 2);
  seat.socket.end(4001);
  await settle();
  assert.equal(unsent.action(PLAYING), 2);
  seat.app.link.takeOver();
  seat.welcome({ rooms: ["r1"] });
  seat.serve({ seat: 0 });
  await settle();
  assert.ok(seat.asked().some(({ type, action }) => type === "move" && action === 2));
});
