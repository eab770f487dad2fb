// Load a page again that is older than the server, but never in the middle of something.

import assert from "node:assert/strict";
import { test } from "node:test";

import { reloadOnce } from "../../../../client/web/app/faults.js";
import { Seat } from "./seat.mjs";

globalThis.HTMLElement = class {
  matches(selector) {
    return selector.includes("input");
  }
};

/** A window that counts reloads, and whose timers run when the test says so. */
function fakeWindow(kept = new Map()) {
  const due = [];
  return {
    reloads: 0,
    document: { activeElement: null, dialog: null, querySelector: (_) => win.document.dialog },
    sessionStorage: { getItem: (key) => kept.get(key) ?? null, setItem: (key, text) => kept.set(key, text) },
    location: { reload: () => (win.reloads += 1) },
    setTimeout: (run) => due.push(run),
    look: () => due.splice(0).forEach((run) => run()),
  };
}

let win;

function outdated(kept) {
  const seat = new Seat();
  seat.welcome();
  win = fakeWindow(kept);
  return seat;
}

test("a page without anything to do is loaded again at once", () => {
  const { app } = outdated();
  reloadOnce(app, "new", win);
  win.look();
  assert.equal(win.reloads, 1);
});

test("requests are answered first, also those that an answer leads to", async () => {
  const seat = outdated();
  const { app } = seat;
  const both = app.request({ type: "resign", room: "r1" }).then(() => app.request({ type: "rematch", room: "r1" }));
  reloadOnce(app, "new", win);
  for (const type of ["resign", "rematch"]) {
    win.look();
    assert.equal(win.reloads, 0);
    const [asked] = seat.asked();
    assert.equal(asked.type, type);
    seat.socket.tell({ type: "done", id: asked.id });
    await new Promise(setImmediate);
  }
  await both;
  win.look();
  assert.equal(win.reloads, 1);
});

test("nothing is loaded while the connection is lost", () => {
  const seat = outdated();
  reloadOnce(seat.app, "new", win);
  seat.socket.end();
  win.look();
  assert.equal(win.reloads, 0);
});

test("a dialog and a typed text stay until the person has finished", () => {
  const { app } = outdated();
  reloadOnce(app, "new", win);
  win.document.dialog = {};
  win.look();
  win.document.dialog = null;
  const field = Object.assign(new HTMLElement(), { value: "Hello" });
  win.document.activeElement = field;
  win.look();
  assert.equal(win.reloads, 0);
  field.value = "";
  win.look();
  assert.equal(win.reloads, 1);
});

test("a second welcome changes nothing, and a page that stays old says so", () => {
  const kept = new Map();
  const { app } = outdated(kept);
  reloadOnce(app, "new", win);
  reloadOnce(app, "new", win);
  assert.equal(app.notices.first, undefined);
  win.look();
  assert.equal(win.reloads, 1);
  const again = outdated(kept).app;
  reloadOnce(again, "new", win);
  win.look();
  assert.equal(win.reloads, 0);
  assert.match(again.notices.first.text, /older than the server/);
});
