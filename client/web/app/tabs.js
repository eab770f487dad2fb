// Share the connection with the other tabs of this browser; `net/tabs.js` says how.

import { BASE } from "../address.js";
import { Leases } from "../net/lease.js";
import { newKey } from "../net/keys.js";
import { Tabs } from "../net/tabs.js";
import { tr } from "../texts.js";
import { opponentName, runningGames } from "./elsewhere.js";

/**
 * @import { Match } from "../net/tabs.js"
 * @import { Timers } from "../net/timers.js"
 * @typedef {import("./app.js").App} App
 */

/**
 * Begin, before the app connects. Where tabs share no storage, each is a player of its own.
 * @param {App} app
 * @param {Window & typeof globalThis} window
 * @param {Timers} timers
 */
export function shareConnection(app, window, timers) {
  const { document, navigator } = window;
  if (!app.storage.lasts || !window.BroadcastChannel) return;
  const id = newKey();
  const visible = () => document.visibilityState === "visible";
  const tabs = new Tabs(
    id,
    { visible, use: () => use(app, visible()), begin: () => begin(app), stop: (match) => stop(app, match) },
    {
      locks: navigator.locks ?? new Leases(app.storage, timers, id),
      channel: /** @type {any} */ (new window.BroadcastChannel(`doublecross${BASE}`)),
      timers,
    },
  );
  app.tabs = tabs;
  const look = () => {
    if (app.known.peek()) void tabs.ask();
  };
  window.addEventListener("focus", look);
  window.addEventListener("pageshow", look);
  // A page that is being closed becomes hidden after it has left.
  document.addEventListener("visibilitychange", () => visible() && look());
  document.addEventListener("resume", look);
  // The lock of a page in the browser's memory would keep all others from the server.
  window.addEventListener("pagehide", () => tabs.leave());
  document.addEventListener("freeze", () => tabs.leave());
  look();
}

/**
 * Return whether this tab needs the connection that it has, and the match that it plays.
 *
 * A player's open offers and matches go along to the next tab. So a tab needs the connection only for
 * what a person sees in it: a match, or what happens now.
 * @param {App} app
 * @param {boolean} visible
 */
export function use(app, visible) {
  const games = runningGames(app.session.rooms.values());
  const { name, params } = app.route.peek();
  const shown = name === "room" ? app.session.rooms.get(params["id"] ?? "") : undefined;
  const game = games.find((each) => each === shown) ?? games[0];
  const watches = visible && (name === "wall" || shown !== undefined);
  return {
    needed: app.enters || watches || (shown !== undefined && games.includes(shown)),
    match: game === undefined ? null : { room: game.room, name: opponentName(game) },
  };
}

/** @param {App} app */
function begin({ identity, link }) {
  if (link.ending === "elsewhere") return link.takeOver();
  identity.reload();
  link.start();
}

/**
 * @param {App} app
 * @param {Match | null} match
 */
function stop(app, match) {
  app.identity.reload();
  app.elsewhere.value = { match };
  app.link.giveWay(elsewhereLine(match));
}

/**
 * Return the sentence that says where the connection is.
 * @param {Match | null} match
 */
export function elsewhereLine(match) {
  return match === null
    ? tr("Doublecross is open in another tab.")
    : tr("Your match against {name} goes on in another tab.", { name: match.name });
}
