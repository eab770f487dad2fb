// Follow the lobby while its page is shown, and not longer.

import assert from "node:assert/strict";
import { test } from "node:test";

import { followLobby, leaveLobby } from "../../../../client/web/pages/lobby/follow.js";
import { Seat, settle } from "../app/seat.mjs";

const LOBBY = {
  type: "lobby_state",
  players: [],
  seeks: [],
  rooms: [],
  tournaments: [],
  ratings: [],
  players_total: 0,
  seeks_total: 0,
  rooms_total: 0,
};

function answer(seat) {
  const asked = seat.asked();
  for (const { id, on } of asked) {
    seat.socket.tell(on === false ? { type: "done", id } : { ...LOBBY, id });
  }
  return asked.map(({ type, on }) => [type, on !== false]);
}

async function inLobby() {
  const seat = new Seat();
  seat.welcome();
  const stop = followLobby(seat.app, () => {});
  await settle();
  assert.deepEqual(answer(seat), [["follow_lobby", true]]);
  assert.notEqual(seat.app.session.lobby, null);
  return { seat, stop };
}

test("who leaves the lobby follows it no longer", async () => {
  const { seat, stop } = await inLobby();
  stop();
  leaveLobby(seat.app);
  assert.deepEqual(answer(seat), [["follow_lobby", false]]);
  assert.equal(seat.app.session.lobby, null);
});

test("who leaves the lobby without a connection does not follow it afterwards", async () => {
  const { seat, stop } = await inLobby();
  seat.socket.end();
  stop();
  leaveLobby(seat.app);
  seat.timers.advance(1000);
  seat.welcome();
  answer(seat);
  assert.equal(seat.app.session.lobby, null);
});
