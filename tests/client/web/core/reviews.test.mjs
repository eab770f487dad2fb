// Check the mirror of reviews: what is kept, what is given up, and what is asked for again.

import assert from "node:assert/strict";
import { test } from "node:test";

import { RequestQueue } from "../../../../client/web/core/requests.js";
import { MOST_KEPT } from "../../../../client/web/core/reviews.js";
import { Session } from "../../../../client/web/core/session.js";
import { refused, welcome } from "../../../node/server-messages.mjs";

class Talk {
  session = new Session();
  queue = new RequestQueue(this.session, () => 0.5);

  constructor() {
    this.connect();
  }

  connect() {
    this.queue.end();
    this.session.receive(welcome(1), 0);
    this.queue.begin();
  }

  ask(game, code) {
    this.queue.add({ type: "get_review", game_id: game, code });
    return this.sent()[0];
  }

  sent() {
    const found = [];
    for (let r = this.queue.nextToSend(0); r; r = this.queue.nextToSend(0)) found.push(r);
    return found;
  }

  told(game, status, id = null, done = 0) {
    const review = { type: "review", game_id: game, status, place: 0, done, all: 9, id };
    return this.queue.receive({ ...review, reason: null, report: null }, 0);
  }

  statuses() {
    return Object.fromEntries([...this.session.reviews].map(([game, { status }]) => [game, status]));
  }
}

const changed = (game) => [{ kind: "review", game }];

test("notices follow the answer", () => {
  const talk = new Talk();
  assert.deepEqual(talk.told("g1", "working"), []);
  assert.deepEqual(talk.told("g1", "queued", talk.ask("g1").id), changed("g1"));
  assert.deepEqual(talk.told("g1", "working", null, 4), changed("g1"));
  assert.equal(talk.session.reviews.get("g1").done, 4);
  assert.deepEqual(talk.told("g1", "done"), changed("g1"));
  talk.connect();
  assert.deepEqual(talk.sent(), []);
});

test("another review gives up the one under way only", () => {
  const talk = new Talk();
  talk.told("g1", "done", talk.ask("g1").id);
  talk.told("g2", "working", talk.ask("g2").id);
  talk.told("g3", "done", talk.ask("g3").id);
  assert.deepEqual(talk.statuses(), { g1: "done", g2: "working", g3: "done" });
  talk.told("g4", "queued", talk.ask("g4").id);
  assert.deepEqual(talk.statuses(), { g1: "done", g3: "done", g4: "queued" });
  assert.deepEqual(talk.told("g2", "working", null, 5), []);
});

test("after a reconnect the review under way is asked for again, and may fail", () => {
  const talk = new Talk();
  talk.told("g1", "working", talk.ask("g1", "abc").id);
  talk.connect();
  const [again] = talk.sent();
  assert.deepEqual(again, { type: "get_review", id: again.id, game_id: "g1", code: "abc" });
  assert.deepEqual(talk.queue.receive(refused(again.id, "no_review", "None."), 0), changed("g1"));
  const { status, reason } = talk.session.reviews.get("g1");
  assert.deepEqual([status, reason], ["failed", "None."]);
  const late = refused(talk.ask("g1").id, "no_review", "None.");
  assert.deepEqual(talk.queue.receive(late, 0), []);
});

test("only the last reviews are kept", () => {
  const talk = new Talk();
  for (let n = 0; n < MOST_KEPT + 2; n++) talk.told(`g${n}`, "done", talk.ask(`g${n}`).id);
  assert.deepEqual([...talk.session.reviews.keys()].slice(0, 1), ["g2"]);
  assert.equal(talk.session.reviews.size, MOST_KEPT);
});
