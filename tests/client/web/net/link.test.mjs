// Check the link: connecting, reconnecting, answers, and everything that ends it.

import assert from "node:assert/strict";
import { test } from "node:test";

import { LinkEnded, RequestRefused, RequestTimeout } from "../../../../client/web/core/errors.js";
import { Identity } from "../../../../client/web/net/identity.js";
import { Link } from "../../../../client/web/net/link.js";
import { fakeSockets } from "../../../node/fake-socket.mjs";
import { FakeTimers } from "../../../node/fake-time.mjs";
import { LIMITS, refused, roomState, welcome } from "../../../node/server-messages.mjs";

const RECORD = { type: "get_record", game_id: "g1" };

class Store extends Map {}

class Talk {
  constructor({ kept = { name: "Ann", token: "token-of-ann-0123456789" }, store, ...options } = {}) {
    const { FakeSocket, sockets } = fakeSockets();
    this.sockets = sockets;
    this.store = store ?? new Store(kept ? [["identity", kept]] : []);
    this.timers = new FakeTimers();
    this.updates = [];
    this.outdated = [];
    this.link = new Link({
      url: "ws://server/socket",
      identity: new Identity(this.store),
      onUpdates: (updates) => this.updates.push(...updates),
      onOutdated: (version) => this.outdated.push(version),
      random: () => 0.5,
      timers: this.timers,
      WebSocket: FakeSocket,
      ...options,
    });
    this.link.start();
  }

  get socket() {
    return this.sockets.at(-1);
  }

  /** Accept the latest connection and return its hello. */
  accept() {
    this.socket.open();
    const [hello] = this.socket.take();
    return hello;
  }

  welcome(changes) {
    const hello = this.accept();
    this.socket.tell(welcome(hello.id, changes));
    return hello;
  }

  /** Return the updates since the last call, without those of the link's state. */
  take() {
    return this.updates.splice(0).filter((update) => update.kind !== "link");
  }
}

function connected(options) {
  const talk = new Talk(options);
  talk.welcome();
  return talk;
}

function record(id) {
  return { type: "record", id, game_id: "g1", text: "x" };
}

// -- hello ----------------------------------------------------------------------------------------

test("a known player says hello with the token", () => {
  const talk = new Talk();
  assert.equal(talk.link.state, "connecting");
  const hello = talk.accept();
  assert.deepEqual(talk.socket.protocols, ["doublecross.v1.json"]);
  assert.deepEqual(hello, {
    type: "hello",
    id: 1,
    protocol: 2,
    kind: "human",
    client: "web",
    boards: true,
    takebacks: true,
    name: null,
    token: "token-of-ann-0123456789",
    key: null,
  });
  talk.socket.tell(welcome(hello.id));
  assert.equal(talk.link.state, "connected");
  assert.equal(talk.link.session.player.name, "Ann");
});

test("a socket that is open already is greeted at once", () => {
  const { FakeSocket, sockets } = fakeSockets();
  const open = Object.assign(new FakeSocket("ws://server/socket", []), { readyState: 1, opened: true });
  const talk = new Talk({ WebSocket: new Proxy(FakeSocket, { construct: () => open }) });
  assert.equal(sockets[0].take()[0].type, "hello");
  talk.link.close();
});

test("without a name it waits for one", async () => {
  const talk = new Talk({ kept: null });
  assert.equal(talk.link.state, "nameless");
  assert.equal(talk.sockets.length, 0);
  const signedIn = talk.link.signIn("Ann");
  const hello = talk.welcome();
  assert.equal(hello.name, "Ann");
  assert.equal(hello.token, null);
  assert.ok(hello.key.length >= 16);
  assert.equal((await signedIn).player.name, "Ann");
  assert.deepEqual(talk.store.get("identity").token, "token-of-ann-0123456789");
});

test("a name that was kept without a token signs in by itself, with the same key each time", () => {
  const talk = new Talk({ kept: { name: "Ann" } });
  const first = talk.accept();
  talk.socket.end();
  talk.timers.advance(5);
  const second = talk.welcome();
  assert.equal(first.name, "Ann");
  assert.equal(second.key, first.key);
  assert.notEqual(second.id, first.id);
});

test("a name that is taken is refused to who asked for it", async () => {
  const talk = new Talk({ kept: null });
  const signedIn = talk.link.signIn("Bob");
  talk.socket.tell(refused(talk.accept().id, "name_taken", "The name Bob is taken."));
  await assert.rejects(signedIn, (error) => {
    assert.ok(error instanceof RequestRefused);
    assert.deepEqual([error.code, error.sentence], ["name_taken", "The name Bob is taken."]);
    return true;
  });
  assert.equal(talk.link.state, "nameless");
  assert.equal(talk.store.get("identity"), undefined);
});

test("a second choice of a name ends the first one", async () => {
  const talk = new Talk({ kept: null });
  const first = talk.link.signIn("Ann");
  const second = talk.link.signIn("Zoe");
  await assert.rejects(first, LinkEnded);
  assert.equal(talk.welcome().name, "Zoe");
  await second;
});

test("a refused name leaves the player who was there before", async () => {
  const talk = connected();
  const answer = talk.link.request(RECORD);
  const signedIn = talk.link.signIn("Bob");
  talk.socket.tell(refused(talk.accept().id, "name_taken"));
  await assert.rejects(signedIn, RequestRefused);
  assert.equal(talk.welcome().token, "token-of-ann-0123456789");
  talk.socket.tell(record(talk.socket.take()[0].id));
  assert.equal((await answer).text, "x");
});

test("another player gets a new session, and old requests fail", async () => {
  const talk = connected();
  const session = talk.link.session;
  const answer = talk.link.request(RECORD);
  const signedIn = talk.link.signIn("Zoe");
  talk.welcome({ player: { name: "Zoe", kind: "human", engine: null }, token: "z".repeat(20) });
  assert.equal((await signedIn).player.name, "Zoe");
  await assert.rejects(answer, LinkEnded);
  assert.notEqual(talk.link.session, session);
  assert.equal(talk.link.session.player.name, "Zoe");
  assert.deepEqual(talk.socket.take(), []);
});

test("a token that the server does not know leads to a new player of the same name", () => {
  const talk = new Talk();
  talk.socket.tell(refused(talk.accept().id, "bad_token"));
  const [update] = talk.take();
  assert.equal(update.kind, "playerForgotten");
  const hello = talk.welcome({ token: "another-token-0123456789" });
  assert.deepEqual([hello.name, hello.token], ["Ann", null]);
  assert.equal(talk.store.get("identity").token, "another-token-0123456789");
});

test("a forgotten player whose name somebody else has must choose another one", () => {
  const talk = new Talk();
  talk.socket.tell(refused(talk.accept().id, "bad_token"));
  talk.socket.tell(refused(talk.accept().id, "name_taken", "The name Ann is taken."));
  assert.deepEqual([talk.link.state, talk.link.sentence], ["nameless", "The name Ann is taken."]);
});

test("a login that has ended is forgotten, and nobody joins under that name by itself", () => {
  for (const code of ["bad_token", "token_expired"]) {
    const kept = { name: "Ann", token: "token-of-ann-0123456789", account: true };
    const talk = new Talk({ kept });
    talk.socket.tell(refused(talk.accept().id, code));
    assert.deepEqual(talk.take(), [{ kind: "loginEnded" }]);
    assert.equal(talk.link.state, "nameless");
    assert.equal(talk.store.get("identity"), undefined);
    assert.equal(talk.sockets.length, 1);
  }
});

test("the reason for an end comes before it, as a close frame is short", () => {
  const talk = connected();
  const phrase = { one: "Your name is {to} now; connect again.", values: { to: "Cy" } };
  talk.socket.tell({ type: "error", id: null, code: "ended", message: "Your name is Cy now; connect again.", phrase });
  talk.socket.end(4005, "Your name ...");
  assert.equal(talk.link.sentence, "Your name is Cy now; connect again.");
});

test("a revoked token ends the link, which keeps the token until somebody tries again", () => {
  const talk = connected();
  talk.socket.end(4005, "Your account was deleted.");
  const { state, ending, sentence } = talk.link;
  assert.deepEqual([state, ending], ["ended", "revoked"]);
  assert.equal(sentence, "Your account was deleted.");
  talk.timers.advance(600);
  assert.equal(talk.sockets.length, 1);
  talk.link.takeOver();
  assert.equal(talk.welcome().token, "token-of-ann-0123456789");
});

test("the reason of an ended login may be a sentence, or missing", () => {
  for (const [reason, sentence] of [
    ["An admin has ended your connection: spam", "An admin has ended your connection: spam"],
    ["", "The server has ended this login."],
  ]) {
    const talk = connected();
    talk.socket.end(4005, reason);
    assert.equal(talk.link.sentence, sentence);
  }
});

test("a login enters with its token; a refused one leaves the player who was there before", async () => {
  const talk = connected();
  const entered = talk.link.enter({ name: null, token: "token-of-zoe-0123456789", key: null });
  const player = { name: "Zoe", kind: "human", engine: null };
  const hello = talk.welcome({ player, token: "token-of-zoe-0123456789" });
  assert.deepEqual([hello.name, hello.token], [null, "token-of-zoe-0123456789"]);
  assert.equal((await entered).player.name, "Zoe");
  const again = talk.link.enter({ name: null, token: "wrong", key: null });
  talk.socket.tell(refused(talk.accept().id, "bad_token"));
  await assert.rejects(again, RequestRefused);
  assert.equal(talk.welcome().token, "token-of-zoe-0123456789");
});

test("who leaves has no player, and old requests fail", async () => {
  const talk = connected();
  const answer = talk.link.request(RECORD);
  talk.link.leave();
  await assert.rejects(answer, LinkEnded);
  assert.deepEqual([talk.link.state, talk.link.session.player], ["nameless", null]);
  talk.timers.advance(60);
  assert.equal(talk.sockets.length, 1);
});

test("a server that refuses for now is asked again", () => {
  const talk = new Talk();
  talk.socket.tell(refused(talk.accept().id, "storage_failed", "The storage does not answer."));
  assert.deepEqual([talk.link.state, talk.link.sentence], ["lost", "The storage does not answer."]);
  talk.timers.advance(5);
  talk.welcome();
  assert.deepEqual([talk.link.state, talk.link.sentence], ["connected", ""]);
});

test("a server of another protocol and another page version ask for a new page", () => {
  const old = new Talk();
  old.socket.tell(refused(old.accept().id, "unsupported_version"));
  assert.deepEqual([old.link.state, old.link.ending, old.outdated], ["ended", "outdated", [null]]);
  const talk = new Talk({ page: "abc" });
  talk.welcome({ page: "abc" });
  assert.deepEqual(talk.outdated, []);
  talk.socket.end();
  talk.timers.advance(5);
  talk.welcome({ page: "def" });
  assert.deepEqual([talk.link.state, talk.outdated], ["connected", ["def"]]);
});

test("an unknown or unreadable message before the welcome is ignored", () => {
  const talk = new Talk();
  const { id } = talk.accept();
  talk.socket.tell({ type: "weather", id: 5 });
  talk.socket.tell("{");
  talk.socket.tell(welcome(id + 1));
  assert.equal(talk.link.state, "connecting");
  talk.socket.tell(welcome(id));
  assert.equal(talk.link.state, "connected");
});

// -- requests -------------------------------------------------------------------------------------

test("an unreadable answer is a refusal", async () => {
  const talk = connected();
  const answer = talk.link.request(RECORD);
  const [{ id }] = talk.socket.take();
  talk.socket.tell({ type: "record", id, game_id: "g1" });
  await assert.rejects(answer, { code: "unreadable_answer" });
});

test("a request that is longer than the server's limit is refused and not sent", async () => {
  const talk = connected();
  talk.socket.take();
  const long = talk.link.request({ ...RECORD, code: "é".repeat(LIMITS.frame_bytes / 2) });
  await assert.rejects(long, { code: "bad_message", message: /the server takes up to/ });
  assert.deepEqual(talk.socket.take(), []);
});

test("a request that is made before the connection waits for it", async () => {
  const talk = new Talk({ kept: null });
  const answer = talk.link.request(RECORD);
  talk.link.signIn("Ann");
  talk.welcome();
  talk.socket.tell(record(talk.socket.take()[0].id));
  assert.equal((await answer).text, "x");
});

test("a request fails after its deadline, and gets more time when the computer slept", async () => {
  const talk = connected();
  const answer = talk.link.request(RECORD, 3);
  talk.timers.advance(3);
  await assert.rejects(answer, RequestTimeout);
  const slow = talk.link.request(RECORD, 3);
  const { id } = talk.socket.take().at(-1);
  talk.timers.sleep(1000);
  talk.timers.advance(3);
  talk.socket.tell(record(id));
  assert.equal((await slow).text, "x");
  const never = talk.link.request(RECORD, 3);
  talk.timers.sleep(1000);
  talk.timers.advance(3);
  talk.timers.advance(30);
  await assert.rejects(never, RequestTimeout);
});

test("requests keep to the server's rate", () => {
  const talk = new Talk();
  talk.welcome({ limits: { ...LIMITS, messages_per_s: 10 } });
  for (let n = 0; n < 12; n++) talk.link.request(RECORD).catch(() => {});
  assert.equal(talk.socket.take().length, 9);
  talk.timers.advance(0.12);
  assert.equal(talk.socket.take().length, 1);
  talk.timers.advance(1);
  assert.equal(talk.socket.take().length, 2);
});

test("too many requests without an answer are refused", async () => {
  const talk = connected();
  for (let n = 0; n < 4096; n++) talk.link.request(RECORD).catch(() => {});
  await assert.rejects(talk.link.request(RECORD), { code: "too_many" });
});

test("a refusal for now is sent again after a delay", async () => {
  const talk = connected();
  const answer = talk.link.request(RECORD);
  const [{ id }] = talk.socket.take();
  talk.socket.tell(refused(id, "rate_limited"));
  assert.deepEqual(talk.socket.take(), []);
  talk.timers.advance(1);
  assert.equal(talk.socket.take()[0].id, id);
  talk.socket.tell(record(id));
  assert.equal((await answer).text, "x");
});

// -- lost connections -----------------------------------------------------------------------------

test("it reconnects after growing delays, and again soon after a stable connection", () => {
  const talk = new Talk();
  const delays = [];
  for (let n = 0; n < 6; n++) {
    talk.socket.end();
    delays.push(talk.link.nextTryAt - talk.timers.now());
    talk.timers.advance(delays.at(-1));
    assert.equal(talk.link.state, "connecting");
  }
  delays.forEach((delay, n) => assert.ok(Math.abs(delay - Math.min(2, 0.1 * 2 ** n)) < 1e-9));
  assert.equal(talk.link.sentence, "The server does not answer.");
  talk.welcome();
  talk.timers.advance(2);
  talk.socket.end(1012);
  assert.ok(talk.link.nextTryAt - talk.timers.now() < 0.11);
  assert.equal(talk.link.sentence, "The connection to the server was lost.");
});

test("a page whose node is gone goes on at another one, and round and round", async () => {
  const own = "ws://server/socket";
  const talk = connected({ page: "p1", random: () => 0.25 });
  const { link, sockets, timers } = talk;
  const servers = ["ws://b:1", "wss://c:1", "ws://d:1"];
  const lose = () => {
    talk.socket.end();
    timers.advance(1);
    talk.welcome({ servers, page: "p2" });
  };
  lose(); // there is only one address yet
  assert.equal(talk.socket.url, own);
  assert.deepEqual(talk.outdated.splice(0), ["p2"]);
  const answer = link.request(RECORD);
  talk.socket.end();
  assert.ok(link.nextTryAt > timers.now());
  const before = sockets.length;
  for (let tries = 0; tries < 6; tries++) {
    const delay = link.nextTryAt - timers.now();
    assert.equal(delay === 0, tries % 3 !== 0, "between two delays all are tried");
    timers.advance(delay);
    if (tries < 5) talk.socket.end();
  }
  const tried = sockets.slice(before).map(({ url }) => url);
  assert.deepEqual(tried.slice(0, 3).toSorted(), ["ws://b:1", "ws://d:1", own]);
  assert.equal(tried[2], own, "the one that broke comes last");
  assert.deepEqual(tried.slice(0, 3), tried.slice(3));
  talk.socket.end();
  timers.advance(link.nextTryAt - timers.now());
  const { token } = talk.welcome({ servers, page: "p2" });
  assert.equal(token, "token-of-ann-0123456789");
  assert.notEqual(talk.socket.url, own);
  assert.deepEqual(talk.outdated, [], "another node may have another page");
  const [sent] = talk.socket.take();
  talk.socket.tell(record(sent.id));
  assert.equal((await answer).text, "x");
  const secure = connected({ url: "wss://server/socket" });
  secure.socket.end();
  timers.advance(1);
  secure.timers.advance(1);
  secure.welcome({ servers });
  secure.socket.end();
  secure.timers.advance(1);
  assert.equal(secure.socket.url, "wss://c:1");
});

test("an attempt without a welcome ends after a while", () => {
  const talk = new Talk();
  const first = talk.socket;
  first.open();
  talk.timers.advance(10);
  assert.ok(first.closed);
  assert.equal(talk.link.state, "lost");
});

test("rooms are brought up to date after a reconnect", () => {
  const talk = connected();
  const watch = talk.link.request({ type: "watch", room: "r1" });
  talk.socket.tell(roomState(talk.socket.take()[0].id));
  talk.take();
  talk.socket.end();
  talk.timers.advance(5);
  talk.welcome({ epoch: "e2" });
  assert.deepEqual(talk.take(), [{ kind: "reconnected", epochChanged: true }]);
  const [resume] = talk.socket.take();
  assert.deepEqual([resume.type, resume.room, resume.seq], ["resume", "r1", 4]);
  return watch;
});

test("it pings, and breaks a connection whose server does not answer", () => {
  const talk = connected();
  talk.timers.advance(10);
  const [ping] = talk.socket.take();
  assert.equal(ping.type, "ping");
  talk.socket.tell({ type: "pong", id: ping.id });
  talk.timers.advance(10);
  assert.equal(talk.socket.take()[0].type, "ping");
  talk.timers.advance(20);
  assert.equal(talk.link.state, "connected");
  talk.timers.advance(10);
  assert.ok(talk.sockets[0].closed);
  assert.notEqual(talk.link.state, "connected");
});

test("it pings more often for an impatient server, and bears a limit of 0", () => {
  const talk = new Talk();
  talk.welcome({ limits: { ...LIMITS, silence_ms: 4000 } });
  talk.timers.advance(2);
  assert.equal(talk.socket.take().length, 1);
  const other = new Talk();
  other.welcome({ limits: { ...LIMITS, silence_ms: 0 } });
  other.timers.advance(9);
  assert.deepEqual(other.socket.take(), []);
});

test("a check finds out within seconds whether the connection works", () => {
  const talk = connected();
  talk.link.check();
  talk.link.check();
  const [ping, ...more] = talk.socket.take();
  assert.deepEqual(more, []);
  talk.socket.tell({ type: "pong", id: ping.id });
  talk.timers.advance(5);
  assert.equal(talk.link.state, "connected");
  talk.link.check();
  talk.timers.advance(4);
  assert.equal(talk.link.state, "lost");
});

test("after a sleep of the computer the connection is checked", () => {
  const talk = connected();
  talk.timers.sleep(600);
  talk.timers.advance(10);
  assert.equal(talk.socket.take().length, 1);
  talk.timers.advance(4);
  assert.equal(talk.link.state, "lost");
  const awake = connected();
  awake.timers.sleep(600);
  awake.timers.advance(10);
  awake.socket.tell({ type: "pong", id: awake.socket.take()[0].id });
  awake.timers.advance(8);
  assert.equal(awake.link.state, "connected");
});

test("after a sleep of the computer the clocks of matches in play are asked for", () => {
  const talk = connected();
  talk.link.request({ type: "watch", room: "r1" });
  talk.socket.tell(roomState(talk.socket.take()[0].id));
  talk.timers.sleep(30);
  talk.timers.advance(10);
  const [resume, ping] = talk.socket.take();
  assert.deepEqual([resume.type, resume.seq, ping.type], ["resume", 4, "ping"]);
  const clock = { clock_ms: [20_000, 60_000], clock_runs: true };
  talk.socket.tell(roomState(resume.id, { snapshot: null, events: [], ...clock }));
  assert.deepEqual(talk.link.session.rooms.get("r1").clock.ms, [20_000, 60_000]);
});

test("a check of a lost connection tries at once", () => {
  const talk = connected();
  talk.socket.end();
  talk.link.check();
  assert.equal(talk.link.state, "connecting");
  const count = talk.sockets.length;
  talk.timers.advance(5); // the earlier timer must not open another one
  assert.equal(talk.sockets.length, count);
});

test("an announcement of the host arrives", () => {
  const talk = connected();
  talk.socket.tell({ type: "announcement", text: "Back at ten.", until_ms: 5 });
  assert.deepEqual(talk.take(), [{ kind: "announcement", text: "Back at ten.", untilMs: 5 }]);
});

test("a server that shuts down says so", () => {
  const talk = connected();
  talk.socket.tell({ type: "closing", grace_ms: 500 });
  assert.deepEqual(talk.take(), [{ kind: "closing", graceMs: 500 }]);
  assert.match(talk.link.sentence, /shutting down/);
  talk.socket.end(1012);
  talk.timers.advance(5);
  talk.welcome();
  assert.equal(talk.link.sentence, "");
});

test("a page that rests connects again when it is looked at", async () => {
  const talk = connected();
  const answer = talk.link.request(RECORD);
  talk.link.rest();
  assert.ok(talk.socket.closed);
  talk.timers.advance(100);
  assert.equal(talk.sockets.length, 1);
  talk.link.check();
  talk.welcome();
  const { id } = talk.socket.take().find(({ type }) => type === "get_record");
  talk.socket.tell({ type: "error", id, code: "unknown_record", message: "No." });
  await assert.rejects(answer, RequestRefused);
});

test("tabs whose player the server has forgotten become one new player", () => {
  const first = new Talk();
  const tabs = [first, new Talk({ store: first.store }), new Talk({ store: first.store })];
  const hellos = tabs.map((talk) => talk.accept());
  tabs.forEach((talk, at) => talk.socket.tell(refused(hellos[at].id, at < 2 ? "bad_token" : "name_taken")));
  const keys = tabs.map((talk) => talk.accept().key);
  assert.deepEqual([keys[0] === null, keys[1], keys[2]], [false, keys[0], keys[0]]);
});

// -- the end --------------------------------------------------------------------------------------

test("one connection too many is ended until the person connects again", async () => {
  const talk = connected();
  const answer = talk.link.request(RECORD);
  talk.socket.end(4001);
  assert.deepEqual([talk.link.state, talk.link.ending], ["ended", "replaced"]);
  await assert.rejects(answer, LinkEnded);
  await assert.rejects(talk.link.request(RECORD), LinkEnded);
  talk.link.check();
  talk.link.retryNow();
  talk.timers.advance(1000);
  assert.equal(talk.sockets.length, 1);
  talk.link.takeOver();
  talk.welcome();
  assert.deepEqual([talk.link.state, talk.link.ending], ["connected", null]);
});

test("a server that disconnects for good says why", () => {
  const talk = connected();
  talk.socket.end(4002, "Too late.");
  assert.deepEqual([talk.link.ending, talk.link.sentence], ["refused", "Too late."]);
  const flood = connected();
  flood.socket.end(4003);
  assert.equal(flood.link.ending, "refused");
});

test("nothing waits or runs after the link is closed", async () => {
  const talk = connected();
  const answers = [talk.link.request(RECORD), talk.link.request(RECORD)];
  talk.link.close();
  for (const answer of answers) await assert.rejects(answer, LinkEnded);
  assert.ok(talk.socket.closed);
  talk.timers.advance(1000);
  assert.equal(talk.timers.alarms, 0);
  assert.equal(talk.sockets.length, 1);
  talk.link.takeOver();
  assert.equal(talk.link.state, "ended");
  const waiting = new Talk({ kept: null });
  const signedIn = waiting.link.signIn("Ann");
  waiting.link.close();
  await assert.rejects(signedIn, LinkEnded);
});
