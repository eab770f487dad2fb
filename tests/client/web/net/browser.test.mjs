// Check what the page keeps in the browser, asks over HTTP, and hears from the browser.

import assert from "node:assert/strict";
import { mock, test } from "node:test";

import { ApiError, getJson, withParams } from "../../../../client/web/net/api.js";
import { Identity, newPlayer } from "../../../../client/web/net/identity.js";
import { newKey } from "../../../../client/web/net/keys.js";
import { BrowserTimers, browserTimers } from "../../../../client/web/net/timers.js";
import { watchWakeups } from "../../../../client/web/net/wakeups.js";

// -- identity -------------------------------------------------------------------------------------

test("keys are long, printable and new each time", () => {
  const keys = new Set(Array.from({ length: 100 }, newKey));
  assert.equal(keys.size, 100);
  for (const key of keys) assert.match(key, /^[0-9a-f]{32}$/);
});

test("a player is kept in the store, and works without one", () => {
  const store = new Map();
  const identity = new Identity(store);
  assert.equal(identity.credentials, null);
  identity.keep("Ann", "token-1");
  const known = { name: null, token: "token-1", key: null };
  assert.deepEqual(new Identity(store).credentials, known);
  assert.equal(new Identity(store).name, "Ann");
  const homeless = new Identity();
  homeless.keep("Bob", "token-2");
  assert.equal(homeless.credentials.token, "token-2");
  homeless.reload();
  assert.equal(homeless.name, "Bob");
});

test("a name without a token gets one key, which is kept", () => {
  const store = new Map([["identity", { name: "Ann" }]]);
  const { key } = new Identity(store).credentials;
  const identity = new Identity(store);
  assert.equal(identity.credentials.key, key);
  identity.keep("Ann", "token-1");
  assert.equal(identity.key, null);
  assert.notEqual(newPlayer("Ann").key, newPlayer("Ann").key);
});

test("what is kept may be damaged or of another tab", () => {
  for (const kept of [7, "x", null, [], { name: 5, token: {} }, { token: "" }]) {
    assert.equal(new Identity(new Map([["identity", kept]])).credentials, null);
  }
  const store = new Map();
  const here = new Identity(store);
  new Identity(store).keep("Ann", "token-1");
  here.reload();
  assert.equal(here.token, "token-1");
});

test("a token is forgotten with or without the name", () => {
  const store = new Map();
  const identity = new Identity(store);
  identity.keep("Ann", "token-1");
  identity.forgetToken();
  assert.equal(new Identity(store).credentials.name, "Ann");
  identity.forget();
  assert.equal(store.get("identity"), undefined);
  assert.equal(identity.credentials, null);
});

// -- HTTP -----------------------------------------------------------------------------------------

function answering(status, body) {
  const asked = [];
  const fetch = async (path, options) => {
    asked.push({ path, ...options });
    return new Response(body, { status });
  };
  return { fetch, asked };
}

test("parameters are written so that equal addresses are equal", () => {
  const params = { game: "nim", moves: [1, 2], opening: [], code: null, name: "a b&c", n: 0 };
  assert.equal(withParams("/api/x", params), "/api/x?game=nim&moves=1,2&name=a%20b%26c&n=0");
  assert.equal(withParams("/api/x", {}), "/api/x");
});

test("an answer is JSON, and the token says who asks", async () => {
  const { fetch, asked } = answering(200, '{"games":[]}');
  assert.deepEqual(await getJson("/api/catalogue", {}, { fetch, token: "t" }), { games: [] });
  assert.equal(asked[0].headers.authorization, "Bearer t");
  await getJson("/api/catalogue", {}, { fetch });
  assert.deepEqual(asked[1].headers, {});
});

test("each failure is one sentence", async () => {
  const failures = [
    [404, '{"error":"There is no such game."}', /^There is no such game\.$/],
    [503, "", /busy/],
    [429, "<html>", /busy/],
    [500, "Oops", /problem.*500/],
    [200, "<html>", /unexpected.*200/],
    [418, "{}", /unexpected.*418/],
  ];
  for (const [status, body, sentence] of failures) {
    const { fetch } = answering(status, body);
    await assert.rejects(getJson("/api/x", {}, { fetch }), (error) => {
      assert.ok(error instanceof ApiError);
      assert.equal(error.status, status);
      assert.match(error.sentence, sentence);
      return true;
    });
  }
});

test("a server that cannot be reached is told from an aborted request", async () => {
  const fetch = () => Promise.reject(new TypeError("Failed to fetch"));
  await assert.rejects(getJson("/api/x", {}, { fetch }), { status: 0 });
  const signal = AbortSignal.abort();
  await assert.rejects(getJson("/api/x", {}, { fetch, signal }), { name: "AbortError" });
});

// -- timers ---------------------------------------------------------------------------------------

class FakeWorker {
  constructor() {
    this.asked = [];
    this.ended = false;
  }

  postMessage(message) {
    this.asked.push(message);
  }

  terminate() {
    this.ended = true;
  }
}

test("a worker keeps the time", () => {
  const worker = new FakeWorker();
  const timers = new BrowserTimers(() => worker);
  const rung = [];
  timers.after(2, () => rung.push("once"));
  const stop = timers.every(1, () => rung.push("again"));
  assert.deepEqual(worker.asked, [
    { id: 1, ms: 2000 },
    { id: 2, ms: 1000 },
  ]);
  for (const data of [2, 1, 2, 1]) worker.onmessage({ data });
  assert.deepEqual(rung, ["again", "once", "again"]);
  stop();
  worker.onmessage({ data: 2 });
  assert.equal(rung.length, 3);
});

test("the page keeps the time itself without a worker, or when it fails", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const rung = [];
  const none = new BrowserTimers(() => {
    throw new Error("no workers here");
  });
  none.after(1, () => rung.push("none"));
  const worker = new FakeWorker();
  const failing = new BrowserTimers(() => worker);
  failing.every(1, () => rung.push("failing"));
  worker.onerror();
  assert.ok(worker.ended);
  mock.timers.tick(1000);
  mock.timers.tick(1000);
  mock.timers.reset();
  assert.deepEqual(rung.sort(), ["failing", "failing", "none"]);
});

test("both clocks go on", () => {
  const timers = new BrowserTimers(() => new FakeWorker());
  assert.ok(timers.now() >= 0);
  assert.ok(timers.date() > 1e9);
});

// -- the browser's events -------------------------------------------------------------------------

test("the browser's events check the connection", () => {
  let checks = 0;
  const window = Object.assign(new EventTarget(), {
    document: Object.assign(new EventTarget(), { visibilityState: "hidden" }),
  });
  const stop = watchWakeups({ check: () => checks++ }, window);
  for (const name of ["online", "offline", "pageshow"]) window.dispatchEvent(new Event(name));
  window.document.dispatchEvent(new Event("resume"));
  assert.equal(checks, 4);
  window.document.dispatchEvent(new Event("visibilitychange"));
  assert.equal(checks, 4);
  window.document.visibilityState = "visible";
  window.document.dispatchEvent(new Event("visibilitychange"));
  assert.equal(checks, 5);
  stop();
  window.dispatchEvent(new Event("online"));
  assert.equal(checks, 5);
});

test("an answer over HTTP that does not come is given up", async () => {
  const deadline = new AbortController();
  const silent = (_path, { signal }) =>
    new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
  const page = new AbortController();
  const options = { fetch: silent, deadline: deadline.signal, signal: page.signal };
  const asked = getJson("/api/games", {}, options);
  deadline.abort();
  await assert.rejects(asked, { status: 0, sentence: /cannot be reached/ });
});

test("all connections of a page share their timers", () => {
  assert.equal(browserTimers(), browserTimers());
});
