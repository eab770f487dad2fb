// Check which tab has the connection, with the browser's locks and with the leases that stand in for them.

import assert from "node:assert/strict";
import { test } from "node:test";

import { LOOK_S, Leases, MISSED } from "../../../../client/web/net/lease.js";
import { ANSWER_S, CHECK_S, RELOAD_S, Tabs } from "../../../../client/web/net/tabs.js";
import { FakeLocks, fakeChannels } from "../../../node/fake-tabs.mjs";
import { FakeTimers } from "../../../node/fake-time.mjs";

const MATCH = { room: "r1", name: "Bob" };

/** Tabs of one browser; `used` has the names of those that use the connection. */
class Browser {
  used = new Set();
  #timers = new Set();
  #Channel = fakeChannels();

  /** @param {boolean} locks - whether it has locks */
  constructor(locks) {
    this.locks = locks ? new FakeLocks() : null;
    this.kept = new Map();
    this.names = 0;
  }

  open({ visible = true, needed = false, match = null } = {}) {
    const name = `tab${++this.names}`;
    const timers = new FakeTimers();
    const store = { get: (key) => this.kept.get(key), set: (key, value) => this.kept.set(key, value) };
    const tab = { name, visible, needed, match, timers, told: undefined };
    const owner = {
      visible: () => tab.visible,
      use: () => ({ needed: tab.needed, match: tab.match }),
      begin: () => this.used.add(name),
      stop: (told) => {
        this.used.delete(name);
        tab.told = told;
      },
    };
    tab.channel = new this.#Channel();
    const locks = this.locks ?? new Leases(store, timers, name);
    tab.tabs = new Tabs(name, owner, { locks, channel: tab.channel, timers });
    this.#timers.add(timers);
    return tab;
  }

  /** Let nothing of a tab run any more, without a word. */
  freeze(tab) {
    tab.channel.cut();
    this.#timers.delete(tab.timers);
  }

  /** Let a tab be closed, or its page be loaded again. */
  close(tab) {
    tab.tabs.leave();
    this.used.delete(tab.name);
    this.freeze(tab);
  }

  async pass(seconds = 0) {
    for (let left = seconds; left >= 0; left -= 0.5) {
      for (const timers of this.#timers) timers.advance(Math.min(left, 0.5));
      for (let turn = 0; turn < 20; turn++) await Promise.resolve();
    }
  }
}

for (const locks of [true, false]) {
  const kind = locks ? "locks" : "leases";

  /** @param {string} what @param {(browser: Browser) => Promise<void>} run */
  const check = (what, run) => test(`${what}, with ${kind}`, () => run(new Browser(locks)));

  check("a tab alone has the connection at once", async (browser) => {
    const first = browser.open();
    const answer = first.tabs.ask();
    await browser.pass();
    assert.deepEqual([await answer, ...browser.used], [true, "tab1"]);
  });

  check("a tab that needs the connection keeps it, and says for which match", async (browser) => {
    const first = browser.open({ needed: true, match: MATCH });
    first.tabs.ask();
    await browser.pass(2);
    const second = browser.open();
    const answer = second.tabs.ask();
    await browser.pass(2 * ANSWER_S);
    assert.deepEqual([await answer, second.told, ...browser.used], [false, MATCH, "tab1"]);
  });

  check("a person can take the connection, and take it back", async (browser) => {
    const first = browser.open({ needed: true, match: MATCH });
    first.tabs.ask();
    await browser.pass(2);
    const second = browser.open();
    second.tabs.ask();
    await browser.pass();
    second.tabs.take();
    await browser.pass(LOOK_S);
    assert.deepEqual([first.told, ...browser.used], [MATCH, "tab2"]);
    first.tabs.take();
    await browser.pass(LOOK_S);
    assert.deepEqual([...browser.used], ["tab1"]);
  });

  check("a tab that does not need the connection gives it to the one that is seen", async (browser) => {
    const first = browser.open();
    first.tabs.ask();
    await browser.pass();
    const second = browser.open();
    const answer = second.tabs.ask();
    await browser.pass(LOOK_S);
    assert.deepEqual([await answer, first.told, ...browser.used], [true, null, "tab2"]);
  });

  check("a tab that nobody sees does not ask", async (browser) => {
    const first = browser.open();
    first.tabs.ask();
    await browser.pass();
    const second = browser.open({ visible: false });
    const answer = second.tabs.ask();
    await browser.pass(2 * ANSWER_S);
    assert.deepEqual([...browser.used], ["tab1"]);
    second.visible = true;
    second.tabs.ask();
    await browser.pass(LOOK_S);
    assert.deepEqual([await answer, ...browser.used], [true, "tab2"]);
  });

  check("when a tab is closed, another one gets the connection by itself", async (browser) => {
    const first = browser.open({ needed: true });
    first.tabs.ask();
    await browser.pass(2);
    const second = browser.open();
    second.tabs.ask();
    await browser.pass();
    second.visible = false;
    browser.close(first);
    await browser.pass(LOOK_S + RELOAD_S);
    assert.deepEqual([...browser.used], ["tab2"]);
  });

  check("a page that is loaded again has the connection before the tabs that wait", async (browser) => {
    const first = browser.open({ needed: true });
    first.tabs.ask();
    await browser.pass(2);
    const other = browser.open({ needed: true });
    other.tabs.ask();
    await browser.pass();
    browser.close(first);
    await browser.pass();
    const again = browser.open({ needed: true });
    const answer = again.tabs.ask();
    await browser.pass(LOOK_S);
    assert.deepEqual([await answer, ...browser.used], [true, "tab3"]);
  });

  check("a frozen tab loses the connection to the one that is seen", async (browser) => {
    const first = browser.open({ needed: true, match: MATCH });
    first.tabs.ask();
    await browser.pass(2);
    browser.freeze(first);
    const second = browser.open();
    const answer = second.tabs.ask();
    await browser.pass(2 * ANSWER_S);
    assert.equal(await answer, true);
    assert.ok(browser.used.has("tab2"));
  });

  check("a tab that waits notices when the other one freezes, and takes nothing from it before", async (browser) => {
    const first = browser.open();
    first.tabs.ask();
    await browser.pass(2);
    const second = browser.open({ visible: false });
    second.tabs.ask();
    await browser.pass(3 * CHECK_S);
    assert.deepEqual([...browser.used], ["tab1"]);
    browser.freeze(first);
    await browser.pass(2 * CHECK_S);
    assert.ok(browser.used.has("tab2"));
  });

  check("a page that comes back from the browser's memory asks again", async (browser) => {
    const first = browser.open();
    first.tabs.ask();
    await browser.pass();
    first.tabs.leave();
    const second = browser.open({ needed: true, match: MATCH });
    second.tabs.ask();
    await browser.pass(LOOK_S);
    first.tabs.ask();
    await browser.pass(LOOK_S);
    assert.deepEqual([first.told, ...browser.used], [MATCH, "tab2"]);
  });

  check("of tabs that open together one has the connection", async (browser) => {
    const tabs = [1, 2, 3].map(() => browser.open({ needed: true }));
    for (const { tabs: each } of tabs) each.ask();
    await browser.pass(3 * ANSWER_S);
    assert.deepEqual([...browser.used], ["tab1"]);
  });
}

test("a tab connects where the browser refuses locks", async () => {
  const browser = new Browser(true);
  browser.locks.request = () => Promise.reject(new DOMException("", "SecurityError"));
  browser.open().tabs.ask();
  await browser.pass();
  assert.deepEqual([...browser.used], ["tab1"]);
});

test("a lease outlasts a sleep of the computer, and ends when its tab does", async () => {
  const browser = new Browser(false);
  const first = browser.open();
  first.tabs.ask();
  await browser.pass();
  const second = browser.open({ visible: false });
  second.tabs.ask();
  first.timers.sleep(1000);
  second.timers.sleep(1000);
  await browser.pass(2 * MISSED * LOOK_S);
  assert.deepEqual([...browser.used], ["tab1"]);
  browser.freeze(first);
  await browser.pass(2 * MISSED * LOOK_S);
  assert.ok(browser.used.has("tab2"));
});
