// Notifications for a person who looks elsewhere, with a real app over a fake socket.

import assert from "node:assert/strict";
import { test } from "node:test";

import { signal } from "@preact/signals";

import { allowCalls, callBack, callsAllowed } from "../../../../client/web/app/attention.js";
import { presence, snapshot } from "../../../node/server-messages.mjs";
import { Seat, settle } from "./seat.mjs";

/** A browser window that the person does not look at. */
class Away extends EventTarget {
  isSecureContext = true;
  document = Object.assign(new EventTarget(), { hidden: true, hasFocus: () => false });
  focused = 0;
  /** The texts of all notifications so far, and the open ones. */
  shown = [];
  open = [];

  constructor(permission = "granted", { answer = permission, broken = false } = {}) {
    super();
    const page = this;
    this.asked = 0;
    this.Notification = class {
      static permission = permission;
      static async requestPermission() {
        page.asked += 1;
        return (this.permission = answer);
      }
      constructor(title, { body, tag }) {
        if (broken) throw new TypeError("Illegal constructor.");
        Object.assign(this, { title, tag });
        page.shown.push(body);
        page.open.push(this);
      }
      close() {
        page.open = page.open.filter((each) => each !== this);
      }
    };
  }

  focus() {
    this.focused += 1;
  }

  look(looks) {
    this.document.hidden = !looks;
    this.document.dispatchEvent(new Event("visibilitychange"));
  }
}

async function calling(window = new Away(), changes = {}, { on = true, rooms = [] } = {}) {
  const seat = new Seat();
  seat.app.settings.notify = signal(on);
  callBack(seat.app, window);
  seat.welcome({ rooms });
  if (rooms.length === 0) void seat.app.request({ type: "watch", room: "r1", code: null });
  seat.serve({ seat: 0, presence: presence("r1"), snapshot: snapshot(changes) });
  await settle();
  return { seat, window, tell: (message) => seat.socket.tell({ room: "r1", id: null, ...message }) };
}

const WAITS = { status: "waiting", match: 0, to_move: null, clock_runs: false };

function begins(seq, to_move = 0) {
  const board = { cells: ".", legal: "1111", winning: [] };
  return { type: "match_started", seq, match: 1, players: ["Ann", "Bob"], to_move, clock_ms: null, at: 0, board };
}

function moves(seq, ply, seat) {
  const legal = [0, 1, 2, 3].map((action) => (action > ply ? "1" : "0")).join("");
  const board = { cells: ".", legal, winning: [] };
  const common = { type: "move", seq, match: 1, ply, seat, action: ply, to_move: 1 - seat };
  return { ...common, scores: [0, 0], clock_ms: null, elapsed_ms: 5, expected: null, fallback: false, takebacks: 0, board };
}

test("the beginning and the person's turn are told, the own move not", async () => {
  const { window, tell, seat } = await calling(new Away(), WAITS);
  const { seq } = seat.app.session.rooms.get("r1");
  tell(begins(seq + 1));
  assert.deepEqual(window.shown, ["Your match against Bob has begun. It is your turn."]);
  tell(moves(seq + 2, 0, 0));
  assert.equal(window.open.length, 0);
  tell(moves(seq + 3, 1, 1));
  assert.deepEqual(window.shown.slice(1), ["It is your turn against Bob."]);
  const [note] = window.open;
  assert.deepEqual([note.title, note.tag], ["Doublecross", "r1"]);
  note.onclick();
  assert.deepEqual([seat.paths, window.focused, window.open], [["/room/r1"], 1, []]);
  // Something else happens, and it is still the person's turn.
  tell({ type: "takeback_asked", seq: seq + 4, match: 1, seat: 1, ply: 1 });
  assert.notEqual(seat.app.session.rooms.get("r1").takeback, null);
  assert.equal(window.shown.length, 2);
});

test("nothing is told to a person who looks or wants no notifications, or by another tab", async () => {
  for (const [looks, on, voice] of [[true, true, true], [false, false, true], [false, true, false]]) {
    const window = new Away();
    if (looks) window.document.hasFocus = () => !window.document.hidden;
    window.look(looks);
    const { tell, seat } = await calling(window, WAITS, { on });
    seat.voice.value = voice;
    tell(begins(seat.app.session.rooms.get("r1").seq + 1));
    assert.deepEqual(window.shown, []);
  }
});

test("a page without the focus counts as hidden, and a look closes all", async () => {
  const window = new Away();
  window.document.hidden = false;
  const { tell, seat } = await calling(window, WAITS);
  tell(begins(seat.app.session.rooms.get("r1").seq + 1));
  assert.equal(window.open.length, 1);
  window.look(false);
  assert.equal(window.open.length, 1);
  window.look(true);
  assert.equal(window.open.length, 0);
});

test("a match that was in play when the page connected is no news", async () => {
  const { window } = await calling(new Away(), {}, { rooms: ["r1"] });
  assert.deepEqual(window.shown, []);
});

test("a challenge is told until it ends", async () => {
  const { window, seat } = await calling();
  const before = window.shown.length;
  const settings = { game: "dots-and-boxes", params: {}, opening: [], start: [], time: { base_ms: null, increment_ms: 0, move_ms: null }, rated: false };
  const player = { name: "Cleo", kind: "human", engine: null };
  seat.socket.tell({ type: "challenged", challenge: "c1", player, settings, seat: null, asked_by: null });
  assert.deepEqual(window.shown.slice(before), ["Cleo challenges you."]);
  seat.socket.tell({ type: "offer_ended", offer: "c1", outcome: "cancelled", reason: "" });
  assert.equal(window.open.filter((each) => each.tag === "c1").length, 0);
});

test("notifications are switched on only if the browser can and may show them", async () => {
  const on = async (window) => {
    const seat = new Seat();
    seat.app.settings.notify = signal(false);
    const problem = await allowCalls(seat.app, window);
    return [problem, callsAllowed(seat.app, window), window.asked];
  };
  assert.deepEqual(await on(new Away("default", { answer: "granted" })), ["", true, 1]);
  const [refused, off] = await on(new Away("default", { answer: "denied" }));
  assert.match(refused, /^The browser refused\. Allow/);
  assert.equal(off, false);
  assert.match((await on(new Away("granted", { broken: true })))[0], /shows no notifications/);
  assert.match((await on(Object.assign(new Away(), { isSecureContext: false })))[0], /https/);
  assert.match((await on(Object.assign(new Away(), { Notification: undefined })))[0], /has no notif/);
});

test("the turn in a game by days is told once, and not to a person who looks", async () => {
  const { window, tell } = await calling();
  const told = { type: "your_turn", room: "r2", match: 1, ply: 4, opponent: "Bob", left_ms: 86_400_000 };
  const before = window.shown.length;
  tell(told);
  assert.deepEqual(window.shown.slice(before), ["It is your turn against Bob."]);
  Object.assign(window.document, { hidden: false, hasFocus: () => true });
  tell({ ...told, ply: 6 });
  assert.equal(window.shown.length, before + 1);
});
