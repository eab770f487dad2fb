// Call a person who looks elsewhere by notifications of the browser, if the person wants them.

import { address } from "../address.js";
import { roomPath } from "../models/addresses.js";
import { tr } from "../texts.js";
import { opponentName } from "./elsewhere.js";

const ICON = address("icons/icon-192.png");

/**
 * Show a notification from now on when it becomes the person's turn, when a match begins, and for a
 * challenge, while the page is hidden or has no focus. They go when the person comes back. Return the
 * function that shows one.
 * @param {import("./app.js").App} app
 * @param {Window & typeof globalThis} window
 */
export function callBack(app, window) {
  const { document } = window;
  /** The open notifications, by room or challenge. @type {Map<string, Notification>} */
  const open = new Map();
  /** What was last seen of each room. @type {Map<string, {match: number, playing: boolean, mine: boolean}>} */
  const seen = new Map();
  const close = (/** @type {string} */ key) => {
    open.get(key)?.close();
    open.delete(key);
  };
  const closeAll = () => [...open.keys()].forEach(close);
  const show = (/** @type {string} */ key, /** @type {string} */ text, /** @type {() => void} */ go) => {
    if ((!document.hidden && document.hasFocus()) || !app.settings.notify.peek() || !app.voice.peek()) return;
    const shown = notification(window, text, key);
    if (shown === null) return;
    open.set(key, shown);
    shown.onclick = () => {
      window.focus();
      closeAll();
      go();
    };
  };
  const room = (/** @type {string} */ id) => {
    const mirror = app.session.rooms.get(id);
    const before = seen.get(id);
    const { match = 0, seat = null } = mirror ?? {};
    const playing = mirror?.status === "playing" && seat !== null;
    const mine = playing && mirror?.toMove === seat;
    seen.set(id, { match, playing, mine });
    if (mirror === undefined || !playing || !mine) close(id);
    if (mirror === undefined || !playing) return;
    const go = () => app.navigate(roomPath(id));
    const other = { name: opponentName(mirror) };
    if (!before?.playing || before.match !== match) {
      // A match that was in play when the page connected is no news.
      if (before === undefined && app.session.welcome?.rooms.includes(id)) return;
      show(id, tr("Your match against {name} has begun.", other) + (mine ? ` ${tr("It is your turn.")}` : ""), go);
    } else if (mine && !before.mine) {
      show(id, tr("It is your turn against {name}.", other), go);
    }
  };
  app.listen((updates) => {
    for (const each of updates) {
      if (each.kind === "room" || each.kind === "seated" || each.kind === "roomLost") room(each.room);
      if (each.kind === "yourTurn") {
        // The room may be one that was left; the tag lets tabs replace each other's notification.
        const { room: id, opponent } = each.notice;
        show(id, tr("It is your turn against {name}.", { name: opponent }), () => app.navigate(roomPath(id)));
      }
      if (each.kind === "challenge") {
        const { challenge, player } = each.challenge;
        show(challenge, tr("{name} challenges you.", { name: player.name }), () => {});
      }
      if (each.kind === "offerClosed") close(each.offer);
    }
  });
  app.voice.subscribe((on) => on || closeAll()); // the person came back to another tab
  window.addEventListener("focus", closeAll);
  document.addEventListener("visibilitychange", () => document.hidden || closeAll());
  return show;
}

/**
 * Ask the browser for permission, and switch notifications on; return why it is not possible, or an
 * empty text. Call it only for a click of the person.
 * @param {import("./app.js").App} app
 * @param {Window & typeof globalThis} window
 * @returns {Promise<string>}
 */
export async function allowCalls(app, window) {
  if (!window.isSecureContext) return tr("Browsers allow notifications only on encrypted pages (https).");
  if (!window.Notification) return tr("This browser has no notifications.");
  if ((await window.Notification.requestPermission()) !== "granted") {
    return tr("The browser refused. Allow notifications for this page in its settings, then switch this on again.");
  }
  if (notification(window, tr("You will be called here."), "on") === null) {
    return tr("This browser shows no notifications of pages.");
  }
  app.settings.notify.value = true;
  return "";
}

/**
 * Whether notifications are on, and the browser still allows them.
 * @param {import("./app.js").App} app
 * @param {Window & typeof globalThis} window
 */
export function callsAllowed(app, window) {
  return app.settings.notify.value && window.Notification?.permission === "granted";
}

/**
 * Show a notification; return null where the browser does not. Those with the same `tag` replace
 * each other.
 * @param {Window & typeof globalThis} window
 * @param {string} body
 * @param {string} tag
 */
function notification(window, body, tag) {
  if (window.Notification?.permission !== "granted") return null;
  try {
    return new window.Notification("Doublecross", { body, tag, icon: ICON });
  } catch {
    return null; // browsers of phones have them only for installed apps
  }
}
