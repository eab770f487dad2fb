// Keep the second person at one screen connected.

import assert from "node:assert/strict";
import { test } from "node:test";

import { fakeSockets } from "../../../node/fake-socket.mjs";
import { welcome } from "../../../node/server-messages.mjs";
import { Seat } from "../app/seat.mjs";

test("the second person's connection is checked when the computer wakes up", async (t) => {
  // The link uses real timers, and node would wait for its ten seconds to connect.
  t.mock.timers.enable({ apis: ["setTimeout", "setInterval"] });
  const { FakeSocket, sockets } = fakeSockets();
  const window = new EventTarget();
  window.document = new EventTarget();
  Object.assign(globalThis, { window, WebSocket: FakeSocket, location: { origin: "http://server" } });
  const { dropGuest, guestIn } = await import("../../../../client/web/models/room/hot-seat.js");
  const seat = new Seat();
  seat.welcome();
  seat.app.storage.set("hotSeats", { r1: "Cleo" });
  seat.app.storage.set("guest.cleo", { name: "Cleo", token: "token-of-cleo-123456" });
  const link = guestIn(seat.app, "r1");
  const [socket] = sockets;
  socket.open();
  const [hello] = socket.take();
  assert.equal(hello.token, "token-of-cleo-123456");
  socket.tell(welcome(hello.id, { player: { name: "Cleo", kind: "human", engine: null } }));
  socket.take();
  window.dispatchEvent(new Event("online"));
  assert.deepEqual(socket.take().map(({ type }) => type), ["ping"]);
  const left = dropGuest(seat.app, "r1");
  const [{ id }] = socket.take();
  socket.tell({ type: "done", id });
  await left;
  assert.equal(link.ending, "closed");
});
