// Open and leave rooms, and lose what belongs to them, with a real app over a fake socket.

import assert from "node:assert/strict";
import { test } from "node:test";

import { RoomVisit } from "../../../../client/web/pages/room/visit.js";
import { refused } from "../../../node/server-messages.mjs";
import { Seat, settle } from "../app/seat.mjs";

globalThis.fetch = async () => new Response('{"positions": []}');

function visiting(seat, id = "r1", code = "") {
  const visit = new RoomVisit(seat.app, id, code);
  return { visit, end: visit.begin() };
}

async function inRoom(options) {
  const seat = new Seat();
  seat.welcome();
  const opened = visiting(seat);
  seat.serve(options);
  await settle();
  assert.equal(opened.visit.state.value.kind, "room");
  return { seat, ...opened };
}

test("a room that another page has left is opened again", async () => {
  const { seat, visit } = await inRoom();
  const other = seat.app.request({ type: "leave", room: "r1" });
  seat.serve();
  await other;
  await settle();
  assert.deepEqual(seat.serve(), ["watch"]);
  await settle();
  assert.equal(visit.state.value.kind, "room");
});

test("the link of a room that is gone leads to its last game", async () => {
  const there = globalThis.fetch;
  const asked = [];
  globalThis.fetch = async (address) => {
    asked.push(address);
    return new Response("{}", { status: address.startsWith("/api/games/r1-3") ? 404 : 200 });
  };
  const seat = new Seat();
  seat.welcome();
  visiting(seat, "r1", "abc");
  const [{ id }] = seat.asked();
  seat.socket.tell(refused(id, "unknown_room"));
  for (let turn = 0; turn < 5; turn++) await settle();
  globalThis.fetch = there;
  assert.deepEqual(seat.paths, ["/game/r1-2#abc"]);
  assert.equal(asked[0], "/api/games/r1-1?code=abc");
});

test("who takes another name sees the room again", async () => {
  const { seat, visit } = await inRoom({ seat: 0 });
  const signed = seat.app.connect("Cleo");
  seat.welcome({ player: { name: "Cleo", kind: "human", engine: null }, token: "token-of-cleo-123456" });
  await signed;
  await settle();
  seat.serve();
  await settle();
  assert.equal(visit.state.value.kind, "room");
  assert.equal(visit.state.value.room.model.mirror.seat, null);
});

test("a room whose state comes after its page was left is not followed", async () => {
  const seat = new Seat();
  seat.welcome();
  const { end } = visiting(seat);
  end();
  seat.serve();
  await settle();
  assert.deepEqual(seat.serve(), ["leave"]);
  assert.equal(seat.app.session.rooms.size, 0);
});

test("a room that is left while its board is being fetched is not followed", async () => {
  const seat = new Seat();
  seat.welcome();
  const { end } = visiting(seat);
  seat.serve();
  end();
  await settle();
  assert.deepEqual(seat.serve(), ["leave"]);
  assert.equal(seat.app.session.rooms.size, 0);
});

test("a player keeps the seat when the page of the room is left early", async () => {
  const seat = new Seat();
  seat.welcome();
  const { visit, end } = visiting(seat);
  end();
  seat.serve({ seat: 0 });
  await settle();
  assert.deepEqual(seat.serve(), []);
  assert.equal(visit._over, true);
});

test("nothing remains of fifty rooms that were opened and left", async () => {
  const seat = new Seat();
  seat.welcome();
  const counts = [];
  for (let at = 1; at <= 50; at++) {
    const { end } = visiting(seat, `r${at}`);
    seat.serve();
    await settle();
    end();
    await settle();
    seat.serve();
    await settle();
    const { app, timers } = seat;
    counts.push([app.session.rooms.size, app.topics.size, timers.alarms]);
  }
  assert.deepEqual(counts.at(-1), counts[0]);
});
