// Know the tab of this browser in which a person was last: it alone makes sounds, calls the person, and
// leads to a match that began without it.
//
// This tab holds a lock of the browser. A tab that gets the focus takes the lock, and the others wait for
// it, so the next one has it when the holder is closed or crashes. Browsers have locks on encrypted pages
// and on their own machine only. Elsewhere the storage has the id of the tab.

import { signal } from "@preact/signals";

import { BASE } from "../address.js";
import { newKey } from "../net/keys.js";

/**
 * @import { Storage } from "./storage.js"
 * @typedef {import("@preact/signals").Signal<boolean>} Flag
 * @typedef {{take: () => void, wait: () => void, leave: () => void}} Place
 */

const NAME = "voice";

/**
 * Return whether this tab is the one, as a signal.
 * @param {Window & typeof globalThis} window
 * @param {Storage} storage
 * @returns {Flag}
 */
export function followVoice(window, storage) {
  const on = signal(false);
  const { locks } = window.navigator;
  const place = locks ? lockPlace(locks, on) : storagePlace(storage, on);
  const begin = () => (window.document.hasFocus() ? place.take() : place.wait());
  window.addEventListener("focus", place.take);
  window.addEventListener("pagehide", place.leave);
  window.addEventListener("pageshow", ({ persisted }) => persisted && begin());
  begin();
  return on;
}

/**
 * @param {LockManager} locks
 * @param {Flag} on
 * @returns {Place}
 */
function lockPlace(locks, on) {
  let leave = () => {};
  const request = (/** @type {boolean} */ steal) => {
    leave();
    const place = new AbortController();
    let release = () => {};
    leave = () => {
      place.abort();
      release();
      on.value = false;
    };
    const hold = () => {
      if (place.signal.aborted) return;
      on.value = true;
      return new Promise((/** @type {(none: void) => void} */ resolve) => (release = resolve));
    };
    locks.request(NAME + BASE, steal ? { steal } : { signal: place.signal }, hold).catch(() => {
      if (place.signal.aborted) return;
      // A lock that was never held cannot be lost: this browser refuses locks.
      if (on.peek()) request(false);
      else on.value = true;
    });
  };
  return { take: () => on.peek() || request(true), wait: () => request(false), leave: () => leave() };
}

/**
 * @param {Storage} storage
 * @param {Flag} on
 * @returns {Place}
 */
function storagePlace(storage, on) {
  const id = newKey();
  const wait = () => {
    if (storage.get(NAME) === undefined) storage.set(NAME, id);
    on.value = storage.get(NAME) === id;
  };
  const take = () => {
    storage.set(NAME, id);
    wait();
  };
  const leave = () => {
    if (on.peek()) storage.set(NAME, undefined);
    on.value = false;
  };
  storage.follow(NAME, wait);
  return { take, wait, leave };
}
