// Let the browser tell the person of turns while no page is open, by pushes of the server.

import { effect } from "@preact/signals";

import { address, outer } from "../address.js";
import { ApiError, getJson, withParams } from "../net/api.js";
import { tr } from "../texts.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {Window & typeof globalThis} Page */
/** @typedef {import("../types/api.js").NoticesAnswer} NoticesAnswer */

/** No page lies below this path, so the worker stands between no page and the server. */
const SCOPE = "/push/";

/**
 * Ask the browser for permission and subscribe; return why it is not possible, or an empty text. Call
 * it only for a click of the person.
 * @param {App} app
 * @param {Page} window
 * @param {string} key of the server
 */
export async function turnOnPush(app, window, key) {
  if (!window.isSecureContext) return tr("Browsers allow notifications only on encrypted pages (https).");
  if (!window.navigator.serviceWorker || !window.PushManager) {
    return tr("This browser cannot do that. On iPhones and iPads, add this page to the home screen first.");
  }
  if ((await window.Notification.requestPermission()) !== "granted") {
    return tr("The browser refused. Allow notifications for this page in its settings, then switch this on again.");
  }
  try {
    await subscribe(app, window, key);
  } catch (error) {
    if (error instanceof ApiError) return error.sentence;
    return tr("The browser cannot reach its service for notifications. Try again later.");
  }
  return "";
}

/**
 * End the subscription, here and at the server.
 * @param {App} app
 * @param {Page} window
 */
export async function turnOffPush(app, window) {
  const endpoint = await forgetPush(window);
  if (endpoint) await post(app, "/api/account/notices/push/off", { endpoint });
}

/**
 * End the subscription in this browser; return its address, or an empty text. The server forgets it when the login
 * ends.
 * @param {Page} window
 */
export async function forgetPush(window) {
  const subscription = await subscriptionOf(window);
  await subscription?.unsubscribe();
  return subscription?.endpoint ?? "";
}

/**
 * Return whether this browser is told of turns.
 * @param {Page} window
 */
export async function pushIsOn(window) {
  return (await subscriptionOf(window)) !== null;
}

/**
 * Tell the server of the subscription for each player of this browser, because the player, the language or the
 * address of the subscription may have changed.
 * @param {App} app
 * @param {Page} window
 */
export function followPush(app, window) {
  effect(() => {
    // Without an answer the next page does it.
    if (app.me.value) void keepPush(app, window).catch(() => {});
  });
}

/**
 * @param {App} app
 * @param {Page} window
 */
async function keepPush(app, window) {
  if (!(await pushIsOn(window))) return;
  /** @type {NoticesAnswer} */
  const { push_key } = await getJson("/api/account/notices", {}, { token: app.identity.token });
  if (push_key !== null) await subscribe(app, window, push_key);
}

/**
 * @param {App} app
 * @param {Page} window
 * @param {string} key
 */
async function subscribe(app, window, key) {
  const text = tr("It is your turn against {name}.", { name: "{name}" });
  const script = withParams("/push-worker.js", { text, icon: address("icons/icon-192.png") });
  const registration = await window.navigator.serviceWorker.register(outer(script), { scope: outer(SCOPE) });
  await started(registration);
  const { pushManager } = registration;
  let subscription = await pushManager.getSubscription();
  if (subscription !== null && keyOf(subscription) !== key) {
    await subscription.unsubscribe(); // the server has another key now
    subscription = null;
  }
  subscription ??= await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  const { endpoint, keys } = subscription.toJSON();
  await post(app, "/api/account/notices/push", { endpoint, ...keys });
}

/**
 * Wait until a worker runs. `serviceWorker.ready` waits for one that stands before this page.
 * @param {ServiceWorkerRegistration} registration
 */
async function started({ active, installing, waiting }) {
  const worker = installing ?? waiting;
  if (active || !worker) return;
  await new Promise((resolve) => {
    worker.addEventListener("statechange", () => {
      if (worker.state === "activated" || worker.state === "redundant") resolve(undefined);
    });
  });
}

/** @param {Page} window */
async function subscriptionOf(window) {
  if (window.Notification?.permission !== "granted") return null;
  const registration = await window.navigator.serviceWorker?.getRegistration(outer(SCOPE));
  return (await registration?.pushManager?.getSubscription()) ?? null;
}

/** @param {PushSubscription} subscription */
function keyOf({ options }) {
  const bytes = new Uint8Array(options.applicationServerKey ?? new ArrayBuffer(0));
  return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/**
 * @param {App} app
 * @param {string} path
 * @param {object} body
 */
function post(app, path, body) {
  return getJson(path, {}, { token: app.identity.token, body });
}
