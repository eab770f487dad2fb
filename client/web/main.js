// The entry of the page: make its parts, show it, and connect.

import { render } from "preact";

import { outer } from "./address.js";
import { App } from "./app/app.js";
import { callBack } from "./app/attention.js";
import { followReminders } from "./app/reminders.js";
import { badgeIcon } from "./app/badge.js";
import { followArrivals } from "./app/arrivals.js";
import { Games } from "./app/catalogue.js";
import { listenToFaults, reloadOnce } from "./app/faults.js";
import { leaveFinished } from "./app/finished.js";
import { keep, kept } from "./app/kept.js";
import { followLadder } from "./app/ladder.js";
import { Navigation } from "./app/navigation.js";
import { followProgress } from "./app/progress.js";
import { followOpenGames } from "./app/open-games.js";
import { followPush } from "./app/push.js";
import { followRights } from "./app/rights.js";
import { followPlayer } from "./app/same-player.js";
import { Settings } from "./app/settings.js";
import { listenToKeys } from "./app/shortcuts.js";
import { Sounds } from "./app/sounds.js";
import { Storage } from "./app/storage.js";
import { sendUnsent } from "./app/unsent.js";
import { followVoice } from "./app/voice.js";
import { Frame } from "./frame/frame.js";
import { html } from "./html.js";
import { getJson } from "./net/api.js";
import { withEarlySocket } from "./net/early-socket.js";
import { Identity } from "./net/identity.js";
import { Link } from "./net/link.js";
import { browserTimers } from "./net/timers.js";
import { watchWakeups } from "./net/wakeups.js";

const storage = new Storage(() => localStorage, window);
const settings = new Settings(storage);
const voice = followVoice(window, storage);
const identity = new Identity(storage);
const timers = browserTimers();
const page = document.querySelector('meta[name="page"]')?.getAttribute("content") ?? null;
const socket = new URL(outer("/socket"), location.href);
socket.protocol = location.protocol === "https:" ? "wss:" : "ws:";

const app = new App({
  navigation: new Navigation(window),
  storage,
  settings,
  voice,
  sounds: new Sounds(
    () => settings.sound.value && voice.value,
    () => new AudioContext(),
  ),
  games: new Games(getJson),
  identity,
  makeLink: (onUpdates) =>
    new Link({
      url: socket.href,
      identity,
      page,
      timers,
      WebSocket: withEarlySocket(window),
      onUpdates,
      onOutdated: (served) => reloadOnce(app, served ?? "newer", window),
    }),
  now: () => timers.now(),
  random: Math.random,
});

settings.applyTo(document.documentElement, matchMedia("(prefers-color-scheme: dark)"), matchMedia("(prefers-contrast: more)"));
followArrivals(app);
followReminders(app, callBack(app, window));
sendUnsent(app);
leaveFinished(app);
followLadder(app);
followRights(app);
followProgress(app, document);
followPlayer(app, window);
// The texts of a page are those of its start.
storage.follow("settings.language", () => location.reload());
followOpenGames(app);
followPush(app, window);
badgeIcon(app, document);
listenToFaults(app, window);
listenToKeys(app, document);
app.start(window);
// The settings stay open where they have loaded the page again.
app.dialog.value = kept("dialog") ?? null;
keep("dialog", undefined);

const place = document.getElementById("app");
if (place !== null) {
  place.replaceChildren();
  render(html`<${Frame} app=${app} />`, place);
}
watchWakeups(app.link, window);
