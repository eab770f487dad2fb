// Remind a person of tournaments that begin soon, on any page and once for each.

import { tr } from "../texts.js";
import { untilText } from "../models/time.js";

const KEPT = "reminders";
/** How long before the start a person is reminded. */
export const SOON_MS = 300_000;
const EVERY_MS = 5000;

/** @typedef {Record<string, {name: string, starts: number}>} Reminders the tournaments by id */

/**
 * @param {import("./storage.js").Storage} storage
 * @returns {Reminders}
 */
export function reminders(storage) {
  const found = storage.get(KEPT);
  return typeof found === "object" && found !== null ? /** @type {Reminders} */ (found) : {};
}

/**
 * Remind the person of a tournament; null: do not.
 * @param {import("./storage.js").Storage} storage
 * @param {string} tournament
 * @param {{name: string, starts: number} | null} about
 */
export function setReminder(storage, tournament, about) {
  const { [tournament]: _, ...others } = reminders(storage);
  storage.set(KEPT, about === null ? others : { ...others, [tournament]: about });
}

/**
 * Return the tournaments that begin soon, and forget all reminders that are due.
 * @param {import("./storage.js").Storage} storage
 * @param {number} now
 */
export function takeDue(storage, now) {
  const due = Object.entries(reminders(storage)).filter(([, { starts }]) => starts - now <= SOON_MS);
  for (const [id] of due) setReminder(storage, id, null);
  // Who opens the page later sees in the lobby what is going on.
  return due.filter(([, { starts }]) => starts > now);
}

/**
 * Look again and again for tournaments that begin soon; `show` calls a person who looks elsewhere.
 * @param {import("./app.js").App} app
 * @param {(key: string, text: string, go: () => void) => void} show
 */
export function followReminders(app, show) {
  const look = () => {
    for (const [id, { name, starts }] of takeDue(app.storage, Date.now())) {
      const text = tr("{name} begins {when}.", { name, when: untilText(starts - Date.now()) });
      const go = () => app.navigate(`/tournament/${encodeURIComponent(id)}`);
      const close = app.notify(text, { key: `begins-${id}`, actions: [{ title: tr("Go there"), run: () => (close(), go()) }] });
      show(`begins-${id}`, text, go);
    }
  };
  look();
  setInterval(look, EVERY_MS);
}
