// Cuts, repeated and lost events lead to the same mirror as the events in order.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { pathToFileURL } from "node:url";

import { readMessage } from "../../../../client/web/core/messages.js";
import { RoomMirror } from "../../../../client/web/core/room.js";
import { Session } from "../../../../client/web/core/session.js";
import { welcome } from "../../../node/server-messages.mjs";

const FOLDER = pathToFileURL(`${process.env.RECORDED}/`);
const GAMES = ["dots-and-boxes", "connect-four", "nim", "tic-tac-toe", "takebacks"];

/** Return numbers from 0 to below 1 that only depend on `seed`: mulberry32 of Tommy Ettinger. */
function randomFrom(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Return the first state of the recorded room, and its events. */
function recorded(game) {
  const text = readFileSync(new URL(`whole-${game}.jsonl`, FOLDER), "utf8").trim();
  const frames = text
    .split("\n")
    .map((line) => readMessage(JSON.stringify(JSON.parse(line).frame ?? null)))
    .map((read) => read?.message);
  const first = frames.find((frame) => frame?.type === "room_state");
  const events = frames.filter((frame) => frame?.seq > first.snapshot.seq);
  return { first, events: [...new Map(events.map((event) => [event.seq, event])).values()] };
}

/** A server that has told the events up to number `seq`. */
class FakeServer {
  constructor({ first, events }) {
    Object.assign(this, { first, events, seq: first.snapshot.seq });
  }

  get over() {
    return this.seq === this.events.at(-1).seq;
  }

  /** Return the events after one number, up to another one. */
  between(after, until = this.seq) {
    return this.events.filter((event) => event.seq > after && event.seq <= until);
  }

  /** Return the next event. */
  next() {
    this.seq += 1;
    return structuredClone(this.between(this.seq - 1)[0]);
  }

  /** Return the answer to a `resume`. */
  state(after) {
    let { board, seat } = this.first;
    for (const event of this.between(0)) {
      board = event.board ?? board;
      if (event.type === "match_started") seat = event.players.indexOf("Ann");
      if (event.type === "match_finished") {
        board = { ...board, legal: board.legal.replaceAll("1", "0") };
      }
    }
    const events = this.between(after).map(({ board: _, ...event }) => ({ ...event, board: null }));
    return structuredClone({ ...this.first, id: null, snapshot: null, events, board, seat });
  }
}

/** Return what a mirror shows, without its clock and what only live events have. */
function look(mirror) {
  const { clock: _, started, lastMove, finished, ...rest } = structuredClone({ ...mirror });
  return { ...rest, events: [started, lastMove, finished].map((event) => event?.seq) };
}

function direct(stream) {
  const mirror = new RoomMirror(structuredClone(stream.first), 0);
  for (const event of stream.events) mirror.apply(structuredClone(event), 0);
  return mirror;
}

for (const game of GAMES) {
  test(`any way through a room of ${game} ends in the same mirror`, () => {
    const stream = recorded(game);
    assert.ok(stream.events.length > 8);
    const expected = look(direct(stream));
    for (let seed = 0; seed < 60; seed++) {
      const random = randomFrom(seed);
      const server = new FakeServer(stream);
      const session = new Session();
      session.receive(structuredClone(stream.first), 0);
      const mirror = session.rooms.get(stream.first.room);
      const answer = () => {
        for (const request of session.takeWanted()) {
          session.receive(server.state(request.seq), 0, { ...request, id: 1 });
        }
      };
      while (!server.over || mirror.seq < server.seq) {
        const draw = random();
        if (draw < 0.4 && !server.over) session.receive(server.next(), 0);
        else if (draw < 0.6 && !server.over) server.next(); // lost on the way
        else if (draw < 0.7) {
          for (const event of server.between(0)) session.receive({ ...event }, 0);
        } else if (draw < 0.9) answer();
        else session.receive(welcome(1, { rooms: [mirror.room] }), 0);
        assert.equal(session.rooms.get(mirror.room), mirror);
      }
      answer();
      assert.deepEqual(look(mirror), expected, `seed ${seed}`);
    }
  });
}
