// Check the queue of requests: when each is sent, and which answer belongs to it.

import assert from "node:assert/strict";
import { test } from "node:test";

import { RequestQueue } from "../../../../client/web/core/requests.js";
import { LOST_PHRASE } from "../../../../client/web/core/resend.js";
import { Session } from "../../../../client/web/core/session.js";
import {
  finished,
  move,
  refused,
  roomState,
  snapshot,
  started,
  welcome,
} from "../../../node/server-messages.mjs";

const RECORD = { type: "get_record", game_id: "g1" };

const LOBBY = {
  type: "lobby_state",
  players: [],
  seeks: [],
  rooms: [],
  tournaments: [],
  ratings: [],
};

class Talk {
  constructor() {
    this.session = new Session();
    this.queue = new RequestQueue(this.session, () => 0.5);
    this.now = 100;
  }

  connect(...rooms) {
    this.queue.end();
    this.session.receive(welcome(1, { rooms }), this.now);
    this.queue.begin();
    return this;
  }

  /** Return all requests that are due now. */
  sent() {
    const found = [];
    for (let r = this.queue.nextToSend(this.now); r; r = this.queue.nextToSend(this.now)) {
      found.push(r);
    }
    return found;
  }

  receive(message) {
    return this.queue.receive(message, this.now);
  }

  follow(changes = {}, code = null) {
    this.queue.add({ type: "watch", room: "r1", code });
    this.receive(roomState(this.sent()[0].id, changes));
    this.queue.takeAnswers();
    return this;
  }
}

const talking = () => new Talk().connect();
const record = (id) => ({ type: "record", id, game_id: "g1", text: "x" });

test("a dropped request is not sent and does not stop those behind it", () => {
  const talk = talking();
  const [first, second] = [talk.queue.add(RECORD), talk.queue.add(RECORD)];
  talk.queue.drop(first.id);
  talk.queue.drop(first.id);
  assert.deepEqual(talk.sent(), [second]);
  talk.receive(record(first.id));
  assert.deepEqual(talk.queue.takeAnswers(), []);
});

test("one ping at a time shows how long the server is silent", () => {
  const talk = talking();
  talk.queue.ping();
  talk.queue.ping();
  assert.equal(talk.queue.unansweredSince, null);
  const [ping, ...more] = talk.sent();
  assert.deepEqual([ping.type, more], ["ping", []]);
  talk.now = 105;
  talk.queue.ping();
  assert.deepEqual(talk.sent(), []);
  assert.equal(talk.queue.unansweredSince, 100);
  talk.receive({ type: "pong", id: ping.id });
  assert.equal(talk.queue.unansweredSince, null);
  assert.deepEqual(talk.queue.takeAnswers(), []);
});

test("a person who pings does not stop the client's own ping", () => {
  const talk = talking();
  talk.queue.add({ type: "ping" });
  talk.queue.ping();
  assert.equal(talk.sent().length, 2);
  const own = Math.max(...talk.queue.pending.keys());
  talk.receive({ type: "pong", id: own });
  assert.equal(talk.queue.unansweredSince, null);
});

test("a ping that the server put off is a sign of life", () => {
  const talk = talking();
  talk.queue.ping();
  talk.receive(refused(talk.sent()[0].id, "rate_limited"));
  assert.equal(talk.queue.unansweredSince, null);
});

for (const code of ["storage_failed", "rate_limited", "closing"]) {
  test(`${code} repeats the request after a growing delay`, () => {
    const talk = talking();
    const request = talk.queue.add(RECORD);
    const waits = [];
    for (let n = 0; n < 8; n++) {
      assert.deepEqual(talk.sent(), [request]);
      talk.receive(refused(request.id, code));
      assert.deepEqual(talk.queue.takeAnswers(), []);
      const wait = talk.queue.waitS(talk.now);
      waits.push(wait);
      talk.now += wait / 2;
      assert.deepEqual(talk.sent(), []);
      talk.now += wait / 2;
      assert.equal(talk.queue.waitS(talk.now), 0);
    }
    waits.forEach((wait, n) => {
      assert.ok(Math.abs(wait - (0.05 + 0.5 * Math.min(5, 0.1 * 2 ** (n + 1)))) < 1e-6);
    });
  });
}

for (const code of ["storage_failed", "rate_limited", "closing"]) {
  test(`${code} does not say a phrase later`, () => {
    const talk = talking();
    const { id } = talk.queue.add({ type: "say_phrase", room: "r1", match: 1, phrase: "oops" });
    talk.sent();
    const failed = refused(id, code);
    assert.deepEqual(talk.receive(failed), []);
    assert.deepEqual(talk.queue.takeAnswers(), [[id, failed]]);
    assert.equal(talk.queue.waitS(talk.now), null);
  });
}

test("a phrase is never said a second time after a lost connection", () => {
  const talk = talking();
  const { id } = talk.queue.add({ type: "say_phrase", room: "r1", match: 1, phrase: "oops" });
  talk.sent();
  talk.connect();
  assert.deepEqual(talk.sent(), []);
  const [[answered, failed]] = talk.queue.takeAnswers();
  assert.deepEqual([answered, failed.code, failed.message], [id, "wrong_state", LOST_PHRASE]);
});

test("the next connection sends delayed requests at once, and each request once", () => {
  const talk = talking();
  const request = talk.queue.add(RECORD);
  talk.sent();
  talk.receive(refused(request.id, "closing"));
  talk.connect();
  talk.queue.begin();
  assert.deepEqual(talk.sent(), [request]);
  talk.now += 10;
  assert.deepEqual(talk.sent(), []);
});

test("what waited for a lost room is answered by its loss", () => {
  const talk = talking().follow();
  const resign = talk.queue.add({ type: "resign", room: "r1" });
  const leave = talk.queue.add({ type: "leave", room: "r1" });
  talk.sent();
  talk.connect();
  const [resume] = talk.sent();
  const lost = talk.receive(refused(resume.id, "unknown_room", "It is gone."));
  assert.deepEqual(lost, [{ kind: "roomLost", room: "r1", sentence: "It is gone." }]);
  assert.deepEqual(talk.sent(), []);
  assert.deepEqual(talk.queue.takeAnswers(), [
    [resign.id, { ...refused(resign.id, "unknown_room", "It is gone."), phrase: null }],
    [leave.id, { type: "done", id: leave.id }],
  ]);
});

test("a request that was never sent is not taken for done", () => {
  const talk = talking().follow();
  talk.queue.end();
  const resign = talk.queue.add({ type: "resign", room: "r1" });
  talk.connect();
  const [resume] = talk.sent();
  const events = [finished(5, 1, "resigned", 1)];
  talk.receive(roomState(resume.id, { snapshot: null, events }));
  assert.deepEqual(talk.sent(), [resign]);
});

test("a request that ends a match is answered by the end, and never ends the next match", () => {
  for (const type of ["resign", "abort", "claim"]) {
    const talk = talking().follow();
    const request = talk.queue.add({ type, room: "r1" });
    talk.sent();
    talk.connect();
    const [resume] = talk.sent();
    const events = [finished(5, 1, "resigned", 1)];
    talk.receive(roomState(resume.id, { snapshot: null, events }));
    assert.deepEqual(talk.sent(), []);
    assert.deepEqual(talk.queue.takeAnswers(), [[request.id, { ...events[0], id: request.id }]]);
    const other = talk.queue.add({ type, room: "r1" });
    talk.sent();
    talk.connect();
    const [again] = talk.sent();
    const next = started(6, 2, ["Bob", "Ann"]);
    talk.receive(roomState(again.id, { snapshot: null, events: [next], seat: 1 }));
    assert.deepEqual(talk.sent(), []);
    const [[, answer]] = talk.queue.takeAnswers();
    assert.deepEqual([answer.id, answer.code], [other.id, "wrong_state"]);
  }
});

test("a rematch that began or was offered is the answer", () => {
  for (const accepted of [true, false]) {
    const over = snapshot({ status: "finished", to_move: null, result: result() });
    const talk = talking().follow({ snapshot: over });
    const rematch = talk.queue.add({ type: "rematch", room: "r1" });
    talk.sent();
    talk.connect();
    const [resume] = talk.sent();
    const offer = { type: "rematch_offered", room: "r1", seq: 5, seat: 0, id: null };
    const events = accepted ? [offer, started(6, 2, ["Bob", "Ann"])] : [offer];
    talk.receive(roomState(resume.id, { snapshot: null, events }));
    assert.deepEqual(talk.sent(), []);
    const [[, answer]] = talk.queue.takeAnswers();
    assert.equal(answer.type, accepted ? "match_started" : "rematch_offered");
    assert.equal(answer.id, rematch.id);
  }
});

test("a rematch that only the opponent offered is accepted now", () => {
  const over = snapshot({ status: "finished", to_move: null, result: result() });
  const talk = talking().follow({ snapshot: { ...over, rematch: [false, true] } });
  const rematch = talk.queue.add({ type: "rematch", room: "r1" });
  talk.sent();
  talk.connect();
  const [resume] = talk.sent();
  talk.receive(roomState(resume.id, { snapshot: null, events: [] }));
  assert.deepEqual(talk.sent(), [rematch]);
});

test("joining twice asks for the room", () => {
  const talk = talking();
  const join = talk.queue.add({ type: "join_room", room: "r1" });
  talk.sent();
  talk.connect("r1");
  const [resume] = talk.sent();
  talk.receive(roomState(resume.id));
  assert.deepEqual(talk.sent(), [{ type: "resume", id: join.id, room: "r1", seq: 4 }]);
});

test("a missing thing means success only for a repeated request to end it", () => {
  const gone = [
    [{ type: "leave", room: "r7" }, "unknown_room"],
    [{ type: "leave", room: "r7" }, "not_seated"],
    [{ type: "cancel_seek", seek: "s1" }, "unknown_seek"],
    [{ type: "cancel_challenge", challenge: "c1" }, "unknown_challenge"],
    [{ type: "decline_challenge", challenge: "c1" }, "unknown_challenge"],
  ];
  for (const [request, code] of gone) {
    for (const repeated of [false, true]) {
      const talk = talking();
      const { id } = talk.queue.add(request);
      talk.sent();
      if (repeated) talk.connect().sent();
      talk.receive(refused(id, code));
      const [[, answer]] = talk.queue.takeAnswers();
      assert.equal(answer.type, repeated ? "done" : "error", request.type);
    }
  }
});

test("a move of another connection shows that the storage works again", () => {
  const talk = talking().follow();
  const { id } = talk.queue.add({ type: "move", room: "r1", match: 1, ply: 0, action: 3 });
  for (let n = 0; n < 3; n++) {
    talk.sent();
    talk.receive(refused(id, "storage_failed"));
    talk.now += 10;
  }
  const [recovered, change] = talk.receive(move(5, 3));
  assert.deepEqual([recovered.kind, change.kind], ["storageRecovered", "room"]);
});

function result() {
  return { termination: "resigned", winner: 1, returns: [-1, 1], game_id: "r1-1", reason: "" };
}

test("after an unreadable change of the lobby the whole lobby is asked for, once", () => {
  const talk = new Talk().connect();
  const asked = talk.queue.add({ type: "follow_lobby" });
  talk.sent();
  talk.queue.receive({ ...LOBBY, id: asked.id }, talk.now);
  for (let times = 0; times < 2; times++) {
    const broken = { id: null, type: "lobby_changed", sentence: "No." };
    assert.deepEqual(talk.queue.receiveUnreadable(broken, talk.now), []);
  }
  const again = talk.sent().filter(({ type }) => type === "follow_lobby");
  assert.equal(again.length, 1);
  talk.queue.receive({ ...LOBBY, id: again[0].id }, talk.now);
  assert.equal(talk.session.lobby.stale, false);
});
