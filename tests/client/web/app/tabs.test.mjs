// Check when a tab needs the connection, and what the app does without it.

import assert from "node:assert/strict";
import { test } from "node:test";

import { LinkEnded } from "../../../../client/web/core/errors.js";
import { shareConnection, use } from "../../../../client/web/app/tabs.js";
import { fakeChannels, FakeLocks } from "../../../node/fake-tabs.mjs";
import { Seat, settle } from "./seat.mjs";

const MATCH = { room: "r1", name: "Bob" };

/** A person who plays in the room `r1`, at the page `name`. */
async function playing(name) {
  const seat = new Seat();
  seat.welcome({ rooms: ["r1"] });
  seat.serve({ seat: 0 });
  await settle();
  seat.place.value = { name, params: { id: "r1" } };
  return seat;
}

test("a tab needs the connection for the match that it shows", async () => {
  assert.deepEqual(use((await playing("room")).app, false), { needed: true, match: MATCH });
  assert.deepEqual(use((await playing("rules")).app, true), { needed: false, match: MATCH });
});

test("a tab needs the connection for what is watched in it", () => {
  const seat = new Seat();
  seat.welcome({ rooms: ["r1"] });
  seat.serve();
  seat.place.value = { name: "room", params: { id: "r1" } };
  assert.equal(use(seat.app, true).needed, true);
  assert.equal(use(seat.app, false).needed, false);
  seat.place.value = { name: "lobby", params: {} };
  assert.equal(use(seat.app, true).needed, false);
});

/** Let a seat share its connection; return what dispatches an event of its window or document. */
function share(seat, { Channel = fakeChannels(), locks } = {}) {
  const heard = new Map();
  const listen = { addEventListener: (name, call) => heard.set(name, call) };
  const document = { ...listen, visibilityState: "visible" };
  const window = { ...listen, document, BroadcastChannel: Channel, navigator: { locks } };
  shareConnection(seat.app, window, seat.timers);
  return (name, state = "visible") => {
    document.visibilityState = state;
    heard.get(name)();
  };
}

test("a page that is closed keeps no lease, although it becomes hidden afterwards", async () => {
  const seat = new Seat();
  const dispatch = share(seat);
  await settle();
  assert.ok(seat.kept.has("doublecross.lease.connection"));
  dispatch("pagehide");
  await settle();
  dispatch("visibilitychange", "hidden");
  await settle();
  assert.ok(!seat.kept.has("doublecross.lease.connection"));
});

test("tabs that new visitors open together make one player", async () => {
  const browser = { Channel: fakeChannels(), locks: new FakeLocks() };
  const kept = new Map();
  const visitors = [1, 2].map(() => {
    const seat = new Seat({ known: false, kept });
    share(seat, browser);
    return seat;
  });
  const [first, second] = visitors;
  const welcome = first.app.connect();
  const refused = second.app.connect("Cleo");
  await assert.rejects(refused, LinkEnded);
  assert.equal(second.app.link.sentence, "Doublecross is open in another tab.");
  first.welcome();
  await welcome;
  assert.equal(second.sockets.length, 0);
  second.app.useHere();
  await settle();
  assert.deepEqual([second.welcome().token !== null, first.app.link.ending], [true, "elsewhere"]);
  assert.ok(first.socket.closed);
  assert.equal(JSON.parse(kept.get("doublecross.identity")).name, "Ann");
});
