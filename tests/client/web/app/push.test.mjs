// Pushes: the subscription of a browser, and the worker that shows them, over fakes of the browser.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import vm from "node:vm";

import { followPush, forgetPush, pushIsOn, turnOffPush, turnOnPush } from "../../../../client/web/app/push.js";
import { Seat, settle } from "./seat.mjs";

const KEY = "BAEC-_8";
const BYTES = new Uint8Array([4, 1, 2, 251, 255]);

/** A browser with a push service; `broken` is the error of a new subscription. */
class Browser {
  isSecureContext = true;
  PushManager = class {};
  asked = 0;
  made = 0;
  subscription = null;
  registration = undefined;

  constructor({ permission = "default", answer = "granted", broken = null } = {}) {
    const page = this;
    this.Notification = class {
      static permission = permission;
      static async requestPermission() {
        page.asked += 1;
        return (this.permission = answer);
      }
    };
    const pushManager = {
      getSubscription: async () => page.subscription,
      subscribe: async ({ applicationServerKey, userVisibleOnly }) => {
        assert.deepEqual([page.registration.active?.state, userVisibleOnly], ["activated", true]);
        if (broken) throw broken;
        return page.subscribe(applicationServerKey === KEY ? BYTES : new Uint8Array([9]));
      },
    };
    this.navigator = {
      serviceWorker: {
        getRegistration: async () => page.registration,
        register: async (script, { scope }) => {
          page.script = script;
          page.scope = scope;
          if (page.registration) return page.registration;
          const worker = Object.assign(new EventTarget(), { state: "installing" });
          page.registration = { pushManager, active: null, installing: worker, waiting: null };
          setTimeout(() => {
            worker.state = "activated";
            Object.assign(page.registration, { active: worker, installing: null });
            worker.dispatchEvent(new Event("statechange"));
          });
          return page.registration;
        },
      },
    };
  }

  subscribe(key) {
    const endpoint = `https://push.example.org/${(this.made += 1)}`;
    return (this.subscription = {
      endpoint,
      options: { applicationServerKey: key.buffer },
      toJSON: () => ({ endpoint, expirationTime: null, keys: { p256dh: "p", auth: "a" } }),
      unsubscribe: async () => ((this.subscription = null), true),
    });
  }
}

/** Answer all requests over HTTP, and return what was asked. */
function serve(context, { status = 200, key = KEY } = {}) {
  const asked = [];
  context.mock.method(globalThis, "fetch", async (path, { body, headers }) => {
    asked.push([path, body ? JSON.parse(body) : null, headers.authorization]);
    const answer = status === 200 ? { push_key: key } : { error: "This server sends no pushes." };
    return new Response(JSON.stringify(answer), { status });
  });
  return asked;
}

function person() {
  const seat = new Seat();
  seat.welcome();
  return seat;
}

const sent = (number) => ({ endpoint: `https://push.example.org/${number}`, p256dh: "p", auth: "a" });

test("a browser is asked for permission, and subscribed, only when the person wants it", async (context) => {
  const asked = serve(context);
  const { app } = person();
  const browser = new Browser();
  followPush(app, browser);
  await settle();
  assert.deepEqual([asked, browser.asked, await pushIsOn(browser)], [[], 0, false]);
  assert.equal(await turnOnPush(app, browser, KEY), "");
  assert.deepEqual([browser.asked, await pushIsOn(browser), browser.scope], [1, true, "/push/"]);
  const script = new URL(browser.script, "https://games.example.org");
  assert.equal(script.pathname, "/push-worker.js");
  assert.equal(script.searchParams.get("text"), "It is your turn against {name}.");
  assert.match(script.searchParams.get("icon"), /icons\/icon-192\.png$/);
  const bearer = `Bearer ${app.identity.token}`;
  assert.deepEqual(asked, [["/api/account/notices/push", sent(1), bearer]]);
  await turnOffPush(app, browser);
  assert.equal(await pushIsOn(browser), false);
  assert.deepEqual(asked[1].slice(0, 2), ["/api/account/notices/push/off", { endpoint: sent(1).endpoint }]);
  assert.equal(await forgetPush(browser), "");
});

test("what stands in the way is said", async (context) => {
  serve(context, { status: 409 });
  const { app } = person();
  const on = (browser) => turnOnPush(app, browser, KEY);
  assert.match(await on(new Browser({ answer: "denied" })), /^The browser refused/);
  assert.match(await on(new Browser({ broken: new Error("AbortError") })), /cannot reach its service/);
  assert.equal(await on(new Browser()), "This server sends no pushes.");
  assert.match(await on(Object.assign(new Browser(), { PushManager: undefined })), /home screen/);
  assert.match(await on(Object.assign(new Browser(), { isSecureContext: false })), /https/);
});

test("each page tells the server of the subscription again, and of a new one for another key", async (context) => {
  const browser = new Browser({ permission: "granted" });
  const { app } = person();
  serve(context);
  await turnOnPush(app, browser, KEY);
  globalThis.fetch.mock.restore();
  const asked = serve(context);
  const again = person();
  followPush(again.app, browser);
  while (asked.length < 2) await settle();
  const bearer = `Bearer ${again.app.identity.token}`;
  assert.deepEqual(asked, [["/api/account/notices", null, bearer], ["/api/account/notices/push", sent(1), bearer]]);
  globalThis.fetch.mock.restore();
  const later = serve(context, { key: "CQ" });
  followPush(person().app, browser);
  while (later.length < 2) await settle();
  assert.deepEqual(later[1].slice(0, 2), ["/api/account/notices/push", sent(2)]);
});

async function worker() {
  const listeners = {};
  const shown = [];
  const opened = [];
  const pages = [];
  const context = {
    URL,
    location: { href: "https://games.example.org/games/push-worker.js?text=Du+bist+am+Zug+gegen+%7Bname%7D.&icon=/i.png" },
    addEventListener: (kind, call) => (listeners[kind] = call),
    registration: { showNotification: async (title, how) => void shown.push([title, { ...how }]) },
    clients: { matchAll: async () => pages, openWindow: async (address) => void opened.push(address) },
  };
  const script = new URL("../../../../client/web/push-worker.js", import.meta.url);
  vm.runInNewContext(await readFile(script, "utf8"), context);
  const fire = async (kind, event) => {
    const waits = [];
    listeners[kind]({ ...event, waitUntil: (work) => waits.push(work) });
    assert.equal(waits.length, 1);
    await waits[0];
  };
  return { fire, shown, opened, pages };
}

test("the worker shows a push in the language of the page, and a click opens the room or shows it", async () => {
  const { fire, shown, opened, pages } = await worker();
  await fire("push", { data: { json: () => ({ room: "r1", opponent: "$& Bob" }) } });
  const how = { body: "Du bist am Zug gegen $& Bob.", icon: "/i.png", tag: "r1", data: "r1" };
  assert.deepEqual(shown, [["Doublecross", how]]);
  let closed = 0;
  const notification = { data: "r1", close: () => (closed += 1) };
  await fire("notificationclick", { notification });
  assert.deepEqual([opened, closed], [["https://games.example.org/games/room/r1"], 1]);
  let focused = 0;
  pages.push({ url: "https://games.example.org/games/" }, { url: "https://games.example.org/games/room/r1#x", focus: async () => (focused += 1) });
  await fire("notificationclick", { notification });
  assert.deepEqual([opened.length, focused], [1, 1]);
});
