// Check how the app connects, and what it does with updates that no page waits for.

import assert from "node:assert/strict";
import { test } from "node:test";

import { followArrivals } from "../../../../client/web/app/arrivals.js";
import { followPlayer } from "../../../../client/web/app/same-player.js";
import { refused, roomState, snapshot } from "../../../node/server-messages.mjs";
import { Seat, settle } from "./seat.mjs";

const TAG = { tournament: "t1", pairing: 0, game: 0, attempt: 1 };

test("all who connect without a name wait for the same connection", async () => {
  const seat = new Seat({ known: false });
  const first = seat.app.connect();
  const second = seat.app.connect();
  const asked = seat.app.request({ type: "watch", room: "r1" });
  assert.equal(seat.sockets.length, 1);
  seat.welcome();
  assert.equal(await first, await second);
  await settle();
  seat.serve();
  assert.equal((await asked).room, "r1");
});

test("who connects without a name while a name is being asked for waits for that one", async () => {
  const seat = new Seat({ known: false });
  const named = seat.app.connect("Ann");
  const other = seat.app.connect();
  assert.equal(seat.welcome().name, "Ann");
  assert.equal(await named, await other);
  assert.equal(seat.sockets.length, 1);
});

test("what the host announces is kept until the host ends it", () => {
  const seat = new Seat();
  followArrivals(seat.app);
  seat.welcome();
  seat.socket.tell({ type: "announcement", text: "Restart at noon.", until_ms: 5000 });
  const { text, untilMs } = seat.app.announcement.value;
  assert.deepEqual([text, untilMs], ["Restart at noon.", 5000]);
  seat.socket.tell({ type: "announcement", text: "", until_ms: null });
  assert.equal(seat.app.announcement.value.text, "");
});

test("a guest whose name is taken gets another one", async () => {
  const seat = new Seat({ known: false });
  let drawn = 0.1;
  seat.app.random = () => (drawn += 0.1);
  const guest = seat.app.connect();
  seat.socket.open();
  const [hello] = seat.socket.take();
  seat.socket.tell(refused(hello.id, "name_taken", "The name is taken."));
  await settle();
  assert.notEqual(seat.welcome().name, hello.name);
  assert.equal((await guest).type, "welcome");
});

test("a player whose name and token are gone is asked for a name again", () => {
  const seat = new Seat();
  seat.welcome();
  assert.equal(seat.app.known.value, true);
  seat.socket.end();
  seat.timers.advance(5);
  seat.socket.open();
  let [hello] = seat.socket.take();
  seat.socket.tell(refused(hello.id, "bad_token"));
  seat.socket.open();
  [hello] = seat.socket.take();
  seat.socket.tell(refused(hello.id, "name_taken", "The name Ann is taken."));
  assert.equal(seat.app.link.state, "nameless");
  assert.equal(seat.app.known.value, false);
});

test("the message about a lost connection stays while it is tried again", async () => {
  const { connectionNotice } = await import("../../../../client/web/frame/connection.js");
  const seat = new Seat();
  seat.welcome();
  seat.socket.end();
  for (let attempt = 0; attempt < 5; attempt++) {
    assert.equal(seat.app.link.state, "lost");
    const { key, spoken } = connectionNotice(seat.app, seat.app.now());
    seat.timers.advance(5);
    assert.equal(seat.app.link.state, "connecting");
    const during = connectionNotice(seat.app, seat.app.now());
    assert.deepEqual([during.key, during.spoken], [key, spoken]);
    seat.socket.end();
  }
});

test("a match from an offer is announced to who plays another one", async () => {
  const seat = new Seat();
  followArrivals(seat.app);
  seat.welcome({ rooms: ["r1"] });
  seat.serve({ seat: 0 });
  seat.place.value = { name: "room", params: { id: "r1" } };
  const key = "k".repeat(20);
  const settings = snapshot().settings;
  const posted = seat.app.request({ type: "seek", key, settings, seat: null });
  const [{ id }] = seat.asked();
  seat.socket.tell({ type: "seek_posted", id, seek: "s1" });
  await posted;
  seat.socket.tell(roomState(null, { room: "r2", origin: "s1" }));
  assert.deepEqual(seat.paths, []);
  assert.match(seat.app.notices.first?.text ?? "", /Bob has begun/);
});

test("a tournament whose game waits for another match says so until it does not", () => {
  const seat = new Seat();
  followArrivals(seat.app);
  seat.welcome();
  const state = (busy, status = "running", next_ms = null) => ({
    type: "tournament_state",
    tournament: "t1",
    terms: { name: "Cup", format: "swiss", settings: snapshot().settings },
    owner: "Bob",
    status,
    next_ms,
    entrants: [{ player: "Ann", engine: "", state: "in", online: true, playing: 0, busy, place: 1, games: 0, points: 0, net: 0 }],
    entrants_total: 1,
    games_played: 0,
    games_planned: null,
  });
  const told = () => seat.app.notices.first?.text ?? "";
  seat.socket.tell(state(true, "open", Date.now() + 3_600_000));
  assert.equal(told(), "");
  seat.socket.tell(state(true, "open"));
  assert.match(told(), /Cup/);
  seat.socket.tell(state(false, "open"));
  assert.equal(told(), "");
  seat.socket.tell(state(true));
  assert.equal(told(), "Your game in Cup begins when the one that you play ends.");
  seat.socket.tell(state(false));
  assert.equal(told(), "");
  seat.socket.tell(state(true));
  seat.socket.tell(roomState(null, { room: "r2", snapshot: snapshot({ tag: TAG }) }));
  assert.match(told(), /Bob has begun/);
});

test("a match from an offer opens by itself when no other one is shown", async () => {
  const seat = new Seat();
  followArrivals(seat.app);
  seat.welcome();
  const settings = snapshot().settings;
  const posted = seat.app.request({ type: "seek", key: "k".repeat(20), settings, seat: null });
  const [{ id }] = seat.asked();
  seat.socket.tell({ type: "seek_posted", id, seek: "s1" });
  await posted;
  seat.socket.tell(roomState(null, { room: "r2", origin: "s1" }));
  assert.deepEqual(seat.paths, ["/room/r2"]);
});

test("a match that began without this tab opens where it is expected, in one tab", () => {
  const cases = [
    [{ name: "lobby", params: {} }, true, null, true],
    [{ name: "lobby", params: {} }, false, null, false],
    [{ name: "rules", params: {} }, true, null, false],
    [{ name: "tournament", params: { id: "t1" } }, true, TAG, true],
    [{ name: "tournament", params: { id: "t2" } }, true, TAG, false],
    [{ name: "tournament", params: { id: "t1" } }, true, null, false],
  ];
  for (const [place, voice, tag, goes] of cases) {
    const seat = new Seat();
    followArrivals(seat.app);
    seat.welcome();
    [seat.place.value, seat.voice.value] = [place, voice];
    seat.socket.tell(roomState(null, { room: "r2", origin: "s1", snapshot: snapshot({ tag }) }));
    assert.deepEqual(seat.paths, goes ? ["/room/r2"] : []);
    assert.match(seat.app.notices.first.text, /Bob has begun/); // a page that shows the room closes it
  }
});

test("the tabs of a browser are at the same player", () => {
  let reloads = 0;
  const window = Object.assign(new EventTarget(), { location: { reload: () => (reloads += 1) } });
  const seat = new Seat({ known: false });
  followPlayer(seat.app, window);
  seat.keep("identity", { name: "Ann", token: "token-of-ann-0123456789" });
  assert.equal(seat.welcome().token, "token-of-ann-0123456789");
  seat.keep("identity", { name: "Ann", token: "another-token-0123456789" });
  assert.deepEqual([seat.app.identity.token, reloads], ["another-token-0123456789", 0]);
  seat.socket.end(4005);
  seat.keep("identity", { name: "Ann", token: "latest-token-0123456789" });
  assert.equal(seat.welcome().token, "latest-token-0123456789");
  seat.keep("identity", { name: "Bea", token: "token-of-bea-0123456789" });
  assert.equal(reloads, 1);
  seat.kept.clear();
  window.dispatchEvent(Object.assign(new Event("pageshow"), { persisted: true }));
  assert.equal(reloads, 2);
});

test("a tab that asks for a name becomes the player of another tab", async () => {
  const seat = new Seat({ known: false });
  seat.kept.set("doublecross.identity", '{"name":"Ann","token":"token-of-ann-0123456789"}');
  const connected = seat.app.connect("Cleo");
  assert.equal(seat.welcome().token, "token-of-ann-0123456789");
  assert.equal((await connected).player.name, "Ann");
  assert.equal(seat.app.me.value, "Ann");
});

test("offers that led to a match are forgotten", async () => {
  const seat = new Seat();
  const followed = followArrivals(seat.app);
  seat.welcome();
  const settings = snapshot().settings;
  for (let at = 0; at < 5; at++) {
    const key = `${at}`.repeat(20);
    const posted = seat.app.request({ type: "seek", key, settings, seat: null });
    const [{ id }] = seat.asked().filter(({ type }) => type === "seek");
    seat.socket.tell({ type: "seek_posted", id, seek: `s${at}` });
    await posted;
    assert.equal(followed.size, 1);
    seat.socket.tell(roomState(null, { room: `r${at}`, origin: `s${at}` }));
  }
  assert.equal(followed.size, 0);
});

test("a guest chooses a name before somebody else sees it", async () => {
  const seat = new Seat({ known: false });
  const { app } = seat;
  const watching = app.request({ type: "watch", room: "r1" });
  seat.welcome();
  await settle();
  seat.serve();
  await watching;
  assert.equal(app.named, false);
  const refused = assert.rejects(app.request({ type: "quick_match", key: "k", settings: {} }), /./);
  await settle();
  assert.equal(app.dialog.value, "name");
  app.naming(false);
  await refused;
  const asked = app.request({ type: "join_room", room: "r1", code: null });
  await settle();
  app.identity.lend(false); // the person agrees to the guest's name
  app.naming(true);
  await settle();
  seat.serve();
  assert.equal((await asked).room, "r1");
  assert.equal(app.named, true);
});
