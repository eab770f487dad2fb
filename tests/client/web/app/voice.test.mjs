// Check which tab makes sounds, with the browser's locks and with the storage that stands in for them.

import assert from "node:assert/strict";
import { test } from "node:test";

import { followVoice } from "../../../../client/web/app/voice.js";
import { settle } from "./seat.mjs";

/** Locks as in `navigator.locks`, for one name. */
class FakeLocks {
  queue = [];

  request(name, { signal, steal = false }, run) {
    return new Promise((_, reject) => {
      const entry = { run, held: false };
      entry.drop = () => {
        this.queue = this.queue.filter((each) => each !== entry);
        reject(new DOMException("", "AbortError"));
        this.next();
      };
      signal?.addEventListener("abort", () => entry.held || entry.drop());
      this.queue[steal ? "unshift" : "push"](entry);
      if (steal && this.queue[1]?.held) this.queue[1].drop();
      this.next();
    });
  }

  next() {
    const [first] = this.queue;
    if (first === undefined || first.held) return;
    first.held = true;
    void Promise.resolve(first.run()).then(() => first.drop());
  }
}

/** Return a function that opens a tab of one browser. */
function browser(locks) {
  const kept = new Map();
  const followers = new Set();
  return (focused = true) => {
    const tab = new EventTarget();
    const window = Object.assign(tab, { navigator: { locks }, document: { hasFocus: () => focused } });
    let mine;
    const set = (key, value) => {
      if (value === undefined) kept.delete(key);
      else kept.set(key, value);
      for (const each of followers) if (each !== mine) each();
    };
    const follow = (_, listener) => followers.add((mine = listener));
    const on = followVoice(window, { get: (key) => kept.get(key), set, follow });
    const tell = (name, persisted) => tab.dispatchEvent(Object.assign(new Event(name), { persisted }));
    return { on, tell };
  };
}

for (const [what, make] of [["locks", () => new FakeLocks()], ["storage", () => undefined]]) {
  test(`one tab has the voice, the last with the focus, by ${what}`, async () => {
    const open = browser(make());
    const tabs = [open(false), open(), open(false)];
    const speaking = async () => {
      await settle();
      return tabs.map(({ on }) => Number(on.value)).join("");
    };
    assert.equal(await speaking(), "010");
    tabs[0].tell("focus");
    tabs[0].tell("focus");
    assert.equal(await speaking(), "100");
    tabs[1].tell("focus");
    assert.equal(await speaking(), "010");
    tabs[1].tell("pagehide", true);
    assert.match(await speaking(), /^(100|001)$/); // one that waits
    tabs[1].tell("pageshow", true);
    assert.equal(await speaking(), "010");
  });
}

test("without locks and a storage that lasts, each tab speaks for itself", async () => {
  const refusing = { request: () => Promise.reject(new DOMException("", "SecurityError")) };
  const { on } = browser(refusing)(false);
  await settle();
  assert.equal(on.value, true);
});
